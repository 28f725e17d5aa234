import { cleanText } from '../bytes.ts'
import type { Inspection } from '../inspection.ts'

/** A file in an archive. Names contain slashes. */
export type ArchiveFile = { name: string; sizeBytes: number }

/** The process that inspects files may use 512 MiB of memory, of which it needs up to 150 MiB for other data. */
export const maxProgramBytes = 256 * 2 ** 20
const maxCandidates = 64
const maxDepth = 4
const minProgramBytes = 64

/** Programs that have a known extension. Most programs for Linux and macOS have none. */
const programExtension = /\.(?:exe|bin|elf|out|run|appimage|x86_64|x86|amd64|arm64|aarch64)$/i
const dataExtension = /\.[a-z][a-z0-9]{0,11}$/i

const depthOf = (name: string): number => name.split('/').length
const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1)
const fileNameOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** Returns the name of a program without its folder and the extension `.exe`. */
const programNameOf = (path: string): string => fileNameOf(path).replace(/\.(?:exe|AppImage)$/i, '')

/** Returns the metadata of a program in an archive, with the name of its file if it does not contain a name. */
export function named(inspection: Inspection, path: string): Inspection {
  const { file_info: info } = inspection
  if (info === null) return inspection
  return {
    ...inspection,
    file_info: { ...info, name: info.name ?? cleanText(programNameOf(path)) },
    debug_ids: inspection.debug_ids.map((id) => ({ ...id, name: id.name ?? fileNameOf(path), path })),
  }
}

/** Returns whether a file may be a program according to its name and its size. */
export function mayBeProgram({ name, sizeBytes }: ArchiveFile): boolean {
  return (
    sizeBytes >= minProgramBytes &&
    !name.endsWith('/') &&
    !name.startsWith('__MACOSX/') &&
    depthOf(name) <= maxDepth &&
    (programExtension.test(name) || !dataExtension.test(name))
  )
}

/** Returns the files that are most likely to be the program of an archive: those in the outer folders, the largest first. */
export function programCandidates(files: Iterable<ArchiveFile>): ArchiveFile[] {
  // The depths are computed once, and the list is cut while it grows, because there can be a million files.
  let candidates: { file: ArchiveFile; depth: number }[] = []
  const keepBest = () => {
    candidates.sort((a, b) => a.depth - b.depth || b.file.sizeBytes - a.file.sizeBytes)
    candidates = candidates.slice(0, maxCandidates)
  }
  for (const file of files) {
    if (mayBeProgram(file)) candidates.push({ file, depth: depthOf(file.name) })
    if (candidates.length > 1_000 * maxCandidates) keepBest()
  }
  keepBest()
  return candidates.map(({ file }) => file)
}

/**
 * Returns the program that users start: the only one in the outermost folder that contains programs, or the one that
 * other files in the folder or the folder itself are named after, or else the largest. Game engines and installers put
 * helper programs beside it, which can be larger.
 */
export function chooseProgram(
  programs: readonly ArchiveFile[],
  names: readonly string[],
): ArchiveFile | undefined {
  const outer = programCandidates(programs)
  const outermost = depthOf(outer[0]?.name ?? '')
  const candidates = outer.filter(({ name }) => depthOf(name) === outermost)
  if (candidates.length <= 1) return candidates[0]
  const ranked = candidates.map((file) => ({
    file,
    isNamedAfterFolder: isPrefix(programNameOf(file.name), fileNameOf(folderOf(file.name).slice(0, -1))),
    companions: countCompanions(file.name, names),
  }))
  ranked.sort(
    (a, b) =>
      Number(b.isNamedAfterFolder) - Number(a.isNamedAfterFolder) ||
      b.companions - a.companions ||
      b.file.sizeBytes - a.file.sizeBytes,
  )
  return ranked[0]?.file
}

const normalized = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const isPrefix = (program: string, folder: string): boolean =>
  normalized(program) !== '' && normalized(folder).startsWith(normalized(program))

/** Counts the files and folders beside a program that are named after it, such as `Game_Data` beside `Game.exe`. */
function countCompanions(path: string, names: readonly string[]): number {
  const folder = folderOf(path)
  const program = programNameOf(path).toLowerCase()
  const companions = new Set<string>()
  for (const name of names) {
    if (!name.startsWith(folder) || name === path) continue
    const [sibling = ''] = name.slice(folder.length).toLowerCase().split('/', 1)
    const isNamedAfter = sibling.startsWith(program) && /^[^\p{L}\p{N}]/u.test(sibling.slice(program.length))
    if (isNamedAfter) companions.add(sibling)
  }
  companions.delete(fileNameOf(path).toLowerCase())
  return companions.size
}
