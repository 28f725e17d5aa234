import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import type { S3Settings } from '../../config/storage.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SealedObject, StorageDriver } from '../driver.ts'
import { createHashPool } from '../objects/hashing.ts'
import { createS3Calls, type CreateAgents } from './s3-client.ts'
import { canCopy, copyWithinStore } from './s3-copy.ts'
import { translateS3Errors } from './s3-errors.ts'
import { createS3Identity } from './s3-identity.ts'
import { s3Layout } from './s3-layout.ts'
import { deleteObject, findObject, hasUpload, putText } from './s3-objects.ts'
import { quarantineOperations, readOperations, stagingOperations, urlOperations } from './s3-operations.ts'
import { describeObject, type S3Store } from './s3-seal.ts'
import { abortUploads } from './s3-staging.ts'
import { storeContent } from './s3-store.ts'
import { sweepStaging, type FindCompletedUpload } from './s3-sweep.ts'

type S3DriverOptions = {
  settings: S3Settings
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'warn'>
  createAgents?: CreateAgents
  /** Without it, `sweep` aborts only empty multipart uploads of sealed keys. */
  findCompletedUpload?: FindCompletedUpload
  /** Whether the driver calls `sweep` every hour; true by default. */
  sweepsItself?: boolean
}

export type S3Driver = StorageDriver & {
  /** Deletes bytes that arrived for keys that accept no more bytes. Runs every hour. */
  sweep(): Promise<void>
  /** Aborts every unfinished multipart upload. The caller must be the only user of the bucket and its prefix. */
  abortUploads(): Promise<void>
  /** Returns whether a multipart upload that was opened for the key is unfinished. */
  hasUpload(key: string, multipartId: string): Promise<boolean>
  /**
   * Copies an object from another bucket within the store. Returns undefined if that is not possible, for example
   * because the buckets are in different stores.
   */
  copyFrom(from: S3Settings, object: SealedObject): Promise<SealedObject | undefined>
  close(): Promise<void>
}

const sweepIntervalMs = 60 * 60 * 1000
/** A health check writes at most this often, because S3 charges for writes. */
const writeCheckIntervalMs = 30_000
const readCheckIntervalMs = 1_000
const failedCheckMs = 1_000

/** Opens a driver for a bucket. Makes no call until it is used. */
export function createS3Driver({
  settings,
  clock,
  log,
  createAgents,
  findCompletedUpload = async () => undefined,
  sweepsItself = true,
}: S3DriverOptions): S3Driver {
  const calls = createS3Calls(settings, createAgents)
  const layout = s3Layout(settings.prefix)
  const store = { calls, layout }
  const hashes = createHashPool({ threadsPerDigest: Math.min(Math.ceil(availableParallelism() / 2), 4) })
  const identity = createS3Identity(store, settings)

  const sweep = () => translateS3Errors(sweepStaging(store, clock.now(), findCompletedUpload))
  const timer = sweepsItself ? sweepRegularly(sweep, log) : undefined

  // Upload requests and /readyz share the outcomes, so that they agree.
  const checkReadable = rememberOutcome(() => identity.findId(), readCheckIntervalMs)
  const checkWritable = rememberOutcome(() => putText(calls, layout.check, '.'), writeCheckIntervalMs)

  return {
    ...stagingOperations(store, log),

    ...urlOperations(store, settings),

    ...readOperations(store, hashes),

    ...quarantineOperations(store),

    // S3 has no fixed size, but may be unable to receive files.
    async requireSpace() {
      await translateS3Errors(Promise.all([checkReadable(), checkWritable()]))
    },
    findCapacity: async () => undefined,

    store: (key, content) => translateS3Errors(storeContent(store, key, content)),

    remove: ({ key }) => translateS3Errors(deleteObject(calls, layout.objects(key))),

    identity,

    check: () => translateS3Errors(checkWritable()),

    sweep,

    abortUploads: () => translateS3Errors(abortUploads(store)),

    hasUpload: (key, multipartId) => translateS3Errors(hasUpload(calls, layout.objects(key), multipartId)),

    copyFrom: (from, object) => copyFrom(store, settings, from, object),

    async close() {
      clearInterval(timer)
      await hashes.close()
      calls.close()
    },
  }
}

/** Starts a timer that sweeps every hour, one sweep after another. */
function sweepRegularly(sweep: () => Promise<void>, log: S3DriverOptions['log']): NodeJS.Timeout {
  let sweeping = Promise.resolve()
  const sweepLater = (): void => {
    sweeping = sweeping.then(sweep).catch((error: unknown) => {
      log.warn({ err: error }, 'could not sweep staged files')
    })
  }
  return setInterval(sweepLater, sweepIntervalMs).unref()
}

async function copyFrom(
  store: S3Store,
  settings: S3Settings,
  from: S3Settings,
  object: SealedObject,
): Promise<SealedObject | undefined> {
  if (!canCopy(from, settings)) return undefined
  const { calls, layout } = store
  const isCopied = await translateS3Errors(copyWithinStore(store, from, object))
  const copy = isCopied ? await translateS3Errors(findObject(calls, layout.objects(object.key))) : undefined
  if (copy?.sizeBytes !== object.sizeBytes) return undefined
  // A store may keep the ETag of a multipart upload, and with it the meaning of the parts.
  const isSame = copy.etag === object.segments[0]?.name
  return { ...describeObject(object.key, copy), ...(isSame && { segments: object.segments }) }
}

/** Returns a function that repeats a check if it succeeded `intervalMs` ago or failed one second ago. */
function rememberOutcome(run: () => Promise<unknown>, intervalMs: number): () => Promise<void> {
  let last: { outcome: Promise<void>; validUntilMs: number } | undefined
  return () => {
    if (last !== undefined && performance.now() < last.validUntilMs) return last.outcome
    const check = { outcome: run().then(() => {}), validUntilMs: Infinity }
    const validFor = (ms: number) => () => void (check.validUntilMs = performance.now() + ms)
    check.outcome.then(validFor(intervalMs), validFor(failedCheckMs))
    last = check
    return check.outcome
  }
}
