import { readFile } from 'node:fs/promises'
import type { OpenFile } from '../../database/copy/dump-database.ts'
import { DamagedFile } from '../../storage/damaged-file.ts'
import type { SealedObject } from '../../storage/driver.ts'
import { createLocalIdentity } from '../../storage/local/local-identity.ts'
import { localLayout, type LocalLayout } from '../../storage/local/local-layout.ts'
import type { BackupBucket } from './backup-bucket.ts'
import {
  backupPaths,
  incompleteBackup,
  openInFolder,
  parseManifest,
  readManifest,
  type BackupManifest,
} from './backup-folder.ts'
import { checkDigest } from './file-digest.ts'
import { createFileReader } from './transfer-objects.ts'

/** A complete backup that can be restored. */
export type BackupSource = {
  /** For messages, with the time of a backup in a bucket. */
  location: string
  manifest: BackupManifest
  installationId: string
  openTable: OpenFile
  readSecret: () => Promise<string>
  /** Yields a stored file. Throws `DamagedFile` if it is missing or does not match its checksum. */
  readFile: (object: SealedObject) => AsyncIterable<Uint8Array>
  /** The files, if they can be copied unchanged to a data folder. */
  files: LocalLayout | undefined
}

/** Opens the backup in a folder. Throws if it is incomplete. */
export async function openFolderSource(folder: string): Promise<BackupSource> {
  const manifest = await readManifest(folder)
  const paths = backupPaths(folder)
  const installationId = await createLocalIdentity(paths.storage).findId()
  if (installationId === undefined)
    throw new Error(`The file installation-id is missing in ${paths.storage}.`)
  const files = localLayout(paths.storage)
  return {
    location: folder,
    manifest,
    installationId,
    openTable: openInFolder(paths.database),
    readSecret: () => readFile(paths.secret, 'utf8'),
    readFile: createFileReader(files),
    files: manifest.storage === 's3' ? undefined : files,
  }
}

/** Opens the backup of this time, or the most recent one, in a bucket. Throws if it is incomplete. */
export async function openBucketSource(bucket: BackupBucket, time?: string): Promise<BackupSource> {
  const chosen = time ?? (await bucket.listBackups()).findLast(({ isComplete }) => isComplete)?.time
  const text = chosen === undefined ? undefined : await bucket.findText(chosen, 'backup.json')
  if (chosen === undefined || text === undefined) throw incompleteBackup({ backup: bucket.describe(time) })
  const manifest = parseManifest(text, bucket.describe(chosen))
  return {
    location: bucket.describe(chosen),
    manifest,
    installationId: manifest.installation_id ?? '',
    openTable: bucket.openTable(chosen),
    readSecret: async () => (await bucket.findText(chosen, 'secret')) ?? '',
    async *readFile({ key, sizeBytes }) {
      let hasBytes = false
      const chunks = async function* () {
        for await (const chunk of bucket.openFile(key)) {
          hasBytes = true
          yield chunk
        }
        if (!hasBytes) throw new DamagedFile('storage.file_missing', { key, partName: '' })
      }
      yield* checkDigest(chunks(), { key, sizeBytes })
    },
    files: undefined,
  }
}
