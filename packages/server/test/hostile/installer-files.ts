import { deflateSync } from 'node:zlib'
import { diskImage } from '../inspection/disk-images.ts'
import { join, patch, u16be, u32be, u64be, type HostileArchive } from './bytes.ts'

/** Yields malformed installer packages and disk images for macOS. */
export function* hostileInstallers(): Generator<HostileArchive> {
  for (const [format, cases] of Object.entries({
    pkg: packageCases(),
    dmg: imageCases(),
    hfs: volumeCases(),
  }))
    for (const [name, bytes] of Object.entries(cases))
      yield { name: `${format}: ${name}`, filetype: 'none', bytes }
}

type Sizes = { stored?: number; inflated?: number; headerBytes?: number }

/** Returns a XAR archive with this table of contents. */
function xar(table: string | Buffer, heap: Buffer = Buffer.alloc(100), sizes: Sizes = {}): Buffer {
  const xml = Buffer.from(table)
  const stored = deflateSync(xml)
  const lengths = u64be(sizes.stored ?? stored.length, sizes.inflated ?? xml.length)
  return join('xar!', u16be(sizes.headerBytes ?? 28, 1), lengths, u32be(1), stored, heap)
}

const toc = (content: string): string => `<xar><toc>${content}</toc></xar>`
const file = (name: string, data: string): string => `<file><name>${name}</name><data>${data}</data></file>`
const range = (offset: number | string, length: number | string, size = length): string =>
  `<offset>${offset}</offset><length>${length}</length><size>${size}</size>`

function packageCases(): Record<string, Buffer> {
  const info = '<pkg-info identifier="a" version="1"/>'
  const stored = file('PackageInfo', range(0, info.length))
  const heap = join(info, Buffer.alloc(200))
  const signed = (
    signature: string,
    checksum = '<checksum style="sha1"><size>20</size><offset>0</offset></checksum>',
  ) => xar(toc(`${checksum}<signature style="RSA">${signature}</signature>${stored}`), heap)
  let nested = 'a'
  for (let depth = 0; depth < 200; depth++) nested = `<file><name>a</name>${nested}</file>`
  return {
    'only the first bytes': Buffer.from('xar!'),
    'table of 2^63 bytes': xar(toc(''), heap, { stored: 2 ** 63 }),
    'table larger than declared': xar(toc('a'.repeat(1_000_000)), heap, { inflated: 10 }),
    'table that is a bomb': xar(Buffer.alloc(32 * 2 ** 20, ' '), heap),
    'table that is not zlib': patch(xar(toc('')), 28, Buffer.alloc(8, 0xff)),
    'table inside the header': xar(toc(''), heap, { headerBytes: 0 }),
    'table that is not XML': xar('not XML'),
    'table with entities': xar('<!DOCTYPE a [<!ENTITY a "b">]><xar><toc>&a;</toc></xar>'),
    'nested folders': xar(toc(nested)),
    'many files': xar(toc(file('a', range(0, 1)).repeat(20_000))),
    'many components': xar(
      toc(Array.from({ length: 500 }, (_, n) => `<file><name>a${n}</name>${stored}</file>`).join('')),
      heap,
    ),
    'file beyond the end': xar(toc(file('PackageInfo', range(5_000, 100))), heap),
    'file at a negative offset': xar(toc(file('PackageInfo', range(-5, 100))), heap),
    'file at an offset that is not a number': xar(toc(file('PackageInfo', range('1e999', 'NaN'))), heap),
    'file of 2^52 bytes': xar(toc(file('PackageInfo', range(0, 2 ** 52))), heap),
    'file without data': xar(toc('<file><name>PackageInfo</name><data/></file>'), heap),
    'file with an unknown encoding': xar(
      toc(file('PackageInfo', `${range(0, info.length)}<encoding style="application/x-lzma"/>`)),
      heap,
    ),
    'file that is a bomb': xar(
      toc(file('Distribution', `${range(0, 10_000, 100)}<encoding style="application/x-gzip"/>`)),
      deflateSync(Buffer.alloc(10 * 2 ** 20)),
    ),
    'document that is not XML': xar(toc(file('Distribution', range(0, 5))), heap),
    'document with many elements': xar(
      toc(file('Distribution', range(0, 2_000_000))),
      Buffer.from(`<a>${'<pkg-ref/>'.repeat(250_000)}</a>`),
    ),
    'signature beyond the end': signed('<offset>99999</offset><size>256</size>'),
    'signature without a certificate': signed('<offset>0</offset><size>20</size>'),
    'certificate that is not DER': signed(
      '<offset>0</offset><size>20</size><X509Certificate>QUJDREVG</X509Certificate>',
    ),
    'signature without a checksum': signed('<offset>0</offset><size>20</size>', ''),
    'unknown checksum': signed('<offset>0</offset><size>20</size>', '<checksum style="__proto__"/>'),
  }
}

function imageCases(): Record<string, Buffer> {
  const valid = diskImage(Buffer.alloc(4096, 'text'))
  const trailer = valid.length - 512
  const field = (at: number, ...numbers: number[]) => patch(valid, trailer + at, u64be(...numbers))
  const withPlist = (plist: string | Buffer) => {
    const bytes = Buffer.from(plist)
    return Buffer.concat([bytes, patch(valid.subarray(trailer), 216, u64be(0, bytes.length))])
  }
  const withTable = (table: Buffer) =>
    withPlist(
      `<plist><dict><key>resource-fork</key><dict><key>blkx</key><array><dict><key>Data</key><data>${table.toString('base64')}</data></dict></array></dict></dict></plist>`,
    )
  const table = (chunks: Buffer[], count = chunks.length, start = 0) =>
    withTable(join('mish', u32be(1), u64be(start, 8, 0), Buffer.alloc(168), u32be(count), ...chunks))
  const chunk = (type: number, ...numbers: [sector: number, count: number, offset: number, length: number]) =>
    join(u32be(type, 0), u64be(...numbers))
  return {
    'only a trailer': valid.subarray(trailer),
    'trailer of zeros': patch(valid, trailer + 12, Buffer.alloc(500)),
    'property list beyond the end': field(216, 2 ** 40, 1000),
    'property list of 2^60 bytes': field(216, 0, 2 ** 60),
    'property list that is damaged': withPlist('<plist>'),
    'property list without tables': withPlist('<plist><dict/></plist>'),
    'data at an offset of 2^62': field(24, 2 ** 62),
    'signature beyond the end': field(296, 2 ** 40, 1000),
    'signature of 2^60 bytes': field(296, 0, 2 ** 60),
    'signature of zeros': field(296, trailer, 100),
    'table that is too short': withTable(Buffer.from('mish')),
    'table in another format': withTable(Buffer.alloc(500)),
    'table with 2^32 chunks': table([], 0xffffffff),
    'table without chunks': table([]),
    'chunk of 2^60 sectors': table([chunk(0x80000005, 0, 2 ** 52, 0, 10)]),
    'chunk of zeros without an end': table([chunk(0, 0, 2 ** 43, 0, 0)]),
    'chunk beyond the end': table([chunk(0x80000005, 0, 8, 2 ** 40, 100)]),
    'chunk that is not zlib': table([chunk(0x80000005, 0, 8, 0, 50)]),
    'chunk that is not xz': table([chunk(0x80000008, 0, 8, 0, 50)]),
    'raw chunk beyond the end': table([chunk(1, 0, 2 ** 30, 0, 2 ** 39)]),
    'chunks that overlap': table(Array.from({ length: 1000 }, () => chunk(1, 0, 8, 0, 4096))),
    'chunks without sectors': table(Array.from({ length: 10_000 }, () => chunk(1, 0, 0, 0, 0))),
    'many partitions': withPlist(
      `<plist><dict><key>resource-fork</key><dict><key>blkx</key><array>${'<dict/>'.repeat(20_000)}</array></dict></dict></plist>`,
    ),
  }
}

type VolumeOptions = {
  blockBytes?: number
  nodeBytes?: number
  first?: number
  extent?: [number, number]
  node?: Buffer
  catalogBytes?: number
}

/** Returns an image of an HFS+ volume whose catalog consists of a header and one leaf node. */
function volume(options: VolumeOptions = {}): Buffer {
  const bytes = Buffer.alloc(64 * 1024)
  bytes.write('H+', 1024)
  bytes.writeUInt32BE(options.blockBytes ?? 4096, 1024 + 40)
  u64be(options.catalogBytes ?? 8192).copy(bytes, 1024 + 272)
  u32be(...(options.extent ?? [2, 2])).copy(bytes, 1024 + 288)
  bytes.writeUInt32BE(options.first ?? 1, 8192 + 24)
  bytes.writeUInt16BE(options.nodeBytes ?? 4096, 8192 + 32)
  ;(options.node ?? leaf([])).copy(bytes, 12_288)
  return diskImage(bytes, { method: 'raw' })
}

/** Returns a leaf node with these records and the links to the next node. */
function leaf(
  records: Buffer[],
  { next = 0, count = records.length, offsets = [] as number[] } = {},
): Buffer {
  const node = Buffer.alloc(4096)
  node.writeUInt32BE(next, 0)
  node.writeInt8(-1, 8)
  node.writeUInt16BE(count, 10)
  let at = 14
  for (const [index, record] of records.entries()) {
    record.copy(node, at)
    node.writeUInt16BE(offsets[index] ?? at, 4096 - 2 - index * 2)
    at += record.length
  }
  return node
}

function record(parent: number, name: string, data: Buffer): Buffer {
  const text = Buffer.from(name, 'utf16le').swap16()
  return join(u16be(6 + text.length), u32be(parent), u16be(name.length), text, data)
}

const folderRecord = (id: number): Buffer => join(u16be(1, 0), u32be(0, id), Buffer.alloc(76))
const fileRecord = (sizeBytes: number, start: number, count: number): Buffer =>
  join(
    u16be(2, 0),
    u32be(0, 99),
    Buffer.alloc(76),
    u64be(sizeBytes),
    u32be(0, 0, start, count),
    Buffer.alloc(56 + 80),
  )

function volumeCases(): Record<string, Buffer> {
  const app = (data: Buffer) =>
    volume({
      node: leaf([
        record(2, 'A.app', folderRecord(16)),
        record(16, 'Contents', folderRecord(17)),
        record(17, 'Info.plist', data),
      ]),
    })
  return {
    'empty catalog': volume(),
    'blocks of 0 bytes': volume({ blockBytes: 0 }),
    'blocks of 4 GB': volume({ blockBytes: 0xffffffff }),
    'nodes of 0 bytes': volume({ nodeBytes: 0 }),
    'catalog beyond the end': volume({ extent: [0xfffffff0, 0xffffffff] }),
    'catalog of 2^62 bytes': volume({ catalogBytes: 2 ** 62 }),
    'first node beyond the catalog': volume({ first: 0xffffffff }),
    'node that follows itself': volume({ node: leaf([], { next: 1 }) }),
    'node that is not a leaf': volume({ node: Buffer.alloc(4096) }),
    '65,535 records': volume({ node: leaf([], { count: 0xffff }) }),
    'record beyond the node': volume({ node: leaf([folderRecord(3)], { offsets: [0xfff0] }) }),
    'key beyond the node': volume({ node: leaf([u16be(0xffff)]) }),
    'name beyond the node': volume({ node: leaf([join(u16be(6), u32be(2), u16be(0xffff))]) }),
    'folder that contains itself': volume({ node: leaf([record(2, 'a', folderRecord(2))]) }),
    'folders in a circle': volume({
      node: leaf([
        record(2, 'a', folderRecord(3)),
        record(3, 'b', folderRecord(4)),
        record(4, 'c', folderRecord(3)),
      ]),
    }),
    'names of parent folders': volume({ node: leaf([record(2, '../..', folderRecord(3))]) }),
    'Info.plist of 2^52 bytes': app(fileRecord(2 ** 52, 0, 0xffffffff)),
    'Info.plist beyond the end': app(fileRecord(1000, 0xfffffff0, 1)),
    'Info.plist without blocks': app(fileRecord(1000, 0, 0)),
    'Info.plist of zeros': app(fileRecord(1000, 10, 1)),
  }
}
