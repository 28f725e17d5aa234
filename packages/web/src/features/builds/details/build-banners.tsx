import { Button, Loader } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/builds/build.ts'
import { useNow } from '../../../ui/format/now.ts'
import { absoluteTime, daysUntil } from '../../../ui/format/time.ts'
import { IconAlertTriangle, IconClock, IconDownload } from '../../../ui/icons/icons.ts'
import { Notice } from '../../../ui/notice.tsx'
import { buildChanges } from '../build-changes.ts'
import { isProcessing } from '../build.queries.ts'
import { downloadBuild } from '../download-build.ts'
import { useBuildChange } from './use-build-change.ts'

const soonDays = 7

/** Says that a build is being read, could not be read, or will soon be deleted. */
export function BuildBanners({ build }: { build: FullBuild }) {
  const now = useNow()
  if (isProcessing(build))
    return (
      <Notice mb="md" kind="info" icon={<Loader size={16} />} title={buildText.processing.title}>
        {buildText.processing.detail}
      </Notice>
    )
  return (
    <>
      {build.processing_error !== null && <FailedBanner build={build} reason={build.processing_error} />}
      {build.expires_at !== null && !build.keep_forever && daysUntil(build.expires_at, now) < soonDays && (
        <ExpiryBanner build={build} expiresAt={build.expires_at} />
      )}
    </>
  )
}

function FailedBanner({ build, reason }: { build: FullBuild; reason: string }) {
  return (
    <Notice
      mb="md"
      kind="bad"
      role="status"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={buildText.failed.title}
      action={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} />}
          onClick={() => void downloadBuild(build.application_id, build.id)}
        >
          Download the file
        </Button>
      }
    >
      {reason} {buildText.failed.detail}
    </Notice>
  )
}

function ExpiryBanner({ build, expiresAt }: { build: FullBuild; expiresAt: string }) {
  const { can } = useSession()
  const change = useBuildChange(build)
  const days = daysUntil(expiresAt, useNow())
  return (
    <Notice
      mb="md"
      kind="warn"
      icon={<IconClock size={18} aria-hidden />}
      title={
        <span title={absoluteTime(expiresAt)}>
          Expires {days < 1 ? 'within a day' : `in ${days} ${days === 1 ? 'day' : 'days'}`}
        </span>
      }
      action={
        can('builds:write', build.application_id) && (
          <Button size="xs" variant="default" onClick={() => void change(buildChanges.keep())}>
            Keep forever
          </Button>
        )
      }
    >
      {buildText.expiring(build.stream.name, build.stream.retention_days)}
    </Notice>
  )
}
