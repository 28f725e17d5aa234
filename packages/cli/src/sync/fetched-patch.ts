import { nodePatchTools } from '@quayside/sdk/node-patch-tools'
import { patchHeaderBytes, readPatchHeader, readPatchParts } from '@quayside/sdk/patch-format'
import type { ContentPart, PatchIndex } from '@quayside/sdk/patch-format'
import { crc32 } from '../archive/read-content.ts'
import { ReuseError } from '../reuse/reuse-context.ts'
import type { RemotePatch } from './remote-archive.ts'

/** The ranges of a patch that a client with an unpacked folder needs. */
export class FetchedPatch {
  receivedBytes = 0
  readonly #patch: RemotePatch
  readonly #signal: AbortSignal

  constructor(patch: RemotePatch, signal: AbortSignal) {
    this.#patch = patch
    this.#signal = signal
  }

  /** Fetches the index. Throws if the patch is damaged or is for other files. */
  async fetchIndex({ from, to }: { from: string; to: string }): Promise<PatchIndex> {
    if (this.#patch.sizeBytes < patchHeaderBytes) throw new ReuseError('it is damaged')
    const { indexBytes, ...files } = readPatchHeader(await this.#fetch(0, patchHeaderBytes))
    const hex = (sha256: Uint8Array) => Buffer.from(sha256).toString('hex')
    if (hex(files.oldFile.sha256) !== from || hex(files.newFile.sha256) !== to)
      throw new ReuseError('it is for other files')
    const end = patchHeaderBytes + indexBytes
    if (files.sizeBytes !== this.#patch.sizeBytes || end > files.sizeBytes)
      throw new ReuseError('it is damaged')
    // Reading the index creates no temporary files.
    return readPatchParts(files, await this.#fetch(patchHeaderBytes, end), nodePatchTools('', crc32))
  }

  /** Fetches what restores the content of a part. Returns a source with only these bytes. */
  async fetchPart({ contentPatch: { start, end } }: ContentPart) {
    const bytes = await this.#fetch(start, end)
    const read = (target: Uint8Array, position: number) => {
      if (position < start || position + target.length > end) throw new RangeError('The part ends early.')
      target.set(bytes.subarray(position - start, position - start + target.length))
    }
    return { sizeBytes: this.#patch.sizeBytes, read }
  }

  async #fetch(start: number, end: number): Promise<Buffer> {
    let fetched: Buffer = Buffer.alloc(0)
    if (end === start) return fetched
    await this.#patch.fetch(
      [{ start, sizeBytes: end - start }],
      (bytes) => {
        fetched = bytes
        this.receivedBytes += bytes.length
      },
      this.#signal,
    )
    return fetched
  }
}
