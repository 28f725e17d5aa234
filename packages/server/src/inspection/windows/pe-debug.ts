import { cleanText, parseOrNull, readBytes, slice } from '../bytes.ts'
import { formatPdbId } from '../executables/pdb-file.ts'
import { readAddress, type PeFile } from './pe-file.ts'

const damaged = 'The debug directory of the Windows executable is damaged.'
const entryBytes = 28
const maxEntries = 64
const maxPathBytes = 4096
const codeViewType = 2
const portableVersion = 0x504d

/** Returns the ID and the file name of the program database of an executable, or undefined if it refers to none. */
export async function readPdbReference(pe: PeFile): Promise<{ id: string; name: string | null } | undefined> {
  const { address, sizeBytes } = pe.debug
  const count = Math.min(Math.floor(sizeBytes / entryBytes), maxEntries)
  if (count === 0) return undefined
  const entries = await readAddress(pe, address, count * entryBytes)
  for (let at = 0; at < entries.length; at += entryBytes) {
    const entry = entries.subarray(at, at + entryBytes)
    const length = Math.min(entry.readUInt32LE(16), 24 + maxPathBytes)
    if (entry.readUInt32LE(12) !== codeViewType || length < 24) continue
    const record = await readBytes(pe.source, entry.readUInt32LE(24), length, damaged)
    const isPortable = entry.readUInt16LE(10) === portableVersion
    const reference = parseOrNull(() => parseRecord(record, isPortable))
    if (reference !== null) return reference
  }
  return undefined
}

function parseRecord(record: Buffer, isPortable: boolean): { id: string; name: string | null } | null {
  if (record.toString('latin1', 0, 4) !== 'RSDS') return null
  const age = isPortable ? 0xffffffff : record.readUInt32LE(20)
  const path = record.toString('utf8', 24).split('\0', 1)[0] ?? ''
  return { id: formatPdbId(slice(record, 4, 16), age), name: cleanText(path.split(/[\\/]/).at(-1)) }
}
