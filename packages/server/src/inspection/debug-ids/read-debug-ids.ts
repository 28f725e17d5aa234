import { orNull, readHead } from '../bytes.ts'
import { hasSymbols, isElf, readElfFile } from '../executables/elf-file.ts'
import { readBuildId } from '../executables/elf-notes.ts'
import { isMachO, listSlices, machOFileType } from '../executables/mach-o.ts'
import { isPdb, readPdbId } from '../executables/pdb-file.ts'
import type { ByteSource, DebugId } from '../inspection.ts'
import { readPdbReference } from '../windows/pe-debug.ts'
import { readPeFile } from '../windows/pe-file.ts'

const headBytes = 64

/** Where a file was found. `role` is set if it follows from the location. */
export type Origin = { name: string | null; path: string | null; role?: DebugId['role'] }

/**
 * Returns the IDs with which debuggers and symbol servers match an executable with its symbols. Reads ELF, Mach-O, PE and
 * PDB files. Other files and damaged ones have none.
 */
export async function readDebugIds(source: ByteSource, origin: Origin): Promise<DebugId[]> {
  const head = await readHead(source, headBytes)
  const found = await orNull(idsByMagic(source, head, origin))
  // Tools fill the field with zeros if they do not compute an ID.
  return (found ?? []).filter(({ id }) => /[^0]/.test(id))
}

/** Returns whether these are the first bytes of a file in a format that has IDs. */
export const mayHaveDebugIds = (head: Buffer): boolean =>
  isElf(head) || isMachO(head) || isPdb(head) || isPe(head)

const isPe = (head: Buffer): boolean => head.toString('latin1', 0, 2) === 'MZ'

async function idsByMagic(source: ByteSource, head: Buffer, origin: Origin): Promise<DebugId[]> {
  if (isElf(head)) return elfIds(source, origin)
  if (isMachO(head)) return machIds(source, origin)
  if (isPe(head)) return peIds(source, origin)
  const id = isPdb(head) ? await readPdbId(source) : null
  return id === null ? [] : [{ ...describe(origin), kind: 'pdb_id', id, role: 'symbols', architecture: null }]
}

const describe = ({ name, path }: Origin): Pick<DebugId, 'name' | 'path'> => ({ name, path })

async function elfIds(source: ByteSource, origin: Origin): Promise<DebugId[]> {
  const elf = await readElfFile(source)
  const id = await readBuildId(elf)
  if (id === null) return []
  const role = origin.role ?? ((await orNull(hasSymbols(elf))) === true ? 'symbols' : 'executable')
  const architecture = elf.architecture ?? null
  return [{ ...describe(origin), kind: 'elf_build_id', id, role, architecture }]
}

async function machIds(source: ByteSource, origin: Origin): Promise<DebugId[]> {
  const slices = await listSlices(source)
  return slices.flatMap(({ uuid, architecture = null, fileType }) => {
    const role = origin.role ?? (fileType === machOFileType.symbols ? 'symbols' : 'executable')
    return uuid === null ? [] : [{ ...describe(origin), kind: 'mach_uuid', id: uuid, role, architecture }]
  })
}

/** An executable has an ID of its own, and refers to its program database by another. */
async function peIds(source: ByteSource, origin: Origin): Promise<DebugId[]> {
  const pe = await readPeFile(source)
  if (pe === undefined) return []
  const common = { role: 'executable', path: origin.path, architecture: pe.architecture ?? null } as const
  const pdb = await orNull(readPdbReference(pe))
  return [
    { ...common, kind: 'pe_code_id', id: pe.codeId, name: origin.name },
    ...(pdb === undefined || pdb === null
      ? []
      : [{ ...common, kind: 'pdb_id' as const, id: pdb.id, name: pdb.name }]),
  ]
}
