import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../api/client.ts'
import { refreshOnChange, watchLive } from '../../api/live.ts'
import { setupText } from '../../text/setup.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { formatBytes } from '../../ui/bytes.ts'
import classes from './first-upload.module.css'

/** Waits for the first build of the application and shows it as it is processed. */
export function FirstBuild({ applicationId }: { applicationId: string }) {
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
    queryKey: ['applications', applicationId, 'builds', 'first'],
    queryFn: async ({ signal }) => {
      const { data } = await api.listBuilds({ application_id: applicationId, per_page: 1 }, { signal })
      return data[0] ?? null
    },
  })
  if (!build)
    return (
      <div className={classes.waiting} role="status">
        <span className={classes.pulse} aria-hidden />
        {setupText.waiting}
      </div>
    )
  return (
    <div className={classes.build} role="status">
      <ApplicationIcon name={build.version} url={build.icon_url} size={40} />
      <div className={classes.text}>
        <strong>{build.version}</strong>
        <div>
          {build.platform.name} · {formatBytes(build.size_total_bytes)}
        </div>
      </div>
      <ButtonLink
        to="/applications/$applicationId/builds/$buildId"
        params={{ applicationId, buildId: build.id }}
      >
        Open the build
      </ButtonLink>
    </div>
  )
}
