import type { Db } from '../../database/transaction.ts'
import type { Progress } from '../../lib/progress.ts'
import { isStoreProblem } from '../../storage/custom/store-driver.ts'
import { DamagedFile, ReadMismatch } from '../../storage/damaged-file.ts'
import type { QuarantinedKey, SealedObject, StorageDriver } from '../../storage/driver.ts'
import { sizeOfRanges } from '../../storage/objects/composition.ts'
import { eachObject, type StoredObject } from '../../storage/objects/each-object.ts'
import { findStoredObject } from '../../storage/objects/stored-objects.db.ts'
import { listObjectOwners, type ObjectOwner } from './object-owner.db.ts'
import type { Repairs } from './repairs.ts'

type Problem =
  /** The bytes are not in storage. */
  | 'missing'
  /** The bytes in storage are fewer or more than were uploaded. */
  | 'resized'
  /** The bytes differ from those that were uploaded. */
  | 'damaged'
  /** The rows of the database contradict each other. */
  | 'inconsistent'
  /** The object is marked for deletion, although a row refers to it. */
  | 'marked'
  /** The store sends other bytes than it has stored. */
  | 'unreadable'
  /** The bytes are those that were uploaded, but other checksums are recorded. */
  | 'wrong_checksum'
  /** The checksums have not been computed. */
  | 'unhashed'

export type Finding = {
  problem: Problem
  key: string
  sizeBytes: number
  /** Undefined if no row refers to the object. */
  owner: ObjectOwner | undefined
  detail: string
  /** What `--repair` has done; undefined if the problem still exists. */
  repair: string | undefined
}

export type CheckOptions = {
  db: Db
  storage: StorageDriver
  /** Whether to read all bytes. */
  isDeep: boolean
  repairs: Repairs | undefined
  quarantined: ReadonlyMap<string, QuarantinedKey>
  /** Returns whether the bytes of an object cannot be read, because its custom store cannot be used. */
  isUnusable: (key: string) => boolean
  onFinding: (finding: Finding) => void
  /** Called with each object whose bytes were not checked, because its custom store cannot be used. */
  onUnchecked: (object: SealedObject) => void
  onProgress: (progress: Progress) => void
}

const maxConcurrentChecks = 8
const maxConcurrentReads = 2

/** Compares the rows of stored objects with the bytes in storage. Objects that are being deleted are skipped. */
export async function checkFiles(options: CheckOptions): Promise<void> {
  const { db, isDeep, onProgress } = options
  let owners: ReadonlyMap<string, ObjectOwner> = new Map()
  const prepare = async (keys: string[]) => {
    owners = await listObjectOwners(db, keys)
  }
  const maxConcurrent = isDeep ? maxConcurrentReads : maxConcurrentChecks
  await eachObject({ db, scope: 'all', maxConcurrent, onProgress, prepare }, (object) =>
    checkObject(options, object, owners.get(object.key)),
  )
}

async function checkObject(
  options: CheckOptions,
  object: StoredObject,
  owner: ObjectOwner | undefined,
): Promise<void> {
  const { repairs, isUnusable, onFinding, onUnchecked } = options
  const { key, sizeBytes } = object
  const report = (problem: Problem, detail: string, repair?: string) =>
    onFinding({ problem, key, sizeBytes, owner, detail, repair })
  if (object.isDeleted) {
    // The deletion job may delete the bytes at any time, unless a row refers to them.
    if (owner === undefined) return
    report('marked', 'marked for deletion, but a row refers to it', await repairs?.unmark(key))
  }
  const segmentBytes = sizeOfRanges(object)
  if (segmentBytes !== sizeBytes)
    report('inconsistent', `the parts have ${segmentBytes} bytes, but the object has ${sizeBytes}`)
  if (typeof owner?.sizeBytes === 'number' && owner.sizeBytes !== sizeBytes)
    report('inconsistent', `${owner.table} has ${owner.sizeBytes} bytes, but the object has ${sizeBytes}`)
  if (isUnusable(key)) {
    onUnchecked(object)
    return
  }
  try {
    await checkBytes(options, object, owner, report).catch((error: unknown) =>
      reportDamage(options, { object, owner, error }, report),
    )
  } catch (error) {
    if (!isStoreProblem(error)) throw error
    onUnchecked(object)
  }
}

type Report = (problem: Problem, detail: string, repair?: string) => void

type Failed = { object: StoredObject; owner: ObjectOwner | undefined; error: unknown }

/** Reports the damage that storage has detected, after trying to repair it. Throws any other error. */
async function reportDamage(
  options: CheckOptions,
  { object, owner, error }: Failed,
  report: Report,
): Promise<void> {
  if (error instanceof ReadMismatch) return report('unreadable', error.message)
  if (!(error instanceof DamagedFile)) throw error
  // A concurrent deletion is not damage.
  if (!object.isDeleted && (await findStoredObject(options.db, object.key)) === undefined) return
  const problem = problemOf(error)
  const restored = problem === 'missing' ? await restore(options, object, error.key) : undefined
  const repair = restored ?? (await options.repairs?.discard(owner))
  if (repair === undefined) await options.repairs?.recordDamage(owner, error)
  const other = error.key === object.key ? '' : ` of ${error.key}`
  report(problem, `part ${error.partName}${other}`, repair)
}

const algorithms = ['sha256', 'md5', 'sha1', 'sha512'] as const
const algorithmNames = { sha256: 'SHA-256', md5: 'MD5', sha1: 'SHA-1', sha512: 'SHA-512' }

/** Reports checksums that do not match those in the database. Throws `DamagedFile` if storage detects the damage. */
async function checkBytes(
  { storage, isDeep, repairs }: CheckOptions,
  object: SealedObject,
  owner: ObjectOwner | undefined,
  report: Report,
): Promise<void> {
  await storage.requireComplete(object)
  const isHashed = owner?.table !== 'files' || owner.md5 !== null
  if (!isDeep) {
    if (!isHashed) report('unhashed', 'has no checksums', await repairs?.enqueueHashing(owner))
    return
  }
  const found = await storage.checksums(object, owner && { recorded: owner })
  if (owner === undefined) return
  const different = algorithms.find(
    (algorithm) => owner[algorithm] !== null && owner[algorithm] !== found[algorithm],
  )
  if (different !== undefined) {
    const name = algorithmNames[different]
    const detail = `the ${name} is ${found[different]}, but ${owner[different]} is recorded`
    const isWrong = found.isConfirmed && owner.table !== 'file_patches'
    if (isWrong) report('wrong_checksum', detail, await repairs?.saveChecksums(owner, found))
    else report('damaged', detail, await repairs?.discard(owner))
    return
  }
  if (isHashed && owner.checksumError === null) return
  report('unhashed', 'has no checksums', await repairs?.saveChecksums(owner, found))
}

/** Restores quarantined bytes. Returns what was done, or undefined if the object is still incomplete. */
async function restore(
  { storage, repairs, quarantined }: CheckOptions,
  object: SealedObject,
  key: string,
): Promise<string | undefined> {
  const found = quarantined.get(key)
  if (repairs === undefined || found === undefined) return undefined
  await storage.restore(found)
  try {
    await storage.requireComplete(object)
    return 'restored from quarantine'
  } catch (error) {
    if (error instanceof DamagedFile) return undefined
    throw error
  }
}

function problemOf({ code }: DamagedFile): Problem {
  if (code === 'storage.file_missing') return 'missing'
  return code === 'storage.file_resized' ? 'resized' : 'damaged'
}
