import { bufferSource, orNull, parseOrNull, readBytes } from '../bytes.ts'
import { mayBeExecutable } from '../debug-ids/executable-names.ts'
import { maxDebugIds } from '../debug-ids/read-archived-debug-ids.ts'
import { collectDebugIds, headBytes } from '../debug-ids/read-streamed-debug-ids.ts'
import type { Reader } from '../executables/program-reader.ts'
import { emptyInspection, type ByteSource, type Inspection, type PackageInfo } from '../inspection.ts'
import { describePacmanPackage, pacmanMetadataPath } from '../linux/pacman-metadata.ts'
import { describeNpmPackage } from '../packages/npm-metadata.ts'
import { describePythonPackage } from '../packages/python-metadata.ts'
import { recognizeProgram } from '../recognize-format.ts'
import { stoppedWith } from '../signatures/signature.ts'
import { decompressStream, type StreamCompression } from './decompress-stream.ts'
import { inspectForward, inspectOpened } from './inspect-program.ts'
import { chooseProgram, maxProgramBytes, mayBeProgram, type ArchiveFile } from './main-program.ts'
import type { StreamedFile } from './stream-reader.ts'
import { isTar, tarFiles } from './tar-stream.ts'

const maxFiles = 100_000
const maxMetadataBytes = 4 * 2 ** 20
const damaged = 'The compressed archive is damaged.'

/** npm puts all files of a package into this folder. */
const npmMetadataPath = 'package/package.json'
/** Python source distributions contain their metadata in their only folder (PEP 643). */
const pythonMetadataPath = /^[^/]+-[^/]+\/PKG-INFO$/

/** Returns a reader for compressed tar archives: npm and pacman packages, Python source distributions, and archived programs. */
export const inspectTarball =
  (compression: StreamCompression): Reader =>
  async (source, content) => {
    if (!(await startsWithTar(source, compression))) return emptyInspection
    const { description, programs, names, ids } = await listFiles(source, compression)
    if (description !== null) return { ...description, debug_ids: ids }
    const program = chooseProgram(programs, names)
    // An archive whose main program cannot be read is still valid.
    const main =
      program === undefined ? null : await orNull(inspectProgram(source, content, compression, program))
    const ownIds = main?.debug_ids ?? []
    const others = ids.filter(({ path }) => ownIds.length === 0 || path !== program?.name)
    return { ...(main ?? emptyInspection), debug_ids: [...ownIds, ...others].slice(0, maxDebugIds) }
  }

/** Reads the metadata of a package, the IDs of executables, and the beginnings of programs. */
async function listFiles(source: ByteSource, compression: StreamCompression) {
  const programs: ArchiveFile[] = []
  const names: string[] = []
  const collected = collectDebugIds()
  let description: Inspection | null = null
  for await (const file of tarFiles(decompressStream(source, compression, damaged))) {
    names.push(file.name)
    if (names.length > maxFiles) break
    description ??= await describePackage(file)
    const isCandidate = mayBeProgram(file)
    if (!isCandidate && (collected.isFull() || !mayBeExecutable(file.name))) continue
    const head = await file.read(headBytes)
    if (isCandidate && recognizeProgram(head) !== undefined)
      programs.push({ name: file.name, sizeBytes: file.sizeBytes })
    await collected.add(file, head)
  }
  return { description, programs, names, ids: collected.ids }
}

/** Returns null for files that are not the metadata of a package, although they may have its name. */
async function describePackage(file: StreamedFile): Promise<Inspection | null> {
  const describe = descriptionOf(file.name)
  if (describe === undefined) return null
  const bytes = await file.read(maxMetadataBytes)
  return parseOrNull(() => describe(bytes))
}

/** Returns what reads the metadata of a package in a file with this path. */
function descriptionOf(path: string): ((bytes: Buffer) => Inspection) | undefined {
  if (path === pacmanMetadataPath) return describePacmanPackage
  if (path === npmMetadataPath) return (bytes) => withInfo(describeNpmPackage(bytes))
  if (pythonMetadataPath.test(path)) return (bytes) => withInfo(describePythonPackage(bytes, 'sdist'))
  return undefined
}

const withInfo = (file_info: PackageInfo): Inspection => ({ ...emptyInspection, file_info })

async function startsWithTar(source: ByteSource, compression: StreamCompression): Promise<boolean> {
  const parts: Buffer[] = []
  for await (const chunk of decompressStream(source, compression, damaged)) {
    parts.push(chunk)
    if (parts.reduce((length, part) => length + part.length, 0) >= 512) break
  }
  return isTar(Buffer.concat(parts).subarray(0, 512))
}

async function inspectProgram(
  source: ByteSource,
  content: ByteSource,
  compression: StreamCompression,
  file: ArchiveFile,
): Promise<Inspection | null> {
  const bytes = await readProgram(source, compression, file)
  if (bytes === undefined) return null
  const program = bufferSource(bytes)
  return bytes.length < file.sizeBytes
    ? inspectForward(truncatedSource(program, file.sizeBytes), file.name)
    : inspectOpened(program, stoppedWith(content, program), file.name)
}

/** Returns a source of which only the beginning can be read. */
const truncatedSource = (start: ByteSource, sizeBytes: number): ByteSource => ({
  sizeBytes,
  read: (offset, length) =>
    readBytes(start, offset, length, 'The archive is too large to read the program to its end.'),
})

/** Decompresses the archive once more to read the program, which may be at its end. Large ones are not read to their end. */
async function readProgram(
  source: ByteSource,
  compression: StreamCompression,
  { name, sizeBytes }: ArchiveFile,
): Promise<Buffer | undefined> {
  for await (const file of tarFiles(decompressStream(source, compression, damaged)))
    if (file.name === name && file.sizeBytes === sizeBytes)
      return await file.read(Math.min(sizeBytes, maxProgramBytes))
  return undefined
}
