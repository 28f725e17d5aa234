import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openArchive } from '../src/archive/open-archive.ts'
import { createOutput } from '../src/output/output.ts'
import type { LocalFile } from '../src/transfer/local-file.ts'

const sink = { write: () => true }
const signal = new AbortController().signal
/** Opens a folder as an archive. */
export const open = (folder: string, keepTimes = false): Promise<LocalFile> =>
  openArchive(
    {
      output: createOutput({ stdout: sink, stderr: sink }, false),
      signal,
      runtime: { stdin: process.stdin, stdout: sink, stderr: sink, env: {}, cwd: '/', signal },
    },
    folder,
    { keepTimes },
  )

export async function readAll(file: LocalFile): Promise<Buffer> {
  const bytes = Buffer.alloc(file.sizeBytes)
  for (let done = 0; done < bytes.length;)
    done += (await file.handle.read(bytes, done, Math.min(256 * 1024, bytes.length - done), done)).bytesRead
  return bytes
}

export type Files = Record<string, string | Buffer>

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

/** Returns numbers of a fixed sequence between 0 and 1. */
export function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) / 0x1000000
  }
}

/** Returns random bytes, which do not shrink. */
export function noise(sizeBytes: number, next: () => number): Buffer {
  const bytes = Buffer.alloc(sizeBytes)
  for (let index = 0; index < sizeBytes; index++) bytes[index] = next() * 256
  return bytes
}

/** Returns text, which shrinks when it is deflated. */
export const words = (sizeBytes: number, next: () => number): Buffer => {
  let text = ''
  while (text.length < sizeBytes) text += `${Math.floor(next() * 5000)} texture ${Math.floor(next() * 90)}\n`
  return Buffer.from(text.slice(0, sizeBytes))
}
