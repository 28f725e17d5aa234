import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'

const bufferChars = 1 << 20

/** Writes lines to a new file and returns their number and the SHA-256 checksum of the file, which is then durable. */
export async function writeLines(
  path: string,
  lines: AsyncIterable<string>,
  onLine: (count: number) => void,
): Promise<{ rows: number; sha256: string }> {
  const file = await open(path, 'w', 0o600)
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
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let skipped = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines)
      if (skipped < skip) skipped += 1
      else yield line
  }
}

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
