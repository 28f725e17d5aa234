import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import type { S3Settings } from '../../config/storage.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SealedObject, StorageDriver } from '../driver.ts'
import { createHashPool } from '../objects/hashing.ts'
import { hashChunks, objectChecksums } from './s3-checksums.ts'
import { createS3Calls, type CreateAgents, type S3Calls } from './s3-client.ts'
import { canCopy, copyWithinStore } from './s3-copy.ts'
import { toS3Problem, translateS3Errors } from './s3-errors.ts'
import { createS3Identity } from './s3-identity.ts'
import { s3Layout, type S3Layout } from './s3-layout.ts'
import { deleteQuarantinedKey, listKeys, listQuarantined, quarantineKey, restoreKey } from './s3-listing.ts'
import { deleteObject, findObject, hasUpload, putText } from './s3-objects.ts'
import { readObject, requireComplete } from './s3-read.ts'
import { sendPart } from './s3-relay.ts'
import { describeObject, sealChosen } from './s3-seal.ts'
import {
  abortUnused,
  abortUploads,
  discardAttempt,
  discardStaged,
  listStaged,
  openUpload,
} from './s3-staging.ts'
import { storeContent } from './s3-store.ts'
import { sweepStaging, type FindCompletedUpload } from './s3-sweep.ts'
import { clientOrigin, createS3Urls } from './s3-urls.ts'

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
/** The URLs of up to 10,000 parts of an upload are requested within a short time. */
const uploadRecheckMs = 30_000
const maxUploadsSeen = 1_000
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
  const urls = createS3Urls(calls.signingClient, settings)
  const hashes = createHashPool({ threadsPerDigest: Math.min(Math.ceil(availableParallelism() / 2), 4) })
  const identity = createS3Identity(store, settings)
  let clientOrigins: Promise<string[]> | undefined

  const listOrigins = async (): Promise<string[]> => [
    await clientOrigin({ ...settings, endpoint: settings.publicEndpoint ?? settings.endpoint }),
  ]

  const sweep = () => translateS3Errors(sweepStaging(store, clock.now(), findCompletedUpload))
  let sweeping = Promise.resolve()
  const sweepLater = (): void => {
    sweeping = sweeping.then(sweep).catch((error: unknown) => {
      log.warn({ err: error }, 'could not sweep staged files')
    })
  }
  const timer = sweepsItself ? setInterval(sweepLater, sweepIntervalMs).unref() : undefined

  // Upload requests and /readyz share the outcomes, so that they agree.
  const checkReadable = rememberOutcome(() => identity.findId(), readCheckIntervalMs)
  const checkWritable = rememberOutcome(() => putText(calls, layout.check, '.'), writeCheckIntervalMs)

  return {
    ...stagingOperations(store, log),

    ...quarantineOperations(store),

    signPut: (file, { expiresInSeconds }) => urls.signPut(layout.staging(file.key), file, expiresInSeconds),

    // S3 has no fixed size, but may be unable to receive files.
    async requireSpace() {
      await translateS3Errors(Promise.all([checkReadable(), checkWritable()]))
    },
    findCapacity: async () => undefined,

    signPart: (file, part) => urls.signPart(layout.objects(file.key), part),

    // Clients send their files directly to S3.
    receivedBytes: () => 0,

    async findSealed(key) {
      const found = await translateS3Errors(findObject(calls, layout.objects(key)))
      return found && describeObject(key, found)
    },

    // S3 keeps only the last attempt at a part, and refuses to seal one that was replaced.
    protect: () => () => {},

    store: (key, content) => translateS3Errors(storeContent(store, key, content)),

    async *read(object, range) {
      try {
        yield* readObject(calls, layout.objects(object.key), object, range)
      } catch (error) {
        throw toS3Problem(error)
      }
    },

    requireComplete: (object) =>
      translateS3Errors(requireComplete(calls, layout.objects(object.key), object)),

    checksums: (object, options) =>
      translateChecksumErrors(
        objectChecksums({ calls, hashes }, layout.objects(object.key), object, options),
        options?.signal,
      ),

    // The parts of a multipart upload cannot be read before it is completed.
    async checksumsOfStaged(key, _multipartId, chosen, { signal } = {}) {
      const [whole] = chosen
      if (whole?.partNumber !== 0) return undefined
      const { etag: name, sizeBytes } = whole
      const object = { key, sizeBytes, segments: [{ name, sizeBytes }] }
      const chunks = readObject(calls, layout.staging(key), object)
      return translateChecksumErrors(hashChunks(hashes, sizeBytes, chunks, signal), signal)
    },

    signGet: ({ key }, download) => urls.signGet(layout.objects(key), download),

    remove: ({ key }) => translateS3Errors(deleteObject(calls, layout.objects(key))),

    listClientOrigins: () => (clientOrigins ??= listOrigins()),

    identity,

    check: () => translateS3Errors(checkWritable()),

    sweep,

    async copyFrom(from, object) {
      if (!canCopy(from, settings)) return undefined
      const isCopied = await translateS3Errors(copyWithinStore(store, from, object))
      const copy = isCopied
        ? await translateS3Errors(findObject(calls, layout.objects(object.key)))
        : undefined
      if (copy?.sizeBytes !== object.sizeBytes) return undefined
      // A store may keep the ETag of a multipart upload, and with it the meaning of the parts.
      const isSame = copy.etag === object.segments[0]?.name
      return { ...describeObject(object.key, copy), ...(isSame && { segments: object.segments }) }
    },

    async close() {
      clearInterval(timer)
      await hashes.close()
      calls.close()
    },
  }
}

type Store = { calls: S3Calls; layout: S3Layout }

/** Returns the operations on uploads that are not sealed. */
function stagingOperations(store: Store, log: S3DriverOptions['log']) {
  const { calls, layout } = store
  const uploadsSeenMs = new Map<string, number>()
  return {
    openMultipart: (file) => translateS3Errors(openUpload(store, file)),

    storePart: (key, part, body) => translateS3Errors(sendPart(store, key, part, body)),

    async hasMultipart(key, multipartId) {
      const now = performance.now()
      if (now - (uploadsSeenMs.get(multipartId) ?? -Infinity) < uploadRecheckMs) return true
      if (!(await translateS3Errors(hasUpload(calls, layout.objects(key), multipartId)))) return false
      if (uploadsSeenMs.size >= maxUploadsSeen) uploadsSeenMs.clear()
      uploadsSeenMs.set(multipartId, now)
      return true
    },

    abortMultipart: (key, multipartId) => translateS3Errors(abortUnused(store, key, multipartId)),

    listStaged: (key, multipartId) => translateS3Errors(listStaged(store, key, multipartId)),

    seal: (key, multipartId, chosen) => translateS3Errors(sealChosen(store, key, multipartId, chosen)),

    discard: (key, multipartId) => translateS3Errors(discardStaged(store, key, multipartId)),

    async prune({ key }) {
      try {
        await deleteObject(calls, layout.staging(key))
      } catch (error) {
        log.warn({ err: error, key }, 'could not delete a staged file')
      }
    },

    discardPart: (key, _multipartId, name) => translateS3Errors(discardAttempt(store, key, name)),

    abortUploads: () => translateS3Errors(abortUploads(store)),

    hasUpload: (key, multipartId) => translateS3Errors(hasUpload(calls, layout.objects(key), multipartId)),
  } satisfies Partial<S3Driver>
}

/** Returns the operations that find files without an owner and set them aside. */
const quarantineOperations = (store: Store) =>
  ({
    listKeys: (query) => translated(listKeys(store, query)),

    quarantine: (found, at) => translateS3Errors(quarantineKey(store, found, at)),

    listQuarantined: () => translated(listQuarantined(store)),

    restore: (found) => translateS3Errors(restoreKey(store, found)),

    deleteQuarantined: (found) => translateS3Errors(deleteQuarantinedKey(store, found)),
  }) satisfies Partial<S3Driver>

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

/** Awaits checksums. Throws the abort reason unchanged. */
async function translateChecksumErrors<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work
  } catch (error) {
    signal?.throwIfAborted()
    throw toS3Problem(error)
  }
}

async function* translated<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    throw toS3Problem(error)
  }
}
