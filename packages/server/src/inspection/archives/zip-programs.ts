import { orNull } from '../bytes.ts'
import { isSymbolFile } from '../debug-ids/executable-names.ts'
import { maxDebugIds, readArchivedDebugIds } from '../debug-ids/read-archived-debug-ids.ts'
import { emptyInspection, type ByteSource, type DebugId, type Inspection } from '../inspection.ts'
import { recognizeProgram } from '../recognize-format.ts'
import { stoppedWith } from '../signatures/signature.ts'
import { forwardBudget, inspectForward, inspectOpened } from './inspect-program.ts'
import { chooseProgram, maxProgramBytes, programCandidates, type ArchiveFile } from './main-program.ts'
import { EntryTooLarge, type ZipArchive } from './zip.ts'

/**
 * Reads the main program of an archive, and the IDs of all executables and symbol files. An archive whose main program
 * cannot be read has no other metadata.
 */
export async function inspectPrograms(zip: ZipArchive, content: ByteSource): Promise<Inspection> {
  const programs = await findPrograms(zip)
  const program = chooseProgram(programs, zip.names)
  const main = program === undefined ? null : await orNull(inspectProgram(zip, content, program.name))
  const ownIds = main?.debug_ids ?? []
  const ids = await readIds(zip, content, programs, ownIds.length > 0 ? program?.name : undefined)
  return { ...(main ?? emptyInspection), debug_ids: [...ownIds, ...ids].slice(0, maxDebugIds) }
}

/** Returns the IDs of the executables and symbol files in a package. Stops when reads of `content` do. */
export const readProgramIds = async (zip: ZipArchive, content: ByteSource): Promise<DebugId[]> =>
  readIds(zip, content, await findPrograms(zip))

/** Executables without an extension are only read in the outer folders. */
async function findPrograms(zip: ZipArchive): Promise<ArchiveFile[]> {
  const files = function* (): Generator<ArchiveFile> {
    for (const name of zip.names) yield { name, sizeBytes: zip.sizeOf(name) ?? 0 }
  }
  const programs: ArchiveFile[] = []
  for (const file of programCandidates(files())) {
    const head = await orNull(zip.readStart(file.name))
    if (head !== null && recognizeProgram(head) !== undefined) programs.push(file)
  }
  return programs
}

function readIds(
  zip: ZipArchive,
  content: ByteSource,
  programs: ArchiveFile[],
  except?: string,
): Promise<DebugId[]> {
  const paths = new Set([...programs.map(({ name }) => name), ...zip.names.filter(isSymbolFile)])
  const files = [...paths].filter((path) => path !== except).map((path) => ({ path }))
  return readArchivedDebugIds(zip, content, files)
}

async function inspectProgram(
  zip: ZipArchive,
  content: ByteSource,
  name: string,
): Promise<Inspection | null> {
  try {
    const opened = await zip.open(name, maxProgramBytes)
    return await inspectOpened(opened, stoppedWith(content, opened), name)
  } catch (error) {
    if (!(error instanceof EntryTooLarge)) throw error
  }
  await using opened = await zip.openForward(name, content, forwardBudget())
  return await inspectForward(opened, name)
}
