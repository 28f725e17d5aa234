import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { Problem, problem } from '../../lib/problem.ts'
import { damageProblems } from '../../storage/damaged-file.ts'
import type { SealedObject, StagedPart } from '../../storage/driver.ts'
import type { AllDigests } from '../../storage/objects/hashing.ts'
import { partMissing, partTooSmall, storageProblems } from '../../storage/storage-errors.ts'
import { chooseParts, type ListedChunk } from './choose-parts.ts'
import { findComposition, type FileComposition } from './composition/composition.db.ts'
import {
  recordUploadActivity,
  requireAlive,
  requirePendingUpload,
  uploadAborted,
  uploadExpired,
  type PendingFile,
  type PendingUpload,
} from './pending-upload.db.ts'
import { listStoredParts } from './stored-parts.ts'
import {
  acquireLease,
  leaseSeconds,
  lockLease,
  markUploadVerified,
  releaseLease,
  renewLease,
  type ChosenParts,
} from './upload-lease.db.ts'

/** The stored parts of a file. With a composition, they are its new bytes. */
export type ChosenFile = { file: PendingFile; parts: StagedPart[]; composition?: FileComposition | undefined }
export type SealedFile = { file: PendingFile; object: SealedObject }

type Steps<T> = {
  kind: PendingUpload['kind']
  chunks: ListedChunk[] | undefined
  /** Returns the response for an upload that has already been verified. */
  existing: (upload: PendingUpload) => Promise<T>
  /** Reads the chosen parts before they are sealed. Returns the checksums by file ID; throws if a part is damaged. */
  check?: (files: ChosenFile[], upload: PendingUpload) => Promise<Map<string, AllDigests>>
  /** Reads the sealed files before the transaction that inserts the build or the artifact. */
  read?: (files: SealedFile[], upload: PendingUpload) => Promise<void>
  /** Inserts the build or the artifact. */
  insert: (tx: Tx, upload: PendingUpload, files: SealedFile[]) => Promise<Finished<T>>
}

export type Finished<T> = { buildId: string; artifactId: string | null; response: T }

const waitMs = 25_000
const minPollMs = 40
const maxPollMs = 1_000
const renewEveryMs = 3_000
const releaseRetryMs = 250

/**
 * Verifies an upload exactly once, even if calls are concurrent or the service is killed at any step: one caller
 * acquires a lease, seals the bytes and commits; the others wait and return the same response.
 */
export async function finishUpload<T>(call: Call, id: string, steps: Steps<T>): Promise<T> {
  const deadline = performance.now() + waitMs
  let hasWaited = false
  for (let pollMs = minPollMs; ; pollMs = Math.min(pollMs * 1.5, maxPollMs)) {
    const upload = await requirePendingUpload(call.db, call.actor, id)
    if (upload.kind !== steps.kind) throw upload.kind === 'metadata' ? isMetadataUpload() : isBuildUpload()
    if (upload.state === 'verified') return steps.existing(upload)
    requireAlive(upload)
    // Reading a large file that is composed takes longer than clients and proxies wait. With an idempotency key, the
    // attempt is part of the transaction of this request, which therefore waits for it.
    const isLong = upload.files.some(({ new_bytes }) => new_bytes !== null) && !call.db.isTransaction
    const inTime = <R>(work: Promise<R>) => (isLong ? beforeDeadline(work, deadline) : work)
    // Reuses the outcome of an attempt in progress at most once. If that attempt fails, each caller tries with its own
    // list of parts.
    const shared = hasWaited ? undefined : await inTime(call.inFlight.outcome(upload.id))
    hasWaited = true
    if (shared !== undefined) return shared as T
    if (upload.state === 'requested' || upload.lease_has_lapsed) {
      const response = await inTime(call.inFlight.run(upload.id, () => verifyOnce(call, upload, steps)))
      if (response !== undefined) return response
    }
    if (performance.now() > deadline) throw stillVerifying()
    await pause(pollMs)
  }
}

/** Returns the result of an attempt. Throws `stillVerifying` at the deadline, after which the attempt continues. */
async function beforeDeadline<T>(attempt: Promise<T>, deadline: number): Promise<T> {
  const stop = new AbortController()
  const expiry = pause(Math.max(deadline - performance.now(), 0), undefined, { signal: stop.signal }).then(
    () => {
      throw stillVerifying()
    },
  )
  expiry.catch(() => undefined)
  try {
    return await Promise.race([attempt, expiry])
  } finally {
    stop.abort()
    // After the deadline, the next call reports why the attempt failed.
    attempt.catch(() => undefined)
  }
}

const stillVerifying = problem(
  'unavailable',
  'upload.verifying',
  'This upload is still being verified. Try again shortly.',
  { retryAfterSeconds: 2, hasSeveralStatuses: true },
)

/** Returns the response if this call verified the upload, or undefined if another caller holds the lease. */
async function verifyOnce<T>(call: Call, upload: PendingUpload, steps: Steps<T>): Promise<T | undefined> {
  const { db, storage, log, metrics, config } = call
  await recordUploadActivity(db, upload, config.uploadTtlHours)
  const chosen = await chooseStoredParts(call, upload, steps.chunks).catch(async (error: unknown) => {
    // While another caller seals the parts, they appear to be missing. The state is read again to detect this case.
    const current = await requirePendingUpload(db, call.actor, upload.id)
    if (current.state === 'requested' || current.lease_has_lapsed) throw error
    return undefined
  })
  if (chosen === undefined) return undefined
  const files: ChosenFile[] = upload.files.map((file) => ({
    file,
    parts: chosen.find(({ fileId }) => fileId === file.id)?.parts ?? [],
  }))
  const releases = files.map(({ file, parts }) => storage.protect(file.object_key, parts))
  const leaseId = uuidV7()
  const renewal = setInterval(() => {
    renewLease(db, upload.id, leaseId).catch((error: unknown) =>
      log.warn({ err: error, upload: upload.id }, 'could not renew the lease of an upload'),
    )
  }, renewEveryMs)
  try {
    if (!(await acquireLease(db, upload.id, leaseId, chosen))) return undefined
    // From now on, the composition cannot be replaced.
    for (const one of files)
      if (one.file.new_bytes !== null) one.composition = await findComposition(db, one.file.id)
    const checksums = await steps.check?.(files, upload)
    const sealed: SealedFile[] = []
    for (const { file, parts, composition } of files) {
      const object = await storage.seal(file.object_key, file.multipart_id ?? '', parts, composition)
      sealed.push({ file, object: { ...object, ...checksums?.get(file.id) } })
    }
    await steps.read?.(sealed, upload)
    const finished = await inTransaction(db, async (tx) => {
      const leased = await lockLease(tx, upload.id, leaseId)
      if (leased === undefined) return undefined
      const result = await steps.insert(tx, { ...upload, stream_id: leased.stream_id }, sealed)
      return (await markUploadVerified(tx, upload.id, leaseId, result)) ? result : undefined
    })
    if (finished === undefined) return undefined
    for (const { object } of sealed) void storage.prune(object)
    const sizeBytes = sealed.reduce((sum, { object }) => sum + object.sizeBytes, 0)
    metrics.recordVerifiedUpload({ kind: upload.kind, sizeBytes })
    return finished.response
  } catch (error) {
    const released = releaseLeaseWithRetries(call, upload.id, leaseId)
    // While the database is unavailable or full, the retries run in the background instead of delaying the response.
    const isRejected =
      error instanceof Problem && (error.kind === 'unavailable' || error.code === 'database.out_of_space')
    if (!isRejected) await released
    throw error
  } finally {
    for (const release of releases) release()
    clearInterval(renewal)
  }
}

/**
 * Releases the lease, with retries until it would have expired, so that the next verify call rarely has to wait for the
 * lease to expire.
 */
async function releaseLeaseWithRetries({ db }: Call, id: string, leaseId: string): Promise<void> {
  for (let pausedMs = 0; pausedMs < leaseSeconds * 1000; pausedMs += releaseRetryMs) {
    const isDone = await releaseLease(db, id, leaseId).then(
      () => true,
      () => false,
    )
    if (isDone) return
    await pause(releaseRetryMs, undefined, { ref: false })
  }
}

async function chooseStoredParts(
  { storage }: Call,
  upload: PendingUpload,
  chunks: ListedChunk[] | undefined,
) {
  const files = await Promise.all(
    upload.files.map(async (file) => ({ ...file, ...(await listStoredParts(storage, file)) })),
  )
  const choice = chooseParts(files, chunks)
  if ('chosen' in choice) return choice.chosen
  // The service was killed after it sealed the files and before it committed. No other list can change them.
  if (files.every(({ isSealed }) => isSealed))
    return files.map(({ id, staged }): ChosenParts[number] => ({ fileId: id, parts: staged }))
  throw incomplete({ reason: choice.message }, { errors: choice.errors })
}

const incomplete = problem('bad_request', 'upload.incomplete', '{reason}')

const isMetadataUpload = problem(
  'bad_request',
  'upload.wrong_kind',
  'This is a metadata upload. Verify it at `/upload/metadata/verify`.',
)

const isBuildUpload = problem(
  'bad_request',
  'upload.wrong_kind',
  'This is a build upload. Verify it at `/upload/verify`.',
)

/** The errors of every endpoint that verifies an upload. */
export const verifyProblems = [
  uploadAborted,
  uploadExpired,
  isMetadataUpload,
  isBuildUpload,
  stillVerifying,
  incomplete,
  partMissing,
  partTooSmall,
  ...damageProblems,
  ...storageProblems,
]
