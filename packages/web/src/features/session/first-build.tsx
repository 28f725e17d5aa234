import type { ListedBuild } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../api/client.ts'
import { refreshOnChange, watchLive } from '../../api/live.ts'
import { applicationKey } from '../../api/query-keys.ts'
import { setupText } from '../../text/setup.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { formatBytes } from '../../ui/format/bytes.ts'
import { uploadedBuild } from '../../upload/uploaded-build.ts'
import { isProcessing, versionText } from '../builds/build.queries.ts'
import { UploadedBuildActions, UploadedBuildCode } from '../uploads/uploaded-build-actions.tsx'
import classes from './first-upload.module.css'

/** Returns the first build of the application as soon as it exists, and again when its package has been read. */
export function useFirstBuild(applicationId: string): ListedBuild | undefined {
  const queryClient = useQueryClient()
  useEffect(() => {
    const controller = new AbortController()
    const stop = refreshOnChange(queryClient)
    watchLive(queryClient, controller.signal)
    return () => {
      stop()
      controller.abort()
    }
  }, [queryClient])
  const { data: build } = useQuery({
    queryKey: applicationKey(applicationId, 'builds', 'first'),
    queryFn: async ({ signal }) => {
      const { data } = await api.listBuilds(
        { application_id: applicationId, sort_by: 'created_at', sort: 'asc', per_page: 1 },
        { signal },
      )
      return data[0] ?? null
    },
  })
  return build ?? undefined
}

type Props = { applicationId: string; applicationName: string; build: ListedBuild }

/** The first build with what is known of it. */
export function FirstBuild({ applicationId, applicationName, build }: Props) {
  const { platform, stream, size_total_bytes: bytes } = build
  const reading = isProcessing(build) ? [setupText.reading] : []
  const facts = [platform.name, stream.name, formatBytes(bytes), ...reading]
  const uploaded = uploadedBuild(build)
  return (
    <>
      <div className={classes.build} role="status">
        <ApplicationIcon name={applicationName} url={build.icon_url} size={44} />
        <div className={classes.text}>
          <strong>{versionText(build)}</strong>
          <div className={classes.facts}>{facts.join(' · ')}</div>
        </div>
        <div className={classes.actions}>
          <UploadedBuildActions upload={{ applicationId }} build={uploaded} />
        </div>
      </div>
      <UploadedBuildCode applicationId={applicationId} build={uploaded} />
    </>
  )
}

/** Says that the page waits for a build that a command uploads. */
export function WaitingForBuild() {
  return (
    <div className={classes.waiting} role="status">
      <span className={classes.pulse} aria-hidden />
      {setupText.waiting}
    </div>
  )
}
