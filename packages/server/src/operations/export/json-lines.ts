import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { problem } from '../../lib/problem.ts'

const bufferChars = 1 << 20
const maxLineChars = 32 * 1024 * 1024

/** Writes lines to a new file and returns their number and the SHA-256 checksum of the file, which is then durable. */
export async function writeLines(
  path: string,
  lines: AsyncIterable<string>,
  onLine: (count: number) => void,
): Promise<{ rows: number; sha256: string }> {
  // The path of an earlier run may have been replaced with a link to another file.
  await rm(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let rows = 0
  let pending: string[] = []
  let pendingChars = 0
  const flush = async () => {
    const bytes = Buffer.from(pending.join(''))
    pending = []
    pendingChars = 0
    hash.update(bytes)
    await file.writeFile(bytes)
  }
  try {
    for await (const line of lines) {
      pending.push(line, '\n')
      pendingChars += line.length
      rows += 1
      if (pendingChars >= bufferChars) await flush()
      onLine(rows)
    }
    await flush()
    await file.sync()
  } finally {
    await file.close()
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Yields the complete lines of a file, starting after the first `skip` lines. Ignores an incomplete last line. */
export async function* readLines(path: string, skip = 0): AsyncGenerator<string> {
  let read = 0
  for await (const line of splitLines(createReadStream(path, { highWaterMark: 1 << 18 }), path))
    if (read++ >= skip) yield line
}

/** Yields the complete lines of a text. Throws if a line is longer than any row. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let pending: string[] = []
  let pendingChars = 0
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    pending.push(first)
    pendingChars += first.length
    if (pendingChars > maxLineChars) throw rowTooLong({ path })
    const last = others.pop()
    if (last === undefined) continue
    yield pending.join('')
    yield* others
    pending = [last]
    pendingChars = last.length
  }
}

const rowTooLong = problem(
  'conflict',
  'export.invalid_row',
  'A line of {path} is longer than any row. The export was not made by Quayside, or it was modified. Export again on the other server.',
)

/** Yields the lines in batches that have at most `maxLines` lines and stop growing at about a megabyte. */
export async function* inBatches(lines: AsyncIterable<string>, maxLines: number): AsyncGenerator<string[]> {
  let batch: string[] = []
  let chars = 0
  for await (const line of lines) {
    batch.push(line)
    chars += line.length
    if (batch.length < maxLines && chars < bufferChars) continue
    yield batch
    batch = []
    chars = 0
  }
  if (batch.length > 0) yield batch
}

/** Returns the SHA-256 checksum of a file in hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
