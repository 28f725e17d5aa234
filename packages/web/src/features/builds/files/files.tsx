import { ActionIcon, Button, FileButton } from '@mantine/core'
import type { File as StoredFile, FullBuild } from '@quayside/sdk'
import { IconDownload, IconFile, IconFileZip, IconFingerprint, IconPackage } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { buildText } from '../../../text/build.ts'
import { formatBytes } from '../../../ui/bytes.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Hint } from '../../../ui/hint.tsx'
import { showFailure } from '../../../ui/toast.tsx'
import { startDownload } from '../download-build.ts'
import { checkFile } from './check-store.ts'
import { filesOf } from './files-of-build.ts'
import classes from './files.module.css'

/** The files of a build with their checksums, and the comparison with a local file. */
export function Files({ build }: { build: FullBuild }) {
  return (
    <>
      <ul className={classes.list}>
        {filesOf(build).map((file) => (
          <FileItem key={file.id} file={file} build={build} />
        ))}
        {build.primary_file.filetype.identifier === 'aab' && <UniversalApk build={build} />}
      </ul>
      <div className={classes.check}>
        <span>{buildText.verify.hint}</span>
        <FileButton onChange={(file) => file !== null && checkFile(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<IconFingerprint size={15} />}>
              Choose a file to verify
            </Button>
          )}
        </FileButton>
      </div>
    </>
  )
}

function FileItem({ file, build }: { file: StoredFile; build: FullBuild }) {
  const role = file.id === build.primary_file.id ? 'Primary file' : 'Expansion file'
  const url = `${build.download_url.replace(/\/download$/, '/file')}?file_id=${file.id}`
  return (
    <li className={classes.file}>
      <span className={classes.icon}>
        {file.id === build.primary_file.id ? <IconPackage size={20} /> : <IconFileZip size={20} />}
      </span>
      <div>
        <div className={classes.name}>{file.filename}</div>
        <div className={classes.meta}>
          {role} ·{' '}
          <span title={`${file.size_bytes.toLocaleString('en')} bytes`}>{formatBytes(file.size_bytes)}</span>{' '}
          · {file.filetype.name}
        </div>
        {file.checksum_error === null ? (
          <dl className={classes.sums}>
            <Checksum name="SHA-256" value={file.checksum_sha256} />
            <Checksum name="MD5" value={file.checksum_md5} />
          </dl>
        ) : (
          <div className={classes.damaged}>
            {buildText.files.damaged}: {file.checksum_error}
          </div>
        )}
      </div>
      <Hint label="Download">
        <ActionIcon
          variant="default"
          size={32}
          aria-label={`Download ${file.filename}`}
          onClick={() => startDownload(url)}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Hint>
    </li>
  )
}

function Checksum({ name, value }: { name: string; value: string | null }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value === null ? 'being computed…' : <Copyable value={value} label={name} mono />}</dd>
    </>
  )
}

/** The APK that the service derives from an app bundle. Only the download links say whether there is one. */
function UniversalApk({ build }: { build: FullBuild }) {
  const [isMissing, setIsMissing] = useState(false)
  async function download(): Promise<void> {
    try {
      const { universal_apk: apk } = await api.getBuildDownload({
        application_id: build.application_id,
        build_id: build.id,
      })
      if (apk === undefined) setIsMissing(true)
      else startDownload(apk.temp_url)
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <li className={classes.file}>
      <span className={classes.icon}>
        <IconFile size={20} />
      </span>
      <div>
        <div className={classes.name}>Universal APK</div>
        <div className={classes.meta}>
          {isMissing ? buildText.files.noUniversal : 'Derived from the bundle; installs on every device'}
        </div>
      </div>
      <Hint label="Download">
        <ActionIcon
          variant="default"
          size={32}
          aria-label="Download the universal APK"
          disabled={isMissing}
          onClick={() => void download()}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Hint>
    </li>
  )
}
