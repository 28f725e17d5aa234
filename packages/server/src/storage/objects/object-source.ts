import type { SealedObject, StorageDriver } from '../driver.ts'

/** Returns a source that reads any range of an object. */
export function objectSource(storage: Pick<StorageDriver, 'read'>, object: SealedObject) {
  return {
    sizeBytes: object.sizeBytes,
    async read(offset: number, length: number): Promise<Buffer> {
      const chunks: Uint8Array[] = []
      const range = { start: offset, end: offset + length - 1 }
      for await (const chunk of storage.read(object, range)) chunks.push(chunk)
      return Buffer.concat(chunks, length)
    },
  }
}
