import { decompress, type Compression } from '../archives/decompress.ts'
import { parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'
import { readEntries, readInode, type DirectoryEntry, type Inode } from './squashfs-inode.ts'

const damaged = 'The squashfs file system is damaged.'
const superblockBytes = 96
const metadataBytes = 8192
const maxBlockBytes = 2 ** 20
const maxMetadataBlocks = 4096
/** The maximum number of names in a path, including those in the targets of links. */
const maxSteps = 64
const fragmentBytes = 16
const isStored = 2 ** 24

const compressions: Readonly<Record<number, Compression>> = { 1: 'zlib', 4: 'xz', 6: 'zst' }

export interface Squashfs {
  /** Lists the names in the root folder. */
  list(): Promise<string[]>
  /** Returns a file of at most `maxBytes`. Follows symbolic links inside the file system. */
  read(path: string, maxBytes: number): Promise<Buffer>
}

/** Opens a squashfs 4.0 file system (https://docs.kernel.org/filesystems/squashfs.html) at an offset in a file. */
export async function openSquashfs(source: ByteSource, start: number): Promise<Squashfs> {
  const superblock = await readBytes(source, start, superblockBytes, damaged)
  const compression = compressions[superblock.readUInt16LE(20)]
  const blockBytes = superblock.readUInt32LE(12)
  if (superblock.toString('latin1', 0, 4) !== 'hsqs' || blockBytes > maxBlockBytes)
    throw new InspectionError(damaged)
  if (compression === undefined)
    throw new InspectionError('The squashfs file system is compressed with an unsupported method.')
  const at = (offset: number) => parseOr(damaged, () => readUint64(superblock, offset, 'LE'))
  const [rootReference, inodeTable, directoryTable, fragmentTable] = [at(32), at(64), at(72), at(80)]
  const blocks = new Map<number, { data: Buffer; next: number }>()

  const unpack = async (
    offset: number,
    length: number,
    isCompressed: boolean,
    maxBytes: number,
  ): Promise<Buffer> => {
    // A block that compression would enlarge is stored uncompressed, so no block is longer than `maxBytes`.
    if (length > maxBytes) throw new InspectionError(damaged)
    const bytes = await readBytes(source, start + offset, length, damaged)
    return decompress(bytes, isCompressed ? compression : 'none', { maxBytes, reason: damaged })
  }

  /** Reads metadata, which is a sequence of compressed blocks, from an offset in a block. */
  const readMetadata = async (block: number, offset: number, length: number): Promise<Buffer> => {
    const chunks: Buffer[] = []
    let position = block
    for (let found = -offset; found < length;) {
      const known = blocks.get(position) ?? (await readMetadataBlock(position))
      blocks.set(position, known)
      chunks.push(known.data)
      found += known.data.length
      position = known.next
    }
    return parseOr(damaged, () => slice(Buffer.concat(chunks), offset, length))
  }

  const readMetadataBlock = async (position: number): Promise<{ data: Buffer; next: number }> => {
    if (blocks.size >= maxMetadataBlocks) throw new InspectionError(damaged)
    const header = (await readBytes(source, start + position, 2, damaged)).readUInt16LE(0)
    const length = header & 0x7fff
    const data = await unpack(position + 2, length, (header & 0x8000) === 0, metadataBytes)
    if (data.length === 0) throw new InspectionError(damaged)
    return { data, next: position + 2 + length }
  }

  const findInode = (block: number, offset: number): Promise<Inode> =>
    readInode((length) => readMetadata(inodeTable + block, offset, length), blockBytes)

  const listFolder = async (inode: Inode): Promise<DirectoryEntry[]> => {
    if (inode.type !== 'folder') return []
    return readEntries(await readMetadata(directoryTable + inode.block, inode.offset, inode.sizeBytes))
  }

  const resolve = async (path: string): Promise<Inode> => {
    const root = await findInode(Math.floor(rootReference / 2 ** 16), rootReference % 2 ** 16)
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

  const readFragment = async (index: number): Promise<Buffer> => {
    const pointer = await readBytes(source, start + fragmentTable + Math.floor(index / 512) * 8, 8, damaged)
    const block = parseOr(damaged, () => readUint64(pointer, 0, 'LE'))
    const entry = await readMetadata(block, (index % 512) * fragmentBytes, fragmentBytes)
    const size = entry.readUInt32LE(8)
    const offset = parseOr(damaged, () => readUint64(entry, 0, 'LE'))
    return unpack(offset, size % isStored, size < isStored, blockBytes)
  }

  return {
    async list() {
      return (await listFolder(await resolve(''))).map(({ name }) => name)
    },
    async read(path, maxBytes) {
      const inode = await resolve(path)
      if (inode.type !== 'file' || inode.sizeBytes > maxBytes)
        throw new InspectionError('A file in the squashfs file system is too large.')
      const chunks: Buffer[] = []
      let offset = inode.block
      for (const size of inode.blockSizes) {
        const length = size % isStored
        // A length of 0 stands for a block of zeros.
        chunks.push(
          length === 0 ? Buffer.alloc(blockBytes) : await unpack(offset, length, size < isStored, blockBytes),
        )
        offset += length
      }
      if (inode.fragment !== undefined)
        chunks.push((await readFragment(inode.fragment)).subarray(inode.offset))
      return parseOr(damaged, () => slice(Buffer.concat(chunks), 0, inode.sizeBytes))
    },
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
