import { ActionIcon, Button, FileButton } from '@mantine/core'
import type { File as StoredFile, FullBuild } from '@quayside/sdk'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { buildText } from '../../../text/builds/build.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Fact, FactList } from '../../../ui/fact-list.tsx'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { Hint } from '../../../ui/hint.tsx'
import { IconDownload, IconFile, IconFileZip, IconFingerprint, IconPackage } from '../../../ui/icons/icons.ts'
import { Item, ItemList } from '../../../ui/item-list.tsx'
import { showFailure } from '../../../ui/toast.tsx'
import { startDownload } from '../download-build.ts'
import { checkFile } from './check-store.ts'
import { filesOf } from './files-of-build.ts'
import classes from './files.module.css'

/** The files of a build with their checksums, and the comparison with a local file. */
export function Files({ build }: { build: FullBuild }) {
  return (
    <>
      <ItemList label="Files">
        {filesOf(build).map((file) => (
          <FileItem key={file.id} file={file} build={build} />
        ))}
        {build.primary_file.filetype.identifier === 'aab' && <UniversalApk build={build} />}
      </ItemList>
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

/** A SHA-512 has 128 digits, which are copied rather than read. */
const shownDigits = 32

function FileItem({ file, build }: { file: StoredFile; build: FullBuild }) {
  const role = file.id === build.primary_file.id ? 'Primary file' : 'Expansion file'
  const url = `${build.download_url.replace(/\/download$/, '/file')}?file_id=${file.id}`
  return (
    <Item
      leading={file.id === build.primary_file.id ? <IconPackage size={20} /> : <IconFileZip size={20} />}
      title={file.filename}
      detail={
        <span>
          {role} ·{' '}
          <span title={`${file.size_bytes.toLocaleString('en')} bytes`}>{formatBytes(file.size_bytes)}</span>{' '}
          · {file.filetype.name}
        </span>
      }
      menu={
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
      }
    >
      {file.checksum_error === null ? (
        <FactList isDense>
          <Checksum name="SHA-256" value={file.checksum_sha256} />
          <Checksum name="MD5" value={file.checksum_md5} />
          {file.checksum_sha512 !== null && (
            <>
              <Fact name="SHA-512">
                <Copyable value={file.checksum_sha512} label="SHA-512" mono>
                  {`${file.checksum_sha512.slice(0, shownDigits)}…`}
                </Copyable>
              </Fact>
            </>
          )}
        </FactList>
      ) : (
        <div className={classes.damaged}>
          {buildText.files.damaged}: {file.checksum_error}
        </div>
      )}
    </Item>
  )
}

function Checksum({ name, value }: { name: string; value: string | null }) {
  return (
    <Fact name={name}>
      {value === null ? buildText.files.computing : <Copyable value={value} label={name} mono />}
    </Fact>
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
    <Item
      leading={<IconFile size={20} />}
      title="Universal APK"
      detail={isMissing ? buildText.files.noUniversal : 'Derived from the bundle; installs on every device'}
      menu={
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
      }
    />
  )
}
