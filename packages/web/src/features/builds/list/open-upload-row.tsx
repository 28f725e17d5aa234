import { Progress } from '@mantine/core'
import { platformName } from '../../../text/builds/platforms.ts'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { isWaiting, type OpenUpload } from '../open-uploads.queries.ts'
import { uploadSourceNames } from '../upload-sources.ts'
import classes from './open-uploads.module.css'

/** An upload of somebody else: what is being uploaded, by which tool, and how much has arrived. */
export function OpenUploadRow({ upload }: { upload: OpenUpload }) {
  const { version, build_number, platform, build_source, ci_run_id, stream, files } = upload
  const filename = files[0]?.filename ?? ''
  const name = platformName(platform)
  const source = uploadSourceNames[build_source] ?? build_source
  return (
    <div className={classes.row}>
      <PlatformIcon platform={{ identifier: platform, name }} />
      <div className={classes.what}>
        <span className={classes.line}>
          <span className={classes.version}>
            {version}
            {build_number !== null && <span className={classes.soft}> ({build_number})</span>}
          </span>
          {stream !== null && <span className={classes.stream}>{stream}</span>}
          <span className={classes.soft}>
            {source}
            {ci_run_id !== null && ` #${ci_run_id}`}
          </span>
        </span>
        <span className={classes.filename} title={filename}>
          {filename}
        </span>
      </div>
      <UploadState upload={upload} filename={filename} />
    </div>
  )
}

function UploadState({ upload, filename }: { upload: OpenUpload; filename: string }) {
  const size = upload.files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  const received = upload.files.reduce((sum, { received_bytes }) => sum + received_bytes, 0)
  const percent = size === 0 ? 0 : Math.floor((received / size) * 100)
  const isUnknown = received === 0
  const waits = isWaiting(upload)
  const isVerifying = upload.state === 'verifying'
  const label = isVerifying
    ? 'Finishing…'
    : waits
      ? 'Waiting for data'
      : isUnknown
        ? 'Receiving…'
        : `${percent} %`
  return (
    <div className={classes.state}>
      <span className={classes.numbers}>
        <span>{label}</span>
        <span className={classes.soft}>
          {isUnknown ? formatBytes(size) : `${formatBytes(received)} of ${formatBytes(size)}`}
        </span>
      </span>
      <Progress.Root size={6}>
        <Progress.Section
          value={isUnknown && !waits ? 100 : percent}
          color={waits ? 'gray' : undefined}
          animated={isVerifying || (isUnknown && !waits)}
          className={isUnknown ? classes.unknown : undefined}
          aria-label={`Progress of ${filename}`}
          {...(isUnknown ? { 'aria-valuetext': label } : {})}
        />
      </Progress.Root>
    </div>
  )
}
