import type { FullRelease } from '@quayside/sdk'
import { useEffect, useState } from 'react'
import { releaseText } from '../../../text/releases/release.ts'
import { dateFormat } from '../../../ui/format/date-format.ts'
import { IconClock, IconEyeOff, IconPencil } from '../../../ui/icons/icons.ts'
import { Notice } from '../../../ui/notice.tsx'
import { localZone, utcTime } from '../schedule-times.ts'

/** Explains why people do not see a release yet, or any more. */
export function StatusBanner({ release }: { release: FullRelease }) {
  const { status, scheduled_for: scheduledFor } = release
  if (status === 'published') return null
  if (status === 'scheduled' && scheduledFor !== null) return <Countdown at={new Date(scheduledFor)} />
  return (
    <Notice
      kind={status === 'withdrawn' ? 'warn' : 'off'}
      icon={status === 'withdrawn' ? <IconEyeOff size={18} /> : <IconPencil size={18} />}
      mb="md"
    >
      {releaseText.banners[status === 'withdrawn' ? 'withdrawn' : 'draft']}
    </Notice>
  )
}

const local = dateFormat({
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** Counts down the seconds until a release is published. */
function Countdown({ at }: { at: Date }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000)
    return () => window.clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((at.getTime() - now) / 1_000))
  return (
    <Notice
      kind="info"
      icon={<IconClock size={18} />}
      title={
        <span className="tabular" role="timer">
          {seconds === 0 ? 'Publishing…' : `Publishes in ${duration(seconds)}`}
        </span>
      }
      mb="md"
    >
      {local(at)} in your time zone, {localZone(at)}
      {at.getTimezoneOffset() !== 0 && ` – ${utcTime(at)} UTC`}
    </Notice>
  )
}

function duration(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
