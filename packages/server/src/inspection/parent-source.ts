import { readSync, writeSync } from 'node:fs'
import type { ByteSource } from './inspection.ts'

/** The first message to the child process has the sizes of the files that it can read. */
export type Task = { sourceBytes: readonly number[] }

/** A request for bytes of the file with this index in `sourceBytes`. */
export type ReadRequest = { source: number; offset: number; length: number }

export const maxRequestBytes = 1024 * 1024
const blockBytes = 128 * 1024
const maxBlocks = 64

/**
 * Opens the connection to the parent process. Requests are written to standard output as lines of JSON. Responses are
 * read from standard input, each as a four-byte length followed by the bytes. Calls block, because the process has
 * nothing else to do.
 */
export function openParent() {
  const send = (message: object): void => {
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
    for (let sent = 0; sent < bytes.length;) sent += writeSync(1, bytes, sent)
  }
  return {
    send,
    receiveTask() {
      const task = JSON.parse(receive().toString()) as Task
      const sources = task.sourceBytes.map((sizeBytes, source) =>
        bufferedSource(sizeBytes, (offset, length) => {
          send({ read: { source, offset, length } satisfies ReadRequest })
          return receive()
        }),
      )
      return { task, sources }
    },
  }
}

/** Reads a message of the parent process: a four-byte length, followed by the bytes. */
export function receive(): Buffer {
  return receiveExactly(receiveExactly(4).readUInt32BE())
}

function receiveExactly(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let received = 0; received < length;) {
    const count = readSync(0, bytes, received, length - received, null)
    if (count === 0) throw new Error('The parent process has ended.')
    received += count
  }
  return bytes
}

/**
 * Returns a source that requests aligned blocks and keeps the most recent ones, because parsers read a few bytes at a
 * time and each request may cause a request to object storage.
 */
function bufferedSource(sizeBytes: number, request: (offset: number, length: number) => Buffer): ByteSource {
  const blocks = new Map<number, Buffer>()
  const blockAt = (start: number): Buffer => {
    const block = blocks.get(start) ?? request(start, Math.min(blockBytes, sizeBytes - start))
    blocks.delete(start)
    blocks.set(start, block)
    const [oldest] = blocks.keys()
    if (blocks.size > maxBlocks && oldest !== undefined) blocks.delete(oldest)
    return block
  }
  return {
    sizeBytes,
    async read(offset, length) {
      const end = offset + length
      if (
        !Number.isSafeInteger(offset) ||
        !Number.isSafeInteger(end) ||
        offset < 0 ||
        length < 0 ||
        end > sizeBytes
      )
        throw new RangeError(`The range of ${length} bytes at ${offset} is not within the file.`)
      const bytes = Buffer.alloc(length)
      for (let position = offset; position < end;) {
        const remaining = end - position
        const start = position - (position % blockBytes)
        // Long ranges are requested directly, so that they do not displace the blocks.
        const part =
          remaining > blockBytes
            ? request(position, Math.min(remaining, maxRequestBytes))
            : blockAt(start).subarray(position - start, end - start)
        position += part.copy(bytes, position - offset)
      }
      return bytes
    },
  }
}
