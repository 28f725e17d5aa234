import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Call } from '../../http/endpoint.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import type { SealedObject } from '../../storage/driver.ts'
import { chooseParts, type ListedChunk } from './choose-parts.ts'
import { requirePendingUpload, updateUploadActivity } from './pending-upload.db.ts'
import type { PendingFile, PendingUpload } from './pending-upload.ts'
import {
  lockLease,
  updateLeaseReleased,
  updateLeaseRenewed,
  updateUploadLeased,
  updateUploadVerified,
  type ChosenParts,
} from './upload-lease.db.ts'
import { requireAlive } from './upload-state.ts'

export type SealedFile = { file: PendingFile; object: SealedObject }

type Steps<T> = {
  kind: PendingUpload['kind']
  chunks: ListedChunk[] | undefined
  /** The answer of an upload that is verified already. */
  existing: (upload: PendingUpload) => Promise<T>
  /** Runs with the sealed bytes, outside any transaction. */
  prepare?: (files: SealedFile[]) => Promise<SealedFile[]>
  /** Inserts what the upload becomes. */
  insert: (tx: Tx, upload: PendingUpload, files: SealedFile[]) => Promise<Finished<T>>
}

export type Finished<T> = { buildId: string; artifactId: string | null; answer: T }

const waitMs = 25_000
const shortestPollMs = 40
const longestPollMs = 1_000
const renewEveryMs = 3_000
const releaseEveryMs = 250
const leaseMs = 10_000

/**
 * Verifies an upload once, however many ask at the same time and wherever the service is killed: one caller holds
 * a lease, seals the bytes and commits; the others wait and answer the same.
 */
export async function finishUpload<T>(call: Call, id: string, steps: Steps<T>): Promise<T> {
  const deadline = performance.now() + waitMs
  let hasWaited = false
  for (let pollMs = shortestPollMs; ; pollMs = Math.min(pollMs * 1.5, longestPollMs)) {
    const upload = await requirePendingUpload(call.db, call.actor, id)
    if (upload.kind !== steps.kind) throw wrongKind(upload.kind)
    if (upload.state === 'verified') return steps.existing(upload)
    requireAlive(upload)
    // once: whoever comes after a failure has to find out by itself, with its own list of parts
    const shared = hasWaited ? undefined : await call.inFlight.outcome(upload.id)
    hasWaited = true
    if (shared !== undefined) return shared as T
    if (upload.state === 'requested' || upload.lease_has_lapsed) {
      const answer = await call.inFlight.run(upload.id, () => verifyOnce(call, upload, steps))
      if (answer !== undefined) return answer
    }
    if (performance.now() > deadline)
      throw new Problem(
        'unavailable',
        'upload.verifying',
        'This upload is still being verified. Ask again.',
        {
          retryAfterSeconds: 2,
        },
      )
    await pause(pollMs)
  }
}

/** The answer when this call verified the upload; undefined when another has the lease. */
async function verifyOnce<T>(call: Call, upload: PendingUpload, steps: Steps<T>): Promise<T | undefined> {
  const { db, storage, log, config } = call
  await updateUploadActivity(db, upload, config.uploadTtlHours)
  const chosen = await choose(call, upload, steps.chunks).catch(async (error: unknown) => {
    // another caller seals while this one looks: then what is seen says nothing
    const now = await requirePendingUpload(db, call.actor, upload.id)
    if (now.state === 'requested' || now.lease_has_lapsed) throw error
    return undefined
  })
  if (chosen === undefined) return undefined
  const leaseId = uuidV7()
  const renewal = setInterval(() => {
    updateLeaseRenewed(db, upload.id, leaseId).catch((error: unknown) =>
      log.warn({ err: error, upload: upload.id }, 'could not renew the lease of an upload'),
    )
  }, renewEveryMs)
  try {
    if (!(await updateUploadLeased(db, upload.id, leaseId, chosen))) return undefined
    const sealed: SealedFile[] = []
    for (const file of upload.files) {
      const parts = chosen.find(({ fileId }) => fileId === file.id)?.parts ?? []
      sealed.push({ file, object: await storage.seal(file.object_key, file.multipart_id ?? '', parts) })
    }
    const prepared = (await steps.prepare?.(sealed)) ?? sealed
    const finished = await inTransaction(db, async (tx) => {
      const leased = await lockLease(tx, upload.id, leaseId)
      if (leased === undefined) return undefined
      const made = await steps.insert(tx, { ...upload, stream_id: leased.stream_id }, prepared)
      return (await updateUploadVerified(tx, upload.id, leaseId, made)) ? made : undefined
    })
    if (finished === undefined) return undefined
    for (const { object } of prepared) void storage.prune(object)
    return finished.answer
  } catch (error) {
    const released = releaseLease(call, upload.id, leaseId)
    // nobody waits for a database that is away
    if (!(error instanceof Problem && error.kind === 'unavailable')) await released
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Tries until the lease would lapse by itself: once the database is back nobody has to wait for that. */
async function releaseLease({ db }: Call, id: string, leaseId: string): Promise<void> {
  for (let pausedMs = 0; pausedMs < leaseMs; pausedMs += releaseEveryMs) {
    const isDone = await updateLeaseReleased(db, id, leaseId).then(
      () => true,
      () => false,
    )
    if (isDone) return
    await pause(releaseEveryMs, undefined, { ref: false })
  }
}

async function choose({ storage }: Call, upload: PendingUpload, chunks: ListedChunk[] | undefined) {
  const files = await Promise.all(
    upload.files.map(async (file) => ({
      ...file,
      staged: await storage.listStaged(file.object_key, file.multipart_id ?? ''),
    })),
  )
  const choice = chooseParts(files, chunks)
  if ('chosen' in choice) return choice.chosen
  // a service that was killed between seal and commit may have left nothing to list
  const kept: ChosenParts = upload.files.map((file) => ({ fileId: file.id, parts: file.chosen_parts ?? [] }))
  const nothingListed = files.some(
    ({ staged }, index) => staged.length === 0 && (kept[index]?.parts.length ?? 0) > 0,
  )
  if (nothingListed && kept.every(({ parts }) => parts.length > 0)) return kept
  throw new Problem('bad_request', 'upload.incomplete', choice.message, { errors: choice.errors })
}

const wrongKind = (kind: PendingUpload['kind']): Problem =>
  new Problem(
    'bad_request',
    'upload.wrong_kind',
    kind === 'metadata'
      ? 'This is a metadata upload: verify it at /upload/metadata/verify.'
      : 'This is the upload of a build: verify it at /upload/verify.',
  )
