import { once, onceResolved } from '../../lib/once.ts'
import { readBytes } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'

const damaged = 'The installer is damaged.'
const headerBytes = 512
const entryBytes = 128
const miniSectorBytes = 64
const maxDirectoryBytes = 8 * 2 ** 20
const maxTreeEntries = 65_536
const maxTreeDepth = 64
const maxMiniBytes = 32 * 2 ** 20
const maxTableSectors = 65_536
/** Higher numbers have special meanings, such as the end of a chain. */
const maxSector = 0xfffffffa
const streamType = 2
const rootType = 5

const storageType = 1
const chunkBytes = 2 ** 20
/** A reference to no entry. */
const noEntry = 0xffffffff

type Entry = {
  name: string
  type: number
  start: number
  sizeBytes: number
  /** The entry as it is stored. */
  bytes: Buffer
}

/** A storage, which is comparable to a folder, or a stream. Streams have no children. */
export type CompoundNode = { name: string; isStream: boolean; bytes: Buffer; children: CompoundNode[] }

/** Numbered sectors, which form chains. */
type Sectors = {
  sectorBytes: number
  /** Reads consecutive sectors. */
  readSectors: (first: number, count: number) => Promise<Buffer>
  nextOf: (sector: number) => Promise<number>
}

export interface CompoundFile {
  has(name: string): boolean
  /** Returns a stream of at most `maxBytes`. */
  read(name: string, maxBytes: number): Promise<Buffer>
  /** Returns the root storage with everything in it. Throws `InspectionError` if the directory is damaged. */
  tree(): CompoundNode
  /** Streams the bytes of a stream of any size. */
  stream(node: CompoundNode): AsyncIterable<Buffer>
}

/** Reads the directory of a compound file ([MS-CFB]), the container of Windows installers. */
export async function openCompoundFile(source: ByteSource): Promise<CompoundFile> {
  const header = await readBytes(source, 0, headerBytes, damaged)
  const sectorShift = header.readUInt16LE(30)
  if (sectorShift !== 9 && sectorShift !== 12) throw new InspectionError(damaged)
  const sectorBytes = 2 ** sectorShift
  const readSectors: Sectors['readSectors'] = (first, count) =>
    readBytes(source, (first + 1) * sectorBytes, count * sectorBytes, damaged)
  const nextOf = readTable(await listTableSectors(header, readSectors), sectorBytes, readSectors)
  const regular: Sectors = { sectorBytes, readSectors, nextOf }

  const entries = readEntries(await readChain(regular, header.readUInt32LE(48), maxDirectoryBytes))
  const root = entries.find(({ type }) => type === rootType)
  const streams = new Map(
    entries.filter(({ type }) => type === streamType).map((entry) => [entry.name, entry]),
  )
  const mini = onceResolved(() => openMiniSectors(header, regular, root))
  const miniCutoff = header.readUInt32LE(56)
  return {
    has: (name) => streams.has(name),
    async read(name, maxBytes) {
      const entry = streams.get(name)
      if (entry === undefined || entry.sizeBytes > maxBytes) throw new InspectionError(damaged)
      const sectors = entry.sizeBytes < miniCutoff ? await mini() : regular
      const bytes = await readChain(sectors, entry.start, entry.sizeBytes)
      if (bytes.length < entry.sizeBytes) throw new InspectionError(damaged)
      return bytes.subarray(0, entry.sizeBytes)
    },
    tree: () => readTree(entries),
    async *stream({ bytes }) {
      const { start, sizeBytes } = readEntry(bytes)
      const sectors = sizeBytes < miniCutoff ? await mini() : regular
      let remainingBytes = sizeBytes
      for await (const chunk of streamChain(sectors, start)) {
        yield chunk.subarray(0, remainingBytes)
        remainingBytes -= Math.min(chunk.length, remainingBytes)
        if (remainingBytes === 0) return
      }
      if (remainingBytes > 0) throw new InspectionError(damaged)
    },
  }
}

/** Returns the tree of entries. Each storage refers to a binary tree of its children. */
function readTree(entries: readonly Entry[]): CompoundNode {
  const known = new Set<Entry>()
  const nodeOf = (entry: Entry, depth: number): CompoundNode => {
    if (depth > maxTreeDepth) throw new InspectionError(damaged)
    const isStream = entry.type === streamType
    const node: CompoundNode = { name: entry.name, isStream, bytes: entry.bytes, children: [] }
    const open = isStream ? [] : [entry.bytes.readUInt32LE(76)]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (index === noEntry) continue
      const child = entries[index]
      const isNew = child !== undefined && !known.has(child)
      if (!isNew || (child.type !== streamType && child.type !== storageType))
        throw new InspectionError(damaged)
      if (known.add(child).size > maxTreeEntries) throw new InspectionError(damaged)
      open.push(child.bytes.readUInt32LE(68), child.bytes.readUInt32LE(72))
      node.children.push(nodeOf(child, depth + 1))
    }
    return node
  }
  const root = entries.find(({ type }) => type === rootType)
  if (root === undefined) throw new InspectionError(damaged)
  return nodeOf(root, 0)
}

/** Reads a chain of sectors in parts of up to 1 MiB. */
async function* streamChain({ sectorBytes, readSectors, nextOf }: Sectors, start: number) {
  const maxCount = chunkBytes / sectorBytes
  let first = start
  while (first <= maxSector) {
    let count = 1
    let next = await nextOf(first)
    while (next === first + count && count < maxCount) {
      count++
      next = await nextOf(next)
    }
    yield await readSectors(first, count)
    first = next
  }
}

/** Lists the sectors of the allocation table: 109 in the header, and the others in a chain of sectors. */
async function listTableSectors(header: Buffer, readSectors: Sectors['readSectors']): Promise<number[]> {
  const sectors = numbersIn(header.subarray(76))
  let next = header.readUInt32LE(68)
  while (next <= maxSector && sectors.length < maxTableSectors) {
    const numbers = numbersIn(await readSectors(next, 1))
    next = numbers.pop() ?? maxSector + 1
    sectors.push(...numbers)
  }
  return sectors.filter((sector) => sector <= maxSector)
}

/** Returns a function that finds the next sector of a chain in the allocation table. */
function readTable(
  tableSectors: number[],
  sectorBytes: number,
  readSectors: Sectors['readSectors'],
): Sectors['nextOf'] {
  const perSector = sectorBytes / 4
  const known = new Map<number, () => Promise<Buffer>>()
  return async (sector) => {
    const index = Math.floor(sector / perSector)
    const tableSector = tableSectors[index]
    if (tableSector === undefined) throw new InspectionError(damaged)
    const read = known.get(index) ?? once(() => readSectors(tableSector, 1))
    known.set(index, read)
    return (await read()).readUInt32LE((sector % perSector) * 4)
  }
}

/** Reads a chain of sectors until it ends or `maxBytes` are read. The limit also ends a circular chain. */
async function readChain(
  { sectorBytes, readSectors, nextOf }: Sectors,
  start: number,
  maxBytes: number,
): Promise<Buffer> {
  const runs: { first: number; count: number }[] = []
  const maxSectors = Math.ceil(maxBytes / sectorBytes)
  let sector = start
  for (let found = 0; sector <= maxSector && found < maxSectors; found++) {
    const run = runs.at(-1)
    if (run !== undefined && run.first + run.count === sector) run.count++
    else runs.push({ first: sector, count: 1 })
    sector = await nextOf(sector)
  }
  const chunks: Buffer[] = []
  for (const { first, count } of runs) chunks.push(await readSectors(first, count))
  return Buffer.concat(chunks)
}

function readEntries(directory: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes)
    entries.push(readEntry(directory.subarray(at, at + entryBytes)))
  return entries
}

function readEntry(bytes: Buffer): Entry {
  const nameBytes = Math.min(Math.max(bytes.readUInt16LE(64) - 2, 0), 62)
  return {
    name: bytes.toString('utf16le', 0, nameBytes),
    type: bytes.readUInt8(66),
    start: bytes.readUInt32LE(116),
    sizeBytes: bytes.readUInt32LE(120),
    bytes,
  }
}

/** Returns the 64-byte sectors that contain small streams. They are stored in the stream of the root entry. */
async function openMiniSectors(header: Buffer, regular: Sectors, root: Entry | undefined): Promise<Sectors> {
  if (root === undefined || root.sizeBytes > maxMiniBytes) throw new InspectionError(damaged)
  const bytes = await readChain(regular, root.start, root.sizeBytes)
  const table = await readChain(regular, header.readUInt32LE(60), maxMiniBytes / miniSectorBytes)
  const part = (buffer: Buffer, start: number, length: number): Buffer => {
    if (start + length > buffer.length) throw new InspectionError(damaged)
    return buffer.subarray(start, start + length)
  }
  return {
    sectorBytes: miniSectorBytes,
    readSectors: (first, count) =>
      Promise.resolve(first * miniSectorBytes).then((at) => part(bytes, at, count * miniSectorBytes)),
    nextOf: (sector) => Promise.resolve(sector * 4).then((at) => part(table, at, 4).readUInt32LE(0)),
  }
}

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4))
}
