import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CommandContext } from '../command-context.ts'
import { Failure } from '../failure.ts'

/** Returns the hexadecimal checksum of a file. Shows progress while reading it. */
export async function hashFile(
  { output, signal }: CommandContext,
  path: string,
  algorithm: 'sha256' | 'md5',
): Promise<string> {
  const { size } = await stat(path)
  const progress = output.progress({
    label: `Checking ${basename(path)}`,
    totalBytes: size,
    alreadyDoneBytes: 0,
  })
  const hash = createHash(algorithm)
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) {
      hash.update(chunk as Buffer)
      progress.add((chunk as Buffer).length)
    }
  } catch (error) {
    if (signal.aborted) throw new Failure('interrupted', 'Interrupted.')
    throw error
  } finally {
    progress.end()
  }
  return hash.digest('hex')
}
