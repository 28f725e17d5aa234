import { countedSource } from '../archives/forward-source.ts'
import type { ZipArchive } from '../archives/zip.ts'
import { parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'

const damaged = 'The HFS+ file system is damaged.'
const headerOffset = 1024
const maxNodes = 65_536
const maxNodeBytes = 32_768
const maxFiles = 200_000
const maxPathBytes = 64 * 2 ** 20
const maxDepth = 64
const startBytes = 4096
const rootFolder = 2
const recordType = { folder: 1, file: 2 }

/** The position of a file: extents in blocks. The content of files with more than eight extents is not read further. */
type Fork = { sizeBytes: number; extents: { start: number; count: number }[] }
type CatalogEntry = { parent: number; id: number; name: string; fork: Fork | undefined }

/** Returns the name of the volume and its files, with the interface of an archive, or undefined if there is no HFS+ volume at the offset. */
export async function openHfsPlus(
  disk: ByteSource,
  offset: number,
): Promise<{ volumeName: string | null; files: ZipArchive } | undefined> {
  if (offset + headerOffset + 512 > disk.sizeBytes) return undefined
  const header = await readBytes(disk, offset + headerOffset, 512, damaged)
  if (!['H+', 'HX'].includes(header.toString('latin1', 0, 2))) return undefined
  const blockBytes = header.readUInt32BE(40)
  if (blockBytes < 512 || blockBytes > 2 ** 20) throw new InspectionError(damaged)
  const catalog = parseOr(damaged, () => readFork(header.subarray(272)))
  const readFile = (fork: Fork, at: number, length: number) =>
    readExtents(disk, offset, blockBytes, fork, at, length)
  const entries = await listEntries((at, length) => readFile(catalog, at, length))
  const volume = entries.find(({ id, fork }) => id === rootFolder && fork === undefined)
  return { volumeName: volume?.name ?? null, files: fileTree(entries, readFile) }
}

function readFork(bytes: Buffer): Fork {
  const extents = Array.from({ length: 8 }, (_, index) => ({
    start: bytes.readUInt32BE(16 + index * 8),
    count: bytes.readUInt32BE(20 + index * 8),
  }))
  return { sizeBytes: readUint64(bytes, 0, 'BE'), extents }
}

async function readExtents(
  disk: ByteSource,
  volume: number,
  blockBytes: number,
  { sizeBytes, extents }: Fork,
  at: number,
  length: number,
): Promise<Buffer> {
  if (at < 0 || at + length > sizeBytes) throw new InspectionError(damaged)
  const parts: Buffer[] = []
  let start = 0
  for (const extent of extents) {
    const end = start + extent.count * blockBytes
    const [from, to] = [Math.max(at, start), Math.min(at + length, end)]
    if (from < to)
      parts.push(await readBytes(disk, volume + extent.start * blockBytes + from - start, to - from, damaged))
    start = end
  }
  const bytes = Buffer.concat(parts)
  if (bytes.length !== length) throw new InspectionError(damaged)
  return bytes
}

/** Reads all leaf nodes of the catalog, a B-tree, in the order of their links. */
async function listEntries(read: (at: number, length: number) => Promise<Buffer>): Promise<CatalogEntry[]> {
  const header = await read(0, 106)
  const [first, nodeBytes] = [header.readUInt32BE(24), header.readUInt16BE(32)]
  if (nodeBytes < 512 || nodeBytes > maxNodeBytes) throw new InspectionError(damaged)
  const entries: CatalogEntry[] = []
  let nodes = 0
  for (let node = first; node !== 0;) {
    if (++nodes > maxNodes || entries.length > maxFiles)
      throw new InspectionError('The disk image contains too many files.')
    const bytes = await read(node * nodeBytes, nodeBytes)
    entries.push(...parseOr(damaged, () => readLeaf(bytes)))
    node = bytes.readUInt32BE(0)
  }
  return entries
}

function readLeaf(node: Buffer): CatalogEntry[] {
  const isLeaf = node.readInt8(8) === -1
  const count = node.readUInt16BE(10)
  if (!isLeaf) throw new InspectionError(damaged)
  const entries: CatalogEntry[] = []
  for (let index = 0; index < count; index++) {
    const at = node.readUInt16BE(node.length - 2 - index * 2)
    const keyBytes = node.readUInt16BE(at)
    const record = node.subarray(at + 2 + keyBytes)
    const type = record.readUInt16BE(0)
    if (type !== recordType.folder && type !== recordType.file) continue
    const name = slice(node, at + 8, node.readUInt16BE(at + 6) * 2)
    entries.push({
      parent: node.readUInt32BE(at + 2),
      id: record.readUInt32BE(8),
      // A slash in a name is stored as such, and shown as a colon on other systems.
      name: Buffer.from(name).swap16().toString('utf16le').replaceAll('/', ':'),
      fork: type === recordType.file ? readFork(slice(record, 88, 80)) : undefined,
    })
  }
  return entries
}

type ReadFile = (fork: Fork, at: number, length: number) => Promise<Buffer>

function fileTree(entries: readonly CatalogEntry[], readFile: ReadFile): ZipArchive {
  const forks = new Map<string, Fork>()
  for (const [path, fork] of listPaths(entries)) forks.set(path, fork)
  const requireFork = (path: string, maxBytes = Number.MAX_SAFE_INTEGER): Fork => {
    const fork = forks.get(path)
    if (fork === undefined || fork.sizeBytes > maxBytes) throw new InspectionError(damaged)
    return fork
  }
  const openFork = (fork: Fork): ByteSource => ({
    sizeBytes: fork.sizeBytes,
    read: (at, length) => readFile(fork, at, length),
  })
  return {
    names: [...forks.keys()],
    has: (path) => forks.has(path),
    sizeOf: (path) => forks.get(path)?.sizeBytes,
    async read(path, maxBytes) {
      const fork = requireFork(path, maxBytes)
      return readFile(fork, 0, fork.sizeBytes)
    },
    async readStart(path) {
      const fork = requireFork(path)
      return readFile(fork, 0, Math.min(fork.sizeBytes, startBytes))
    },
    async *stream(path) {
      const fork = requireFork(path)
      const chunkBytes = 256 * 1024
      for (let at = 0; at < fork.sizeBytes; at += chunkBytes)
        yield await readFile(fork, at, Math.min(chunkBytes, fork.sizeBytes - at))
    },
    open: async (path) => openFork(requireFork(path)),
    openForward: async (path, _content, spend) => countedSource(openFork(requireFork(path)), spend),
    utf8NameOf: (path) => path,
  }
}

/** Yields the paths of all files below the root folder. */
function* listPaths(entries: readonly CatalogEntry[]): Generator<[string, Fork]> {
  const children = new Map<number, CatalogEntry[]>()
  for (const entry of entries) {
    const siblings = children.get(entry.parent) ?? []
    siblings.push(entry)
    children.set(entry.parent, siblings)
  }
  const open = [{ id: rootFolder, prefix: '', depth: 0 }]
  const visited = new Set<number>()
  let pathBytes = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (visited.has(folder.id) || folder.depth > maxDepth) throw new InspectionError(damaged)
    visited.add(folder.id)
    for (const { id, name, fork } of children.get(folder.id) ?? []) {
      const path = `${folder.prefix}${name}`
      pathBytes += path.length
      if (pathBytes > maxPathBytes) throw new InspectionError(damaged)
      if (fork === undefined) open.push({ id, prefix: `${path}/`, depth: folder.depth + 1 })
      else yield [path, fork]
    }
  }
}
