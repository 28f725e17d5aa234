import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { maxPutUrlSeconds, type StorageDriver } from '../driver.ts'
import { objectChecksums } from '../objects/object-checksums.ts'
import { toProblem, translateErrors } from '../storage-errors.ts'
import { attachmentDisposition, safeContentType } from '../transfer/content-disposition.ts'
import type { Claims } from '../transfer/signed-url.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { listAttempts, listKeys } from './local-folders.ts'
import { composeChosen, pruneParts, sealKey } from './local-objects.ts'
import { deleteQuarantinedKey, listQuarantinedKeys, quarantineKey, restoreKey } from './local-quarantine.ts'
import { readObject, requireSegments } from './local-reader.ts'
import { stagePart } from './local-staging.ts'
import { closeStaging } from './local-tombstone.ts'

/** Returns the operations that create signed URLs. */
export function signOperations({ signer, clock }: Pick<EndpointContext, 'signer' | 'clock'>) {
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
  } satisfies Partial<StorageDriver>
}

type Reading = Parameters<typeof objectChecksums>[0] & Pick<EndpointContext, 'layout' | 'buffers'>

/** Returns the operations that read stored and staged files. */
export function readOperations(reading: Reading) {
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

    checksumsOfStaged(key, _multipartId, chosen, { signal, composition } = {}) {
      const sizeBytes = chosen.reduce((sum, part) => sum + part.sizeBytes, 0)
      const object =
        composition === undefined
          ? { key, sizeBytes, segments: chosen }
          : composeChosen(key, chosen, composition)
      return translateErrors(objectChecksums(reading, object, signal))
    },
  } satisfies Partial<StorageDriver>
}

/** Returns the operations on uploads that are not sealed. */
export function stagingOperations(context: EndpointContext) {
  const { layout, attempts, openPuts, log } = context
  return {
    openMultipart: async () => '',

    hasMultipart: async () => true,
    abortMultipart: async () => {},

    async storePart(key, { partNumber, sizeBytes }, body) {
      return (await translateErrors(stagePart(context, { key, partNumber, sizeBytes }, body))).md5
    },

    listStaged: (key) => translateErrors(listAttempts(layout, key)),

    receivedBytes: openPuts.receivedBytes,

    canCompose: async () => true,

    seal: (key, _multipartId, chosen, composition) =>
      translateErrors(sealKey(context, key, chosen, composition)),

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

    discardPart: (key, _multipartId, name) =>
      translateErrors(layout.writing(() => rm(join(layout.staging(key).folder, name), { force: true }))),
  } satisfies Partial<StorageDriver>
}

/** Returns the operations that find files without an owner and set them aside. */
export const quarantineOperations = (layout: EndpointContext['layout']) =>
  ({
    listKeys: (query) => listKeys(layout, query),

    quarantine: (found, at) => translateErrors(quarantineKey(layout, found, at)),

    listQuarantined: () => listQuarantinedKeys(layout),

    restore: (found) => translateErrors(restoreKey(layout, found)),

    deleteQuarantined: (found) => translateErrors(deleteQuarantinedKey(layout, found)),
  }) satisfies Partial<StorageDriver>
