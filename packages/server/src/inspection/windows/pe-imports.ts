import { cleanText, orNull, textAt } from '../bytes.ts'
import { readAddressUpTo, type PeFile } from './pe-file.ts'

const maxLibraries = 500
const maxNameBytes = 256

/** The tables of imported libraries. Each entry contains the address of a name, and an empty entry ends the table. */
const tables = [
  { directory: 'imports', entryBytes: 20, nameOffset: 12 },
  { directory: 'delayedImports', entryBytes: 32, nameOffset: 4 },
] as const

/** Lists the libraries that a Windows executable imports, such as `KERNEL32.dll`, without repetitions. */
export async function listImports(pe: PeFile): Promise<string[]> {
  const names = new Map<string, string>()
  for (const { directory, entryBytes, nameOffset } of tables) {
    const { address } = pe[directory]
    const found = address === 0 ? null : await orNull(readAddressUpTo(pe, address, maxLibraries * entryBytes))
    const table = found ?? Buffer.alloc(0)
    for (let at = 0; at + entryBytes <= table.length && names.size < maxLibraries; at += entryBytes) {
      const nameAddress = table.readUInt32LE(at + nameOffset)
      if (nameAddress === 0) break
      const bytes = await orNull(readAddressUpTo(pe, nameAddress, maxNameBytes))
      const name = bytes === null ? null : cleanText(textAt(bytes, 0))
      if (name !== null && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
    }
  }
  return [...names.values()]
}
