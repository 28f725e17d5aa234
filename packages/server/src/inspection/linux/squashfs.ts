import { decompress, type Compression } from '../archives/decompress.ts'
import { parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'
import { inodeType, readEntries, readInode, type DirectoryEntry, type Inode } from './squashfs-inode.ts'

const damaged = 'The squashfs file system is damaged.'
const superblockBytes = 96
const metadataBytes = 8192
const maxBlockBytes = 2 ** 20
const maxMetadataBlocks = 4096
/** The maximum number of names in a path, including those in the targets of links. */
const maxSteps = 64
/** Folders with this many bytes contain about a million names. */
const maxListedBytes = 32 * 2 ** 20
const minBlockCost = 2 ** 16
const fragmentBytes = 16
const isStored = 2 ** 24

const compressions: Readonly<Record<number, Compression>> = {
  1: 'zlib',
  3: 'lzo',
  4: 'xz',
  5: 'lz4',
  6: 'zst',
}

export interface Squashfs {
  readonly compression: Compression
  /** Lists the names in the root folder. */
  list(): Promise<string[]>
  /** Returns a file of at most `maxBytes`. Follows symbolic links inside the file system. */
  read(path: string, maxBytes: number): Promise<Buffer>
  /** Yields all files, without links. Throws `InspectionError` if there are very many. */
  files(): AsyncGenerator<SquashfsFile, void, undefined>
}

type FileInode = Inode & { type: 'file' }
type Spend = (bytes: number) => void

/** A file. `open` returns its content, whose blocks are decompressed when they are read. */
export type SquashfsFile = { path: string; open(spend: Spend): Promise<ByteSource> }

/** Opens a squashfs 4.0 file system (https://docs.kernel.org/filesystems/squashfs.html) at an offset in a file. */
export async function openSquashfs(source: ByteSource, start: number): Promise<Squashfs> {
  const { compression, blockBytes, rootReference, inodeTable, directoryTable, fragmentTable } =
    await readSuperblock(source, start)

  const unpack: Unpack = async (offset, length, isCompressed, maxBytes) => {
    // A block that compression would enlarge is stored uncompressed, so no block is longer than `maxBytes`.
    if (length > maxBytes) throw new InspectionError(damaged)
    const bytes = await readBytes(source, start + offset, length, damaged)
    return decompress(bytes, isCompressed ? compression : 'none', { maxBytes, reason: damaged })
  }

  const readMetadata = createMetadataReader(source, start, unpack)

  const findInode = (block: number, offset: number): Promise<Inode> =>
    readInode((length) => readMetadata(inodeTable + block, offset, length), blockBytes)

  const listFolder = async (inode: Inode): Promise<DirectoryEntry[]> => {
    if (inode.type !== 'folder') return []
    return readEntries(await readMetadata(directoryTable + inode.block, inode.offset, inode.sizeBytes))
  }

  const resolve = async (path: string): Promise<Inode> => {
    const root = await findInode(Math.floor(rootReference / 2 ** 16), rootReference % 2 ** 16)
    return resolvePath({ listFolder, findInode }, root, path)
  }

  const readFragment = async (index: number): Promise<Buffer> => {
    const pointer = await readBytes(source, start + fragmentTable + Math.floor(index / 512) * 8, 8, damaged)
    const block = parseOr(damaged, () => readUint64(pointer, 0, 'LE'))
    const entry = await readMetadata(block, (index % 512) * fragmentBytes, fragmentBytes)
    const size = entry.readUInt32LE(8)
    const offset = parseOr(damaged, () => readUint64(entry, 0, 'LE'))
    return unpack(offset, size % isStored, size < isStored, blockBytes)
  }

  const readBlock = async (offset: number, size: number): Promise<Buffer> => {
    const length = size % isStored
    // A length of 0 stands for a block of zeros.
    return length === 0 ? Buffer.alloc(blockBytes) : unpack(offset, length, size < isStored, blockBytes)
  }

  const content = { blockBytes, readBlock, readFragment }
  const openFile = (inode: FileInode, spend: Spend): ByteSource => openBlocks(content, inode, spend)

  return {
    compression,
    async list() {
      return (await listFolder(await resolve(''))).map(({ name }) => name)
    },
    async read(path, maxBytes) {
      const inode = await resolve(path)
      if (inode.type !== 'file' || inode.sizeBytes > maxBytes)
        throw new InspectionError('A file in the squashfs file system is too large.')
      return openFile(inode, () => {}).read(0, inode.sizeBytes)
    },
    async *files() {
      yield* walkFiles({ listFolder, findInode, openFile }, await resolve(''))
    },
  }
}

async function readSuperblock(source: ByteSource, start: number) {
  const superblock = await readBytes(source, start, superblockBytes, damaged)
  const compression = compressions[superblock.readUInt16LE(20)]
  const blockBytes = superblock.readUInt32LE(12)
  if (superblock.toString('latin1', 0, 4) !== 'hsqs' || blockBytes > maxBlockBytes)
    throw new InspectionError(damaged)
  if (compression === undefined)
    throw new InspectionError('The squashfs file system is compressed with an unsupported method.')
  const at = (offset: number) => parseOr(damaged, () => readUint64(superblock, offset, 'LE'))
  const [rootReference, inodeTable, directoryTable, fragmentTable] = [at(32), at(64), at(72), at(80)]
  return { compression, blockBytes, rootReference, inodeTable, directoryTable, fragmentTable }
}

type Unpack = (offset: number, length: number, isCompressed: boolean, maxBytes: number) => Promise<Buffer>

/** Creates a function that reads metadata, which is a sequence of compressed blocks, from an offset in a block. */
function createMetadataReader(source: ByteSource, start: number, unpack: Unpack) {
  const blocks = new Map<number, { data: Buffer; next: number }>()

  const readBlock = async (position: number): Promise<{ data: Buffer; next: number }> => {
    if (blocks.size >= maxMetadataBlocks) throw new InspectionError(damaged)
    const header = (await readBytes(source, start + position, 2, damaged)).readUInt16LE(0)
    const length = header & 0x7fff
    const data = await unpack(position + 2, length, (header & 0x8000) === 0, metadataBytes)
    if (data.length === 0) throw new InspectionError(damaged)
    return { data, next: position + 2 + length }
  }

  return async (block: number, offset: number, length: number): Promise<Buffer> => {
    const chunks: Buffer[] = []
    let position = block
    for (let found = -offset; found < length;) {
      const known = blocks.get(position) ?? (await readBlock(position))
      blocks.set(position, known)
      chunks.push(known.data)
      found += known.data.length
      position = known.next
    }
    return parseOr(damaged, () => slice(Buffer.concat(chunks), offset, length))
  }
}

/** Follows a path from the root, and the symbolic links on it. */
async function resolvePath(
  { listFolder, findInode }: Pick<Folders, 'listFolder' | 'findInode'>,
  root: Inode,
  path: string,
): Promise<Inode> {
  const open = path.split('/').reverse()
  let inode = root
  let steps = 0
  let folder: string[] = []
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === '' || name === '.') continue
    if (++steps > maxSteps) throw new InspectionError('A path in the squashfs file system is too long.')
    const entry = (await listFolder(inode)).find((found) => found.name === name)
    if (entry === undefined) throw new InspectionError('A file in the squashfs file system does not exist.')
    inode = await findInode(entry.block, entry.offset)
    if (inode.type !== 'link') {
      folder.push(name)
      continue
    }
    if (inode.target.startsWith('/')) throw new InspectionError(damaged)
    // A link is resolved from the root, because a folder does not contain the position of its parent.
    open.push(...joinPath(folder, inode.target).reverse())
    inode = root
    folder = []
  }
  return inode
}

type Content = {
  blockBytes: number
  readBlock: (offset: number, size: number) => Promise<Buffer>
  readFragment: (index: number) => Promise<Buffer>
}

/** Returns the content of a file, whose blocks are decompressed when they are read. */
function openBlocks(
  { blockBytes, readBlock, readFragment }: Content,
  inode: FileInode,
  spend: Spend,
): ByteSource {
  const { sizeBytes, blockSizes, fragment } = inode
  const offsets: number[] = []
  let end = inode.block
  for (const size of blockSizes) {
    offsets.push(end)
    end += size % isStored
  }
  const load = async (index: number): Promise<Buffer> => {
    const offset = offsets[index]
    // Decompressing a small block takes almost as long.
    spend(Math.max(blockBytes, minBlockCost))
    if (offset !== undefined) return readBlock(offset, blockSizes[index] ?? 0)
    if (fragment === undefined) throw new InspectionError(damaged)
    return (await readFragment(fragment)).subarray(inode.offset)
  }
  let latest: { index: number; block: Promise<Buffer> } | undefined
  return {
    sizeBytes,
    async read(at, length) {
      if (at < 0 || length < 0 || at + length > sizeBytes) throw new InspectionError(damaged)
      const bytes = Buffer.alloc(length)
      for (let position = at; position < at + length;) {
        const index = Math.floor(position / blockBytes)
        if (latest?.index !== index) latest = { index, block: load(index) }
        const block = await latest.block
        const copied = block.copy(bytes, position - at, position % blockBytes)
        if (copied === 0) throw new InspectionError(damaged)
        position += copied
      }
      return bytes
    },
  }
}

type Folders = {
  listFolder: (inode: Inode) => Promise<DirectoryEntry[]>
  findInode: (block: number, offset: number) => Promise<Inode>
  openFile: (inode: FileInode, spend: Spend) => ByteSource
}

/** Yields the files in a folder and the folders in it, without links. */
async function* walkFiles(
  { listFolder, findInode, openFile }: Folders,
  root: Inode,
): AsyncGenerator<SquashfsFile, void, undefined> {
  const open = [{ inode: root, prefix: '', depth: 0 }]
  const visited = new Set<string>()
  let listedBytes = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    listedBytes += folder.inode.type === 'folder' ? folder.inode.sizeBytes : 0
    if (listedBytes > maxListedBytes)
      throw new InspectionError('The squashfs file system contains too many files.')
    for (const { name, block, offset, type } of await listFolder(folder.inode)) {
      const path = `${folder.prefix}${name}`
      const position = `${block}:${offset}`
      // Files can be hard links to the same inode.
      if (visited.has(position)) continue
      visited.add(position)
      if (type === inodeType.folder && folder.depth < maxSteps)
        open.push({ inode: await findInode(block, offset), prefix: `${path}/`, depth: folder.depth + 1 })
      if (type !== inodeType.file) continue
      yield {
        path,
        async open(spend) {
          const inode = await findInode(block, offset)
          if (inode.type !== 'file') throw new InspectionError(damaged)
          return openFile(inode, spend)
        },
      }
    }
  }
}

/** Resolves the relative target of a link in a folder. Returns the names on the path from the root. */
function joinPath(folder: readonly string[], target: string): string[] {
  const names = [...folder]
  for (const name of target.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}
