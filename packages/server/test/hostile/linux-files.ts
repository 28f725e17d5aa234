import { gzipSync, zstdCompressSync } from 'node:zlib'
import { join, patch, u16, u32, u32be, u64, type HostileArchive } from './bytes.ts'

/** Yields malformed Debian packages, RPM packages and AppImages. */
export function* hostileLinuxFiles(): Generator<HostileArchive> {
  for (const [name, bytes] of Object.entries(debianCases()))
    yield { name: `deb: ${name}`, filetype: 'deb', bytes }
  for (const [name, bytes] of Object.entries(appImageCases()))
    yield { name: `appimage: ${name}`, filetype: 'appimage', bytes }
  for (const [name, bytes] of Object.entries(rpmCases()))
    yield { name: `rpm: ${name}`, filetype: 'rpm', bytes }
}

function member(name: string, content: Buffer, sizeText = String(content.length)): Buffer {
  const header = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(12)}${'100644'.padEnd(8)}${sizeText.padEnd(10)}\`\n`
  return join(header, content, content.length % 2 === 0 ? '' : '\n')
}

const debian = (...members: Buffer[]): Buffer =>
  join('!<arch>\n', member('debian-binary', Buffer.from('2.0\n')), ...members)

function tarFile(
  name: string,
  content: Buffer,
  sizeText = content.length.toString(8).padStart(11, '0'),
): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 'latin1')
  header.write(sizeText, 124, 'latin1')
  header.write('0', 156, 'latin1')
  return join(header, content, Buffer.alloc((512 - (content.length % 512)) % 512))
}

function debianCases(): Record<string, Buffer> {
  const control = Buffer.from('Package: a\nVersion: 1\n')
  const tar = tarFile('./control', control)
  const zeros = Buffer.alloc(20 * 2 ** 20)
  const gzip = (content: Buffer) => debian(member('control.tar.gz', gzipSync(content)))
  return {
    'gzip bomb': debian(member('control.tar.gz', gzipSync(zeros))),
    'zstd bomb': debian(member('control.tar.zst', zstdCompressSync(zeros))),
    'zstd with a window of 2 GB': debian(
      member('control.tar.zst', Buffer.from('28b52ffd00a800000000', 'hex')),
    ),
    'xz without content': debian(member('control.tar.xz', Buffer.from('fd377a585a000004', 'hex'))),
    'xz that is not xz': debian(member('control.tar.xz', Buffer.alloc(5000, 0x5a))),
    'gzip that is not gzip': debian(member('control.tar.gz', Buffer.alloc(5000, 0x5a))),
    'gzip in many members': debian(
      member('control.tar.gz', join(...Array.from({ length: 5000 }, () => gzipSync(Buffer.alloc(10_000))))),
    ),
    'unknown compression': debian(member('control.tar.lzma', control)),
    'no control archive': debian(member('data.tar.gz', control)),
    'no members': Buffer.from('!<arch>\ndebian-binary'),
    'negative size': debian(member('other', control, '-100')),
    'size that is not a number': debian(member('other', control, 'abc')),
    'size beyond the end': debian(member('control.tar', tar, '9999999999')),
    'many empty members': debian(...Array.from({ length: 1000 }, (_, n) => member(`m${n}`, Buffer.alloc(0)))),
    'tar with a negative size': gzip(tarFile('./other', control, '-7777777777')),
    'tar with a size beyond the end': gzip(tarFile('./control', control, '77777777777')),
    'tar with a binary size': gzip(tarFile('./control', control, '\u00ff\u00ff\u00ff\u00ff')),
    'tar without control': gzip(tarFile('./other', control)),
    'tar with empty files': gzip(
      join(...Array.from({ length: 20_000 }, () => tarFile('./x', Buffer.alloc(0)))),
    ),
    'control that is a folder': gzip(patch(tar, 156, Buffer.from('5'))),
    'control of 2 MiB': gzip(tarFile('./control', Buffer.alloc(2 * 2 ** 20, 'a'))),
    'control without lines': gzip(tarFile('./control', Buffer.alloc(900_000, 'a'))),
    'control of colons': gzip(tarFile('./control', Buffer.alloc(900_000, ':'))),
    'control with control characters': gzip(
      tarFile('./control', Buffer.from('Package: a\0\u001b[2J\nVersion: \0')),
    ),
  }
}

type RpmEntry = [tag: number, type: number, offset: number, count: number]

function header(
  entries: RpmEntry[],
  values: Buffer,
  options: { count?: number; bytes?: number } = {},
): Buffer {
  const index = entries.map((entry) => u32be(...entry))
  const sizes = u32be(0x8eade801, 0, options.count ?? entries.length, options.bytes ?? values.length)
  return Buffer.concat([sizes, ...index, values])
}

function rpm(main: Buffer, signature = header([], Buffer.alloc(0))): Buffer {
  return join('\u00ed\u00ab\u00ee\u00db', Buffer.alloc(92), signature, main)
}

function rpmCases(): Record<string, Buffer> {
  const name: RpmEntry = [1000, 6, 0, 1]
  return {
    'only a lead': Buffer.concat([Buffer.from('edabeedb', 'hex'), Buffer.alloc(92)]),
    'no main header': rpm(Buffer.alloc(0)),
    'wrong signature': rpm(Buffer.alloc(16)),
    'index of 2^32 entries': rpm(header([name], Buffer.from('a\0'), { count: 0xffffffff })),
    'values of 4 GB': rpm(header([name], Buffer.from('a\0'), { bytes: 0xffffffff })),
    'signature of 4 GB': rpm(Buffer.alloc(0), header([], Buffer.alloc(0), { bytes: 0xfffffff0 })),
    'text beyond the values': rpm(header([[1000, 6, 0x7fffffff, 1]], Buffer.from('a\0'))),
    'text without an end': rpm(header([name], Buffer.alloc(5000, 'a'))),
    'number beyond the values': rpm(
      header(
        [
          [1003, 4, 1, 1],
          [1001, 6, 0, 1],
        ],
        Buffer.from('a\0'),
      ),
    ),
    'unknown type': rpm(header([[1000, 99, 0, 1]], Buffer.from('a\0'))),
    'long text': rpm(header([name], join(Buffer.alloc(5_000_000, 'a'), 0))),
    'many entries': rpm(
      header(
        Array.from({ length: 500_000 }, () => [1, 6, 0, 1] satisfies RpmEntry),
        Buffer.from('a\0'),
      ),
    ),
    'text of control characters': rpm(header([name], Buffer.from('\u001b[2J\u0007\0'))),
  }
}

type Folder = { name: string; inode: number }[]

type AppImageOptions = {
  /** The inodes, the first of which is the root. Each takes 32 bytes or more. */
  inodes?: Buffer[]
  entries?: Buffer
  compression?: number
  blockBytes?: number
  table?: number
  root?: number
}

/** Returns an AppImage whose metadata is not compressed. */
function appImage(options: AppImageOptions = {}): Buffer {
  const stored = (content: Buffer) => join(u16(0x8000 + content.length), content)
  const inodes = stored(Buffer.concat(options.inodes ?? [folderInode(3)]))
  const entries = stored(options.entries ?? Buffer.from([0]))
  const superblock = join(
    'hsqs',
    u32(1, 0, options.blockBytes ?? 131_072, 0),
    u16(options.compression ?? 1, 17, 0, 0, 4, 0),
    u64(options.root ?? 0, 0, 0, 0, options.table ?? 96, 96 + inodes.length, 96 + inodes.length, 0),
  )
  const elf = Buffer.alloc(64)
  elf.write('\u007fELF\u0002\u0001\u0001\u0000AI\u0002', 'latin1')
  elf.writeUInt16LE(0x3e, 18)
  elf.writeUInt32LE(64, 40)
  return Buffer.concat([elf, superblock, inodes, entries])
}

const folderInode = (size: number, block = 0, offset = 0): Buffer =>
  join(u16(1, 0, 0, 0), u32(0, 0, block, 1), u16(size, offset), u32(0))
const fileInode = (sizeBytes: number, block: number, fragment: number, ...sizes: number[]): Buffer =>
  join(u16(2, 0, 0, 0), u32(0, 0, block, fragment, 0, sizeBytes, ...sizes))
const linkInode = (target: string): Buffer =>
  join(u16(3, 0, 0, 0), u32(0, 0, 1, target.length), target, Buffer.alloc(Math.max(8 - target.length, 0)))

function folderEntries(folder: Folder, count = folder.length): Buffer {
  const entries = folder.map(({ name, inode }) => join(u16(inode, 0, 1, name.length - 1), name))
  return join(u32(count - 1, 0, 0), ...entries)
}

function appImageCases(): Record<string, Buffer> {
  const entries = folderEntries([
    { name: 'a.desktop', inode: 32 },
    { name: 'b', inode: 0 },
  ])
  const withInode = (inode: Buffer, options: AppImageOptions = {}) =>
    appImage({ inodes: [folderInode(entries.length + 3), inode], entries, ...options })
  return {
    'no file system': appImage().subarray(0, 64),
    'only a superblock': appImage().subarray(0, 160),
    'sections beyond the end': patch(appImage(), 40, Buffer.alloc(8, 0x7f)),
    'unknown compression': appImage({ compression: 99 }),
    'blocks of 4 GB': appImage({ blockBytes: 0xffffffff }),
    'blocks of 0 bytes': withInode(fileInode(100, 0, 0xffffffff, 100), { blockBytes: 0 }),
    'inodes beyond the end': appImage({ table: 2 ** 50 }),
    'root beyond the inodes': appImage({ root: 2 ** 40 }),
    'root that is a file': appImage({ inodes: [fileInode(0, 0, 0xffffffff)] }),
    'folder of 64 KiB without entries': appImage({ inodes: [folderInode(0xffff)] }),
    'folder of 2^32 entries': appImage({ inodes: [folderInode(30)], entries: folderEntries([], 2 ** 32) }),
    'folder that contains itself': withInode(linkInode('b/b/b/b/b/b/b/b/a.desktop')),
    'link to itself': withInode(linkInode('a.desktop')),
    'link with many folders': withInode(linkInode('b/'.repeat(1000))),
    'link to a parent folder': withInode(linkInode('../../../../etc/passwd')),
    'absolute link': withInode(linkInode('/etc/passwd')),
    'link of 4 GB': withInode(patch(linkInode('a'), 20, u32(0xffffffff))),
    'file of 4 GB': withInode(fileInode(0xffffffff, 0, 0xffffffff)),
    'file in a block of 16 MB': withInode(fileInode(100_000, 0, 0xffffffff, 0x1ffffff)),
    'file in a block beyond the end': withInode(fileInode(100_000, 0xffffff00, 0xffffffff, 1000)),
    'sparse file': withInode(fileInode(200_000, 0, 0xffffffff, 0, 0)),
    'fragment beyond the end': withInode(fileInode(100, 0, 0x7fffffff)),
    'device file': withInode(patch(fileInode(0, 0, 0), 0, u16(4))),
  }
}
