import { join, resolve } from 'node:path'
import { version } from '../../config/version.ts'
import { connectDatabase } from '../../database/connect.ts'
import { dumpDatabase } from '../../database/copy/dump-database.ts'
import { problem } from '../../lib/problem.ts'
import { assertSameInstallation } from '../../storage/installation/installation.ts'
import { createLocalIdentity } from '../../storage/local/local-identity.ts'
import { localLayout } from '../../storage/local/local-layout.ts'
import type { StoredObject } from '../../storage/objects/each-object.ts'
import type { BackupBucket } from './backup-bucket.ts'
import { formatManifest } from './backup-folder.ts'
import { timeName } from './backup-location.ts'
import { readSecret, type BackupOptions } from './create-backup.ts'
import { createPartReader, sendObjects, type SentObjects } from './transfer-objects.ts'

type Options = Omit<BackupOptions, 'folder'> & { bucket: BackupBucket; now: Date }

/**
 * Writes the database, the stored files and the master secret to a bucket while the service is running. Files that an
 * earlier or an interrupted backup has sent to the same location are not sent again. The order of the steps is as in
 * `createBackup`.
 */
export async function createBucketBackup({
  bucket,
  now,
  config,
  storage,
  connection,
  queueSchema,
  log,
  onProgress,
}: Options): Promise<SentObjects & { hasSecret: boolean; time: string }> {
  const dataDir = resolve(config.dataDir)
  const secret = config.secret === undefined ? await readSecret(dataDir) : undefined
  const time = timeName(now)
  if ((await bucket.findText(time, 'backup.json')) !== undefined)
    throw backupExists({ backup: bucket.describe(time) })
  const { db, close } = connectDatabase({ connection, maxConnections: 2, log })
  try {
    const identity = storage?.identity ?? createLocalIdentity(join(dataDir, 'storage'))
    await assertSameInstallation(db, identity)
    await bucket.deleteUnfinished(now)
    const database = await dumpDatabase({
      source: connection,
      save: bucket.saveTable(time),
      queueSchema,
      onProgress,
    })
    const sent = await sendObjects({ db, bucket, read: readerOf(storage, dataDir), onProgress })
    await bucket.saveText(time, 'files', sent.keys.map((key) => `${key}\n`).join(''))
    if (secret !== undefined) await bucket.saveText(time, 'secret', `${secret}\n`)
    const manifest = formatManifest({
      created_at: now.toISOString(),
      server_version: version,
      has_secret: secret !== undefined,
      storage: storage === undefined ? 'local' : 's3',
      installation_id: (await identity.findId()) ?? '',
      database,
    })
    await bucket.saveText(time, 'backup.json', manifest)
    return { ...sent, hasSecret: secret !== undefined, time }
  } finally {
    await close()
  }
}

const backupExists = problem('conflict', 'backup.exists', 'The backup {backup} exists. Try again.')

/** Returns how objects are read. The parts in a storage folder are compared with the checksums in their names. */
function readerOf(
  storage: BackupOptions['storage'],
  dataDir: string,
): (object: StoredObject) => AsyncIterable<Uint8Array> {
  if (storage !== undefined) return (object) => storage.read(object)
  return createPartReader(localLayout(join(dataDir, 'storage')))
}
