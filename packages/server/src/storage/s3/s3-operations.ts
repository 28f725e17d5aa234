import type { Logger } from 'pino'
import type { S3Settings } from '../../config/storage.ts'
import type { StorageDriver } from '../driver.ts'
import type { HashPool } from '../objects/hashing.ts'
import { hashChunks, objectChecksums } from './s3-checksums.ts'
import { composeObject } from './s3-compose.ts'
import { toS3Problem, translateS3Errors } from './s3-errors.ts'
import { deleteQuarantinedKey, listKeys, listQuarantined, quarantineKey, restoreKey } from './s3-listing.ts'
import { deleteObject, findObject, hasUpload } from './s3-objects.ts'
import { readObject, requireComplete } from './s3-read.ts'
import { sendPart } from './s3-relay.ts'
import { describeObject, sealChosen, type S3Store } from './s3-seal.ts'
import { abortUnused, discardAttempt, discardStaged, listStaged, openUpload } from './s3-staging.ts'
import { clientOrigin, createS3Urls } from './s3-urls.ts'

/** The URLs of up to 10,000 parts of an upload are requested within a short time. */
const uploadRecheckMs = 30_000
const maxUploadsSeen = 1_000

/** Returns the operations on uploads that are not sealed. */
export function stagingOperations(store: S3Store, log: Pick<Logger, 'warn'>) {
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

    canCompose: async () => true,

    seal: (key, multipartId, chosen, composition) =>
      translateS3Errors(
        composition === undefined
          ? sealChosen(store, key, multipartId, chosen)
          : composeObject(store, key, { multipartId, chosen, composition }),
      ),

    discard: (key, multipartId) => translateS3Errors(discardStaged(store, key, multipartId)),

    async prune({ key }) {
      try {
        await deleteObject(calls, layout.staging(key))
      } catch (error) {
        log.warn({ err: error, key }, 'could not delete a staged file')
      }
    },

    discardPart: (key, _multipartId, name) => translateS3Errors(discardAttempt(store, key, name)),

    // Clients send their files directly to S3.
    receivedBytes: () => 0,

    // S3 keeps only the last attempt at a part, and refuses to seal one that was replaced.
    protect: () => () => {},
  } satisfies Partial<StorageDriver>
}

/** Returns the operations that create signed URLs. */
export function urlOperations({ calls, layout }: S3Store, settings: S3Settings) {
  const urls = createS3Urls(calls.signingClient, settings)
  let clientOrigins: Promise<string[]> | undefined

  const listOrigins = async (): Promise<string[]> => [
    await clientOrigin({ ...settings, endpoint: settings.publicEndpoint ?? settings.endpoint }),
  ]
  return {
    signPut: (file, { expiresInSeconds }) => urls.signPut(layout.staging(file.key), file, expiresInSeconds),

    signPart: (file, part) => urls.signPart(layout.objects(file.key), part),

    signGet: ({ key }, download) => urls.signGet(layout.objects(key), download),

    listClientOrigins: () => (clientOrigins ??= listOrigins()),
  } satisfies Partial<StorageDriver>
}

/** Returns the operations that read stored and staged files. */
export function readOperations({ calls, layout }: S3Store, hashes: HashPool) {
  return {
    async findSealed(key) {
      const found = await translateS3Errors(findObject(calls, layout.objects(key)))
      return found && describeObject(key, found)
    },

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

    // The parts of a multipart upload cannot be read before it is completed, and a composed file before it is sealed.
    async checksumsOfStaged(key, _multipartId, chosen, { signal, composition } = {}) {
      const [whole] = chosen
      if (whole?.partNumber !== 0 || composition !== undefined) return undefined
      const { etag: name, sizeBytes } = whole
      const object = { key, sizeBytes, segments: [{ name, sizeBytes }] }
      const chunks = readObject(calls, layout.staging(key), object)
      return translateChecksumErrors(hashChunks(hashes, sizeBytes, chunks, signal), signal)
    },
  } satisfies Partial<StorageDriver>
}

/** Returns the operations that find files without an owner and set them aside. */
export const quarantineOperations = (store: S3Store) =>
  ({
    listKeys: (query) => translated(listKeys(store, query)),

    quarantine: (found, at) => translateS3Errors(quarantineKey(store, found, at)),

    listQuarantined: () => translated(listQuarantined(store)),

    restore: (found) => translateS3Errors(restoreKey(store, found)),

    deleteQuarantined: (found) => translateS3Errors(deleteQuarantinedKey(store, found)),
  }) satisfies Partial<StorageDriver>

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
