import { RingProgress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatBytes, plural } from '../../ui/format/bytes.ts'
import { IconAlertTriangle } from '../../ui/icons/icons.ts'
import { isActive, type Upload } from '../../upload/upload.ts'
import classes from './upload-indicator.module.css'

type Props = { uploads: readonly Upload[]; isCompact: boolean }

/** A link to the uploads with their total progress. */
export function UploadIndicator({ uploads, isCompact }: Props) {
  const sum = (pick: (upload: Upload) => number) => uploads.reduce((total, each) => total + pick(each), 0)
  const size = sum(({ sizeBytes }) => sizeBytes)
  const percent = size === 0 ? 0 : Math.floor((sum(({ sentBytes }) => sentBytes) / size) * 100)
  const speed = sum(({ bytesPerSecond }) => bytesPerSecond ?? 0)
  const needsAttention = uploads.some((upload) => !isActive(upload) || upload.phase === 'incomplete')
  const detail = speed > 0 ? `${percent} % · ${formatBytes(speed)}/s` : `${percent} %`
  const title = plural(uploads.length, 'upload')
  return (
    <Link to="/upload" className={classes.uploads} data-compact={isCompact || undefined}>
      <RingProgress
        size={26}
        thickness={3}
        sections={[{ value: percent, color: needsAttention ? 'yellow.7' : 'quay' }]}
        rootColor="var(--q-line-strong)"
        aria-hidden
      />
      <span className={classes.text}>
        <span className={classes.title}>
          {title}
          {needsAttention && (
            <IconAlertTriangle size={14} color="var(--q-warn)" aria-label="Needs attention" />
          )}
        </span>
        <span className={classes.detail}>{detail}</span>
      </span>
    </Link>
  )
}
