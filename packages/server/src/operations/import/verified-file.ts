import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { isErrno, problem } from '../../lib/problem.ts'
import { splitLines } from '../export/json-lines.ts'
import { requireRegularFile } from '../export/manifest.ts'

/** A file of an export whose content was compared with its checksum. */
export type VerifiedFile = {
  path: string
  /** Yields the lines after the first `skip` ones. Throws before yielding a line that was changed after the check. */
  lines(skip?: number): AsyncGenerator<string>
}

type Expected = { sha256: string; rows: number }

/**
 * Compares a file with its checksum and its number of lines, and calls `check` with each of them. `check` returns what
 * is wrong with a line.
 */
export async function verifyFile(
  path: string,
  expected: Expected,
  check: (line: string) => string | undefined,
): Promise<VerifiedFile> {
  const file = await openRegularFile(path)
  try {
    const before = await stateOf(file)
    const hash = createHash('sha256')
    let rows = 0
    let mismatch: string | undefined
    const chunks = observed(file, (chunk) => void hash.update(chunk))
    for await (const line of splitLines(chunks, path)) {
      rows += 1
      const found = mismatch === undefined ? check(line) : undefined
      if (found !== undefined) mismatch = `Line ${rows} of ${path} ${found}.`
    }
    // A damaged file can be replaced, so it is reported before a line that the other server wrote.
    if (hash.digest('hex') !== expected.sha256 || rows !== expected.rows) throw fileDamaged({ path })
    if (mismatch !== undefined) throw invalidRow({ text: mismatch })
    if ((await stateOf(file)) !== before) throw changed({ path })
    return { path, lines: (skip = 0) => readUnchanged(path, before, skip) }
  } finally {
    await file.close()
  }
}

async function* readUnchanged(path: string, state: string, skip: number): AsyncGenerator<string> {
  const file = await openRegularFile(path)
  try {
    const chunks = observed(file, async () => {
      if ((await stateOf(file)) !== state) throw changed({ path })
    })
    let read = 0
    for await (const line of splitLines(chunks, path)) if (read++ >= skip) yield line
  } finally {
    await file.close()
  }
}

async function* observed(
  file: FileHandle,
  onChunk: (chunk: Buffer) => void | Promise<void>,
): AsyncGenerator<Buffer> {
  for await (const chunk of file.createReadStream({ highWaterMark: 1 << 18, start: 0, autoClose: false })) {
    await onChunk(chunk as Buffer)
    yield chunk as Buffer
  }
}

async function openRegularFile(path: string): Promise<FileHandle> {
  try {
    await requireRegularFile(path)
    return await open(path)
  } catch (error) {
    throw isErrno(error, 'ENOENT', 'ENOTDIR') ? fileDamaged({ path }) : error
  }
}

/** Returns a text that changes when the file does. Programs cannot set the time of the last status change. */
async function stateOf(file: FileHandle): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await file.stat({ bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

export const fileDamaged = problem(
  'conflict',
  'export.damaged',
  'The file {path} of the export is missing or damaged. Copy it from the original export, then rerun the import.',
)

const changed = problem(
  'conflict',
  'export.changed',
  'The file {path} was changed during the import. Copy it from the original export, then rerun the import to resume it.',
)

/** The error for a row that no server exports. */
const invalidRow = problem(
  'conflict',
  'export.invalid_row',
  '{text} The export was not made by Quayside, or it was modified. Export again on the other server.',
)
