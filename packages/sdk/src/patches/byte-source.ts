/** Bytes that are read at any position, such as a file. Reading blocks, so large sources belong on a thread of their own. */
export type ByteSource = {
  sizeBytes: number
  /** Fills `target` with the bytes at a position, all of which exist. Throws if they cannot be read. */
  read: (target: Uint8Array, position: number) => void
}

export const sourceOf = (bytes: Uint8Array): ByteSource => ({
  sizeBytes: bytes.length,
  read: (target, position) => {
    if (position + target.length > bytes.length) throw new RangeError('The source is shorter.')
    target.set(bytes.subarray(position, position + target.length))
  },
})

export function readRange(source: ByteSource, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start)
  source.read(bytes, start)
  return bytes
}

/** Returns a part of a source as a source. */
export const partOf = (source: ByteSource, start: number, end: number): ByteSource => ({
  sizeBytes: end - start,
  read: (target, position) => {
    if (position < 0 || position + target.length > end - start) throw new RangeError('The source is shorter.')
    source.read(target, start + position)
  },
})
