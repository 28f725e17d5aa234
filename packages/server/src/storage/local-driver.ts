import type { IncomingMessage, ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import type { Clock } from '../lib/clock.ts'
import { attachmentDisposition, safeContentType } from './content-disposition.ts'
import type { ByteRange, SealedObject, StorageDriver } from './driver.ts'
import { createFreeSpace } from './free-space.ts'
import { createHashPool } from './hashing.ts'
import { serveStorage } from './local-endpoint.ts'
import { checkWritable, listKey, listKeys, removeFolder, sweepTemporary } from './local-folders.ts'
import { localLayout, prepareFolders } from './local-layout.ts'
import { pruneParts, sealParts } from './local-objects.ts'
import { readPieces } from './local-reader.ts'
import { storeBytes } from './local-store.ts'
import { createPartWriter } from './part-writer.ts'
import { piecesOf } from './segments.ts'
import { createUrlSigner, type Claims } from './signed-url.ts'
import { createSlabPool } from './slabs.ts'
import { asProblem, translated } from './storage-errors.ts'

export type LocalDriverOptions = {
  /** The storage folder; made when absent. Several servers may share it. */
  directory: string
  publicUrl: string
  /** The master secret of the configuration. */
  secret: string
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** The manifest of a sealed key, or undefined when it is gone: what downloads are served from. */
  lookup: (key: string) => Promise<SealedObject | undefined>
  /** Bytes to keep free on the disk; by default 5 % of it or 512 MiB, whichever is more. */
  reservedFreeBytes?: number
  /** What a client must bring to be waited for; by default 1 KiB/s over a minute. */
  patience?: { windowSeconds: number; minBytesPerSecond: number }
  /** `/internal/` when nginx serves the storage folder there as an `internal` location; off by default. */
  acceleratedLocation?: string
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export type LocalDriver = StorageDriver & {
  /** Serves `/storage/…` for a node:http server's `request` event. */
  handle: RequestHandler
  /** The same for `checkContinue`: a refused upload is refused before its body is sent. */
  handleContinue: RequestHandler
  close(): Promise<void>
}

// Measured: half a MiB is within 5 % of one, and 16 transfers at once keep below 32 MB.
const slabBytes = 512 * 1024
const largeSlabs = 48
/** No upload that is still coming in leaves its file untouched this long: the slowest fills a slab in 17 minutes. */
const abandonedAfterSeconds = 3600

export async function createLocalDriver(options: LocalDriverOptions): Promise<LocalDriver> {
  const { clock, log } = options
  const layout = localLayout(options.directory)
  await translated(prepareFolders(layout))
  const sweep = () =>
    sweepTemporary(layout, { olderThanSeconds: abandonedAfterSeconds, now: clock.now() }).catch(
      (error: unknown) => log.warn({ err: error }, 'temporary files could not be swept'),
    )
  await sweep()
  const sweeping = setInterval(() => void sweep(), abandonedAfterSeconds * 1000).unref()

  const signer = createUrlSigner(options)
  const slabs = createSlabPool({ slabBytes, count: largeSlabs })
  const hashes = createHashPool({ threadsPerDigest: Math.min(Math.ceil(availableParallelism() / 2), 4) })
  const space = createFreeSpace({ folder: layout.root, reservedBytes: options.reservedFreeBytes })
  const writer = createPartWriter({ slabs, hashes, space })
  const endpoint = {
    layout,
    signer,
    writer,
    slabs,
    clock,
    log,
    patience: options.patience ?? { windowSeconds: 60, minBytesPerSecond: 1024 },
    lookup: options.lookup,
    acceleratedLocation: options.acceleratedLocation,
  }
  const sign = (claims: Claims, expiresInSeconds: number): string =>
    signer.sign(claims, Math.floor(clock.now().getTime() / 1000) + expiresInSeconds)

  const slabsOf = (object: SealedObject, range?: ByteRange) =>
    readPieces(layout.objects(object.key).folder, piecesOf(object, range), slabs)

  return {
    async signPut({ key, sizeBytes, filename, contentType }, { expiresInSeconds }) {
      return {
        url: sign({ method: 'PUT', key, partNumber: 0, sizeBytes }, expiresInSeconds),
        headers: {
          'Content-Type': safeContentType(contentType),
          'Content-Length': String(sizeBytes),
          'Content-Disposition': attachmentDisposition(filename),
          'x-amz-acl': 'private',
        },
      }
    },

    openMultipart: async () => '',

    async signPart({ key }, { partNumber, sizeBytes, expiresInSeconds }) {
      return sign({ method: 'PUT', key, partNumber, sizeBytes }, expiresInSeconds)
    },

    listStaged: (key) => translated(listKey(layout, key)),

    seal: (key, _multipartId, chosen) => translated(sealParts(layout, key, chosen)),

    discard: (key) => translated(removeFolder(layout, layout.staging(key))),

    async prune(object) {
      try {
        await pruneParts(layout, object)
      } catch (error) {
        log.warn({ err: error, key: object.key }, 'unused parts could not be deleted')
      }
    },

    store: (key, bytes) => translated(storeBytes({ layout, writer }, key, bytes)),

    async *read(object, range) {
      try {
        for await (const { bytes, length } of slabsOf(object, range)) yield bytes.slice(0, length)
      } catch (error) {
        throw asProblem(error)
      }
    },

    async checksums(object, { signal } = {}) {
      const hashing = hashes.start(object.sizeBytes)
      try {
        for await (const { memory, length } of slabsOf(object)) {
          signal?.throwIfAborted()
          await hashing.update(memory, length)
        }
        return await hashing.digest()
      } catch (error) {
        hashing.forget()
        throw asProblem(error)
      }
    },

    async signGet({ key }, { filename, contentType, expiresInSeconds }) {
      return sign({ method: 'GET', key, filename: filename.toWellFormed(), contentType }, expiresInSeconds)
    },

    remove: ({ key }) => translated(removeFolder(layout, layout.objects(key))),

    listKeys: (query) => listKeys(layout, query),

    check: () => translated(checkWritable(layout)),

    handle: (request, response) => void serveStorage(endpoint, request, response, { expectsContinue: false }),

    handleContinue: (request, response) =>
      void serveStorage(endpoint, request, response, { expectsContinue: true }),

    async close() {
      clearInterval(sweeping)
      await hashes.close()
    },
  }
}
