import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DiskReserve } from '../../config/files.ts'
import type { Clock } from '../../lib/clock.ts'
import { noMetrics, type Metrics } from '../../lib/metrics.ts'
import { createTurns } from '../../lib/turns.ts'
import { maxPutUrlSeconds, type SealedObject, type StorageDriver } from '../driver.ts'
import { createBufferPool } from '../objects/buffer-pool.ts'
import { createFreeSpace } from '../objects/free-space.ts'
import { createHashPool } from '../objects/hashing.ts'
import { objectChecksums } from '../objects/object-checksums.ts'
import { createPartWriter } from '../objects/part-writer.ts'
import { toProblem, translateErrors } from '../storage-errors.ts'
import { attachmentDisposition, safeContentType } from '../transfer/content-disposition.ts'
import type { StallLimit } from '../transfer/request-body.ts'
import { defaultStallLimit, maxSendsPerIteration } from '../transfer/send-chunks.ts'
import { createSendWindows } from '../transfer/send-windows.ts'
import { createUrlSigner, type Claims } from '../transfer/signed-url.ts'
import { createAccelerate, shareStorageFolder } from './acceleration.ts'
import { createAttempts } from './attempts.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { serveStorage } from './local-endpoint.ts'
import { checkWritable, listAttempts, listKeys, removeFolder, sweepTemporary } from './local-folders.ts'
import { createLocalIdentity } from './local-identity.ts'
import { localLayout, prepareFolders } from './local-layout.ts'
import { findSealed, pruneParts, sealKey, storeContent } from './local-objects.ts'
import { deleteQuarantinedKey, listQuarantinedKeys, quarantineKey, restoreKey } from './local-quarantine.ts'
import { readObject, requireSegments } from './local-reader.ts'
import { stagePart } from './local-staging.ts'
import { closeStaging, sweepTombstones } from './local-tombstone.ts'
import { createOpenPuts, type OpenPutLimits } from './open-puts.ts'

export type LocalDriverOptions = {
  /** The storage folder, created if missing. Several servers may share it. */
  directory: string
  publicUrl: string
  /** The configured master secret. */
  secret: string
  /** The master secret before the last change; URLs signed with it stay valid. */
  previousSecret?: string | undefined
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Default: transfers are not counted. */
  metrics?: Metrics
  /** Returns the manifest that downloads of a sealed key are served from, or undefined if it no longer exists. */
  findObject: (key: string) => Promise<SealedObject | undefined>
  /** Space to keep free on the disk. Default: 5% of the disk, at least 512 MiB and at most 20 GiB. */
  diskReserve?: DiskReserve | undefined
  /** Number of inodes to keep free. Default: 5% of all inodes or 10,000, whichever is fewer. */
  reservedFreeFiles?: number
  /** Limits on concurrent PUTs. */
  openPutLimits?: OpenPutLimits
  /** Limits on concurrent disk calls; their sum must be less than the number of libuv threads. */
  diskLimits?: { reads: number; writes: number }
  /**
   * Whether this is the only process that uses the folder. If so, everything in tmp/ is left over from an earlier run.
   */
  isSoleUser?: boolean
  /** The minimum transfer rate. Slower clients are disconnected. Default: 1 KiB/s over a minute. */
  stallLimit?: StallLimit
  /** The nginx `internal` location that serves the storage folder, such as `/internal/`. Default: off. */
  accelRedirectPrefix?: string | undefined
  /** The group whose permissions nginx uses to read files. Default: permissions are not changed. */
  groupId?: number | undefined
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export type LocalDriver = StorageDriver & {
  /** Handles the `request` event of a node:http server for paths under `/storage/`. */
  handle: RequestHandler
  /** Handles the `checkContinue` event, so that an upload can be rejected before its body is sent. */
  handleContinue: RequestHandler
  close(): Promise<void>
}

// Measured: buffers of 512 KiB reach at least 95% of the speed of 1 MiB buffers, and 16 concurrent transfers use less
// than 32 MB.
const largeBufferBytes = 512 * 1024
const maxLargeBuffers = 48
/**
 * A temporary file that has not changed for this long is considered abandoned. An active upload writes more often,
 * because even a client at the minimum rate fills a buffer within 9 minutes.
 */
const staleAfterSeconds = 3600
/**
 * How long the tombstone of an aborted upload is kept: longer than any signed URL is valid. A tombstone is also kept
 * while this process receives a PUT for its upload.
 */
const tombstoneSeconds = maxPutUrlSeconds + 24 * 60 * 60

/** Opens the storage folder, creating it if missing, and starts sweeping its temporary files. */
export async function createLocalDriver(options: LocalDriverOptions): Promise<LocalDriver> {
  const { clock, log, groupId, accelRedirectPrefix: prefix } = options
  const layout = localLayout(options.directory, options.diskLimits)
  await translateErrors(prepareFolders(layout))
  if (groupId !== undefined) await translateErrors(shareStorageFolder(layout, groupId))
  const openPuts = createOpenPuts(layout, options.openPutLimits)
  const secondsAgo = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000)
  const sweep = async (temporaryUnchangedSince: Date | undefined): Promise<void> => {
    try {
      await sweepTemporary(layout, temporaryUnchangedSince)
      await sweepTombstones(layout, { createdBefore: secondsAgo(tombstoneSeconds), inUse: openPuts.has })
    } catch (error) {
      log.warn({ err: error }, 'could not sweep temporary files')
    }
  }
  await sweep(options.isSoleUser === true ? undefined : secondsAgo(staleAfterSeconds))
  const sweepTimer = setInterval(
    () => void sweep(secondsAgo(staleAfterSeconds)),
    staleAfterSeconds * 1000,
  ).unref()

  const signer = createUrlSigner(options)
  const buffers = createBufferPool({ largeBufferBytes, maxLargeBuffers })
  const hashes = createHashPool({ threadsPerDigest: Math.min(Math.ceil(availableParallelism() / 2), 4) })
  const space = createFreeSpace({
    layout,
    reserve: options.diskReserve,
    reservedFiles: options.reservedFreeFiles,
  })
  const writer = createPartWriter({ buffers, hashes, space, writing: layout.writing })
  const attempts = createAttempts(layout)
  const context: EndpointContext = {
    layout,
    signer,
    writer,
    attempts,
    openPuts,
    buffers,
    sendTurns: createTurns(maxSendsPerIteration),
    sendWindows: createSendWindows(),
    clock,
    log,
    metrics: options.metrics ?? noMetrics,
    stallLimit: options.stallLimit ?? defaultStallLimit,
    findObject: options.findObject,
    accelerate: prefix === undefined ? undefined : createAccelerate({ layout, prefix, groupId, log }),
  }
  return {
    ...signOperations(context),

    ...readOperations({ layout, buffers, hashes }),

    ...quarantineOperations(layout),

    requireSpace: (_key, sizeBytes) => translateErrors(space.require(sizeBytes)),

    findCapacity: () => translateErrors(space.measure()),

    openMultipart: async () => '',

    hasMultipart: async () => true,
    abortMultipart: async () => {},

    async storePart(key, { partNumber, sizeBytes }, body) {
      return (await translateErrors(stagePart(context, { key, partNumber, sizeBytes }, body))).md5
    },

    listStaged: (key) => translateErrors(listAttempts(layout, key)),

    receivedBytes: openPuts.receivedBytes,

    seal: (key, _multipartId, chosen) => translateErrors(sealKey(context, key, chosen)),

    findSealed: (key) => translateErrors(findSealed(layout, key)),

    protect: (key, parts) =>
      attempts.protect(
        key,
        parts.map(({ name }) => name),
      ),

    async discard(key) {
      await translateErrors(closeStaging(layout, key))
      await translateErrors(openPuts.abort(key))
    },

    async prune(object) {
      try {
        await pruneParts(layout, object)
      } catch (error) {
        log.warn({ err: error, key: object.key }, 'could not delete unused parts')
      }
    },

    store: (key, content) => translateErrors(storeContent(context, key, content)),

    discardPart: (key, _multipartId, name) =>
      translateErrors(layout.writing(() => rm(join(layout.staging(key).folder, name), { force: true }))),

    remove: ({ key }) => translateErrors(removeFolder(layout, layout.objects(key))),

    listClientOrigins: async () => [],

    identity: createLocalIdentity(options.directory),

    check: () => translateErrors(checkWritable(layout)),

    handle: (request, response) => void serveStorage(context, request, response, { expectsContinue: false }),

    handleContinue: (request, response) =>
      void serveStorage(context, request, response, { expectsContinue: true }),

    async close() {
      clearInterval(sweepTimer)
      await hashes.close()
    },
  }
}

/** Returns the operations that create signed URLs. */
function signOperations({ signer, clock }: Pick<EndpointContext, 'signer' | 'clock'>) {
  const sign = (claims: Claims, expiresInSeconds: number): string => {
    if (claims.method === 'PUT' && expiresInSeconds > maxPutUrlSeconds)
      throw new RangeError(`a PUT URL can be valid for at most ${maxPutUrlSeconds} s`)
    return signer.sign(claims, Math.floor(clock.now().getTime() / 1000) + expiresInSeconds)
  }
  return {
    async signPut({ key, sizeBytes, filename, contentType }, { expiresInSeconds, callerId = '' }) {
      return {
        url: sign({ method: 'PUT', key, partNumber: 0, sizeBytes, callerId }, expiresInSeconds),
        headers: {
          'Content-Type': safeContentType(contentType),
          'Content-Length': String(sizeBytes),
          'Content-Disposition': attachmentDisposition(filename),
          'x-amz-acl': 'private',
        },
      }
    },

    async signPart({ key }, { partNumber, sizeBytes, expiresInSeconds, callerId = '' }) {
      return sign({ method: 'PUT', key, partNumber, sizeBytes, callerId }, expiresInSeconds)
    },

    async signGet({ key }, { filename, contentType, expiresInSeconds }) {
      return sign({ method: 'GET', key, filename: filename.toWellFormed(), contentType }, expiresInSeconds)
    },
  } satisfies Partial<LocalDriver>
}

type Reading = Parameters<typeof objectChecksums>[0] & Pick<EndpointContext, 'layout' | 'buffers'>

/** Returns the operations that read stored and staged files. */
function readOperations(reading: Reading) {
  const { layout, buffers } = reading
  return {
    async *read(object, range) {
      try {
        for await (const { buffer, length } of readObject(layout, object, range, buffers))
          yield buffer.bytes.slice(0, length)
      } catch (error) {
        throw toProblem(error)
      }
    },

    requireComplete: (object) => translateErrors(requireSegments(layout, object)),

    checksums: (object, { signal } = {}) => translateErrors(objectChecksums(reading, object, signal)),

    checksumsOfStaged(key, _multipartId, chosen, { signal } = {}) {
      const sizeBytes = chosen.reduce((sum, part) => sum + part.sizeBytes, 0)
      return translateErrors(objectChecksums(reading, { key, sizeBytes, segments: chosen }, signal))
    },
  } satisfies Partial<LocalDriver>
}

/** Returns the operations that find files without an owner and set them aside. */
const quarantineOperations = (layout: EndpointContext['layout']) =>
  ({
    listKeys: (query) => listKeys(layout, query),

    quarantine: (found, at) => translateErrors(quarantineKey(layout, found, at)),

    listQuarantined: () => listQuarantinedKeys(layout),

    restore: (found) => translateErrors(restoreKey(layout, found)),

    deleteQuarantined: (found) => translateErrors(deleteQuarantinedKey(layout, found)),
  }) satisfies Partial<LocalDriver>
