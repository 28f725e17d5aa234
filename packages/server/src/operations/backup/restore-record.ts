import { createHash, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writePrivateFile } from '../../lib/durable-file.ts'
import { isErrno, problem } from '../../lib/problem.ts'
import type { StorageIdentity } from '../../storage/driver.ts'
import { restoreClaim } from '../../storage/installation/restore-claim.ts'
import type { BackupManifest } from './backup-folder.ts'

/** A restore in progress. It is in `restore.json` in the data folder until the restore is complete. */
export type RestoreRecord = {
  /** Identifies the restore in its storage and its database. */
  id: string
  /** The location of the backup, with its time if it is in a bucket. */
  location: string
  /** The SHA-256 of the manifest. */
  manifest: string
  /** Where the files are restored. */
  storage: string
}

const pathOf = (dataDir: string): string => join(dataDir, 'restore.json')

const deleteAdvice = (dataDir: string): string =>
  `To start over, delete ${dataDir}, empty the database and, if the files are in a bucket, delete them.`

export async function findRestoreRecord(dataDir: string): Promise<RestoreRecord | undefined> {
  try {
    return JSON.parse(await readFile(pathOf(dataDir), 'utf8')) as RestoreRecord
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

export async function deleteRestoreRecord(dataDir: string): Promise<void> {
  await rm(pathOf(dataDir), { force: true })
  await syncFolder(dataDir)
}

type Restore = {
  dataDir: string
  location: string
  manifest: BackupManifest
  /** The storage to which the files are restored. */
  identity: StorageIdentity
  installationId: string
}

/**
 * Records a new restore, which requires an empty data folder, or returns the record of the same restore that was
 * interrupted. Then claims the storage, so that neither a server nor another restore uses it. Throws if the data folder
 * or the storage contains anything else.
 */
export async function beginRestore(
  restore: Restore,
  found: RestoreRecord | undefined,
): Promise<RestoreRecord> {
  const { dataDir, identity, installationId, ...rest } = restore
  const manifest = createHash('sha256').update(JSON.stringify(rest.manifest)).digest('hex')
  const current = { location: rest.location, manifest, storage: identity.location }
  if (found !== undefined) requireSameRestore(found, { ...current, dataDir })
  const record = found ?? { id: randomUUID(), ...current }
  const claim = restoreClaim(record.id)
  const claimedId = await identity.findId()
  // A run that is interrupted at its end has already replaced the claim.
  const isOwn = claimedId === claim || (found !== undefined && claimedId === installationId)
  if (isOwn) return record
  await requireEmptyStorage(identity)
  if (found === undefined)
    await writePrivateFile(pathOf(dataDir), `${JSON.stringify(record, undefined, 2)}\n`)
  await identity.saveId(claim)
  return record
}

function requireSameRestore(
  found: RestoreRecord,
  { dataDir, ...current }: Omit<RestoreRecord, 'id'> & { dataDir: string },
): void {
  const interrupted = `${dataDir} contains the interrupted restore of ${found.location}`
  if (found.manifest !== current.manifest)
    throw otherBackup({ interrupted, location: current.location, advice: deleteAdvice(dataDir) })
  if (found.storage !== current.storage)
    throw otherStorage({
      interrupted,
      storage: found.storage,
      requested: current.storage,
      advice: deleteAdvice(dataDir),
    })
}

const otherBackup = problem(
  'conflict',
  'restore.other_backup',
  '{interrupted}, not of {location}. To resume it, use its location. {advice}',
)

const otherStorage = problem(
  'conflict',
  'restore.other_storage',
  '{interrupted} to the {storage}, not to the {requested}. To resume it, use its settings. {advice}',
)

/** Throws if the storage contains any files. */
export async function requireEmptyStorage(identity: StorageIdentity): Promise<void> {
  if ((await identity.findId()) === undefined && !(await identity.hasFiles())) return
  throw storageNotEmpty({ location: identity.location })
}

const storageNotEmpty = problem(
  'conflict',
  'storage.not_empty',
  'The {location} contains the files of an installation or of another restore. Use an empty bucket or another QUAYSIDE_S3_PREFIX.',
)
