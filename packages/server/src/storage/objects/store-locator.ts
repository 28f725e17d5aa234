import type { SealedObject, StagedPart, StorageDriver } from '../driver.ts'
import { parsePartName } from '../local/local-layout.ts'

/** Finds the store of a file while files are copied from one store to another. */
export type StoreLocator = {
  /** Returns the store to which the manifest belongs. */
  ofObject(object: SealedObject): Promise<StorageDriver>
  /** Returns the store that contains the chosen attempts, or the object that was sealed from them. */
  ofParts(key: string, multipartId: string, chosen: StagedPart[]): Promise<StorageDriver>
  /** Returns the store in which a multipart upload was opened. */
  ofUpload(key: string, multipartId: string): Promise<StorageDriver>
  /** Returns the ID of the upload in this store, or '' if it was not opened there. */
  idFor(driver: StorageDriver, multipartId: string): string
}

const isLocal = (name: string): boolean => parsePartName(name) !== undefined

/** Locates files in a folder and a bucket. The names of parts and segments show which of them has created a file. */
export function locateByName({ local, s3 }: { local: StorageDriver; s3: StorageDriver }): StoreLocator {
  const of = (name = '') => (isLocal(name) ? local : s3)
  // Only S3 has multipart IDs.
  const ofId = (multipartId: string) => (multipartId === '' ? local : s3)
  return {
    ofObject: async ({ segments }) => of(segments[0]?.name),
    ofParts: async (_key, _multipartId, [first]) => of(first?.name),
    ofUpload: async (_key, multipartId) => ofId(multipartId),
    idFor: (driver, multipartId) => (driver === ofId(multipartId) ? multipartId : ''),
  }
}

type Buckets = {
  current: StorageDriver
  previous: StorageDriver
  /** Returns whether the current bucket has this unfinished upload. */
  hasUpload: (key: string, multipartId: string) => Promise<boolean>
}

const maxKnownUploads = 1_000

/**
 * Locates files in two buckets. The current bucket is used for an object that it contains with the ETag in the manifest:
 * the ETag is an MD5, or a copy has it only once the manifest has been replaced.
 */
export function locateByEtag({ current, previous, hasUpload }: Buckets): StoreLocator {
  const uploads = new Map<string, Promise<StorageDriver>>()

  const findUpload = async (key: string, multipartId: string): Promise<StorageDriver> =>
    (await hasUpload(key, multipartId)) ? current : previous

  /** Remembers the result, because the URLs of up to 10,000 parts are requested for an upload. */
  async function ofUpload(key: string, multipartId: string): Promise<StorageDriver> {
    const known = uploads.get(multipartId) ?? findUpload(key, multipartId)
    uploads.set(multipartId, known)
    const [oldest] = uploads.keys()
    if (uploads.size > maxKnownUploads && oldest !== undefined) uploads.delete(oldest)
    try {
      return await known
    } catch (error) {
      uploads.delete(multipartId)
      throw error
    }
  }

  return {
    async ofObject({ key, sizeBytes, segments }) {
      const found = await current.findSealed(key)
      const isCurrent = found?.sizeBytes === sizeBytes && found.segments[0]?.name === segments[0]?.name
      return isCurrent ? current : previous
    },
    async ofParts(key, multipartId, [first]) {
      if ((await current.findSealed(key)) !== undefined) return current
      if (first?.partNumber !== 0) return ofUpload(key, multipartId)
      const staged = await current.listStaged(key, '')
      return staged.some(({ name }) => name === first.name) ? current : previous
    },
    ofUpload,
    idFor: (_driver, multipartId) => multipartId,
  }
}
