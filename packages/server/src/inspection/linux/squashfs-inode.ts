import { parseOr, readUint64, slice } from '../bytes.ts'
import { InspectionError } from '../inspection.ts'

const damaged = 'The squashfs file system is damaged.'
const noFragment = 0xffffffff
const maxFolderBytes = 2 ** 20
/** The sizes of 16,384 blocks are read at once. */
const maxFileBytes = 2 ** 31
const maxBlocks = 16_384
const maxTargetBytes = 4096

export const inodeType = { folder: 1, file: 2, link: 3, extendedFolder: 8, extendedFile: 9, extendedLink: 10 }

/** A file, folder or symbolic link. The block and offset locate its content. */
export type Inode =
  | { type: 'folder'; block: number; offset: number; sizeBytes: number }
  | {
      type: 'file'
      block: number
      offset: number
      sizeBytes: number
      blockSizes: number[]
      fragment: number | undefined
    }
  | { type: 'link'; target: string }
  | { type: 'other' }

/** An entry of a folder, with the position of its inode. */
export type DirectoryEntry = { name: string; block: number; offset: number; type: number }

/** Reads an inode. `read` returns the given number of bytes from the start of the inode. */
export async function readInode(
  read: (length: number) => Promise<Buffer>,
  blockBytes: number,
): Promise<Inode> {
  const type = (await read(2)).readUInt16LE(0)
  switch (type) {
    case inodeType.folder: {
      const bytes = await read(32)
      return folder(bytes.readUInt32LE(16), bytes.readUInt16LE(26), bytes.readUInt16LE(24))
    }
    case inodeType.extendedFolder: {
      const bytes = await read(40)
      return folder(bytes.readUInt32LE(24), bytes.readUInt16LE(34), bytes.readUInt32LE(20))
    }
    case inodeType.file: {
      const bytes = await read(32)
      const [block, fragment, offset, sizeBytes] = [16, 20, 24, 28].map((at) => bytes.readUInt32LE(at))
      return file({ block, fragment, offset, sizeBytes, headerBytes: 32 }, read, blockBytes)
    }
    case inodeType.extendedFile: {
      const bytes = await read(56)
      const [block, sizeBytes] = parseOr(damaged, () => [16, 24].map((at) => readUint64(bytes, at, 'LE')))
      const [fragment, offset] = [44, 48].map((at) => bytes.readUInt32LE(at))
      return file({ block, fragment, offset, sizeBytes, headerBytes: 56 }, read, blockBytes)
    }
    case inodeType.link:
    case inodeType.extendedLink: {
      const length = (await read(24)).readUInt32LE(20)
      if (length > maxTargetBytes) throw new InspectionError(damaged)
      return { type: 'link', target: (await read(24 + length)).toString('utf8', 24) }
    }
    default:
      return { type: 'other' }
  }
}

/** The size of a folder includes three bytes for `.` and `..`, which are not stored. */
function folder(block: number, offset: number, size: number): Inode {
  if (size > maxFolderBytes) throw new InspectionError('A folder in the squashfs file system is too large.')
  return { type: 'folder', block, offset, sizeBytes: Math.max(size - 3, 0) }
}

type FileFields = { headerBytes: number } & Record<
  'block' | 'fragment' | 'offset' | 'sizeBytes',
  number | undefined
>

async function file(
  { block = 0, fragment = 0, offset = 0, sizeBytes = 0, headerBytes }: FileFields,
  read: (length: number) => Promise<Buffer>,
  blockBytes: number,
): Promise<Inode> {
  if (sizeBytes > maxFileBytes || blockBytes < 4096) return { type: 'other' }
  const hasFragment = fragment !== noFragment
  const count = hasFragment ? Math.floor(sizeBytes / blockBytes) : Math.ceil(sizeBytes / blockBytes)
  if (count > maxBlocks) return { type: 'other' }
  const sizes = (await read(headerBytes + count * 4)).subarray(headerBytes)
  return {
    type: 'file',
    block,
    offset,
    sizeBytes,
    blockSizes: Array.from({ length: count }, (_, index) => sizes.readUInt32LE(index * 4)),
    fragment: hasFragment ? fragment : undefined,
  }
}

/** Reads the entries of a folder, which are stored in groups whose inodes are in the same block. */
export function readEntries(bytes: Buffer): DirectoryEntry[] {
  return parseOr(damaged, () => {
    const entries: DirectoryEntry[] = []
    for (let at = 0; at < bytes.length;) {
      const count = bytes.readUInt32LE(at) + 1
      const block = bytes.readUInt32LE(at + 4)
      at += 12
      for (let index = 0; index < count; index++) {
        const nameBytes = bytes.readUInt16LE(at + 6) + 1
        entries.push({
          name: slice(bytes, at + 8, nameBytes).toString('utf8'),
          block,
          offset: bytes.readUInt16LE(at),
          type: bytes.readUInt16LE(at + 4),
        })
        at += 8 + nameBytes
      }
    }
    return entries
  })
}
