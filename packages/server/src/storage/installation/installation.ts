import { randomUUID } from 'node:crypto'
import { inTransaction, type Db } from '../../database/transaction.ts'
import { problem, type Problem } from '../../lib/problem.ts'
import type { StorageIdentity } from '../driver.ts'
import {
  countStoredFiles,
  findInstallationId,
  lockInstallation,
  saveClaimedStorage,
} from './installation.db.ts'
import { isRestoreClaim } from './restore-claim.ts'

type Identities = { storageId: string | undefined; databaseId: string | undefined }

/**
 * Saves the identity of a new installation in both the database and storage. Throws `installation.mismatch` if the two
 * belong to different installations. Without this check, a service could treat another installation's files as orphans.
 */
export async function claimStorage(db: Db, storage: StorageIdentity): Promise<void> {
  // The row stays locked while the file is written, so that nodes that start at the same time agree on one ID.
  await inTransaction(db, async (tx) => {
    const { id, storage_claimed_at } = await lockInstallation(tx, randomUUID())
    const storageId = await storage.findId()
    if (isRestoreClaim(storageId)) throw restoreIncomplete({ location: storage.location })
    if (storageId !== id) {
      const hasFiles = await storage.hasFiles()
      const knownFiles = await countStoredFiles(tx)
      const isNew = storage_claimed_at === null && knownFiles === 0
      if (!isNew || hasFiles)
        throw mismatch({
          location: storage.location,
          settings: storage.settings,
          emptyReason: storage.emptyReason,
          storageId,
          databaseId: isNew ? undefined : id,
          hasFiles,
          knownFiles,
        })
      await storage.saveId(id)
    }
    if (storage_claimed_at === null) await saveClaimedStorage(tx, id)
  })
}

const restoreIncomplete = problem(
  'conflict',
  'restore.incomplete',
  'The restore to the {location} is incomplete. Run the same quayside-server admin restore command again to resume it, then start again.',
)

/**
 * Saves the identity of the installation in the empty one of two storages, between which its files are being migrated.
 * Changes nothing if neither storage belongs to the installation.
 */
export async function shareInstallation(db: Db, storages: readonly StorageIdentity[]): Promise<void> {
  const id = await findInstallationId(db)
  const ids = await Promise.all(storages.map((storage) => storage.findId()))
  if (id === undefined || !ids.includes(id)) return
  for (const [index, storage] of storages.entries())
    if (ids[index] === undefined && !(await storage.hasFiles())) await storage.saveId(id)
}

/**
 * Assigns one new ID to both the storage and the database, so that neither matches any other database or storage with
 * its previous ID. Returns the new ID and the previous IDs.
 */
export async function adoptStorage(
  db: Db,
  storage: StorageIdentity,
): Promise<{ id: string; before: Identities }> {
  return inTransaction(db, async (tx) => {
    const id = randomUUID()
    const { id: databaseId } = await lockInstallation(tx, id)
    const storageId = await storage.findId()
    await storage.saveId(id)
    await saveClaimedStorage(tx, id)
    return { id, before: { storageId, databaseId: databaseId === id ? undefined : databaseId } }
  })
}

/**
 * Throws `unavailable` unless storage and database have the same ID. This must be checked repeatedly, because a disk
 * can be unmounted at any time.
 */
export async function assertSameInstallation(db: Db, storage: StorageIdentity): Promise<void> {
  const [storageId, databaseId] = await Promise.all([storage.findId(), findInstallationId(db)])
  if (storageId !== undefined && storageId === databaseId) return
  throw otherInstallation({
    location: storage.location,
    found: storageId === undefined ? 'has no installation ID' : `belongs to installation ${storageId}`,
    expected: databaseId ?? '(none)',
    advice: storage.advice,
  })
}

// The first means that a running service has lost its storage, the second that a service cannot start.
const otherInstallation = problem(
  'unavailable',
  'installation.mismatch',
  'The storage {location} {found}, but the database belongs to installation {expected}. {advice}',
  { retryAfterSeconds: 5, hasSeveralStatuses: true },
)

const cannotClaim = problem('conflict', 'installation.mismatch', '{explanation}', {
  hasSeveralStatuses: true,
})

type Mismatch = Identities &
  Pick<StorageIdentity, 'location' | 'settings' | 'emptyReason'> & { hasFiles: boolean; knownFiles: number }

function mismatch(found: Mismatch): Problem {
  const text = [
    describe(found),
    `  storage:  ${found.storageId ?? (found.hasFiles ? 'files without an installation ID' : 'missing or empty')}`,
    `  database: ${found.databaseId === undefined ? 'new, no installation ID' : `${found.databaseId}, ${found.knownFiles} stored files`}`,
    `${explain(found)} Nothing was changed. Correct the problem, then start again.`,
    'If this storage and this database do belong together, for example after restoring one of them, run once, with the same settings:',
    '  quayside-server storage adopt',
  ]
  return cannotClaim({ explanation: text.join('\n') })
}

function describe({ location, storageId, databaseId, hasFiles }: Mismatch): string {
  if (databaseId === undefined)
    return `The storage ${location} contains the files of an installation, but the database is new.`
  if (storageId !== undefined)
    return `The storage ${location} and the database belong to different installations.`
  return hasFiles
    ? `The storage ${location} does not identify the installation that it belongs to.`
    : `The storage ${location} is missing or empty, but the database belongs to an installation whose files are elsewhere.`
}

function explain({ storageId, databaseId, hasFiles, settings, emptyReason }: Mismatch): string {
  if (databaseId === undefined)
    return `DATABASE_URL probably names an empty database, or ${settings} is not correct.`
  if (storageId !== undefined)
    return `DATABASE_URL or ${settings} probably belongs to another installation, or a disk is mounted in the wrong place.`
  return hasFiles ? 'The storage was probably restored or copied incompletely.' : emptyReason
}
