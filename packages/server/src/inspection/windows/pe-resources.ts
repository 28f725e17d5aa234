import { InspectionError } from '../inspection.ts'
import { readAddress, type PeFile } from './pe-file.ts'

export const resourceType = { icon: 3, groupIcon: 14, version: 16 } as const

const maxEntries = 4096
const isDirectory = 0x80000000

type Entry = { id: number; offset: number }

/**
 * Returns the resource with a type and ID, or the first one of the type if no ID is given. Returns null if there is none.
 * Resources form a tree with the levels type, ID and language.
 */
export async function readResource(
  pe: PeFile,
  type: number,
  options: { id?: number; maxBytes: number },
): Promise<Buffer | null> {
  if (pe.resources.address === 0) return null
  const ids = await listEntries(
    pe,
    (await listEntries(pe, isDirectory)).find(({ id }) => id === type)?.offset,
  )
  const resource = options.id === undefined ? ids[0] : ids.find(({ id }) => id === options.id)
  const [language] = await listEntries(pe, resource?.offset)
  if (language === undefined || language.offset >= isDirectory) return null
  const description = await readAddress(pe, pe.resources.address + language.offset, 16)
  const length = description.readUInt32LE(4)
  if (length > options.maxBytes)
    throw new InspectionError('A resource of the Windows executable is too large.')
  return readAddress(pe, description.readUInt32LE(0), length)
}

/** Lists a directory at an offset from the start of the resources. Offsets of directories have the highest bit set. */
async function listEntries(pe: PeFile, offset: number | undefined): Promise<Entry[]> {
  if (offset === undefined || offset < isDirectory) return []
  const address = pe.resources.address + offset - isDirectory
  const header = await readAddress(pe, address, 16)
  const count = header.readUInt16LE(12) + header.readUInt16LE(14)
  if (count > maxEntries) throw new InspectionError('The Windows executable has too many resources.')
  const entries = await readAddress(pe, address + 16, count * 8)
  return Array.from({ length: count }, (_, index) => ({
    id: entries.readUInt32LE(index * 8),
    offset: entries.readUInt32LE(index * 8 + 4),
  }))
}
