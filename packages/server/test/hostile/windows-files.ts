import { join, patch, u16, u32, type HostileArchive } from './bytes.ts'

/** Yields malformed Windows executables and installers. */
export function* hostileWindowsFiles(): Generator<HostileArchive> {
  for (const [name, bytes] of Object.entries(executableCases()))
    yield { name: `exe: ${name}`, filetype: 'exe', bytes }
  for (const [name, bytes] of Object.entries(installerCases()))
    yield { name: `msi: ${name}`, filetype: 'msi', bytes }
}

const sectionAddress = 0x1000
const sectionOffset = 0x400

type ExecutableOptions = {
  resources?: Buffer
  certificates?: { offset: number; sizeBytes: number }
  after?: Buffer
  sectionCount?: number
  optionalBytes?: number
  sectionBytes?: number
}

/** Returns a 64-bit executable with one section, which contains the resources. */
function executable(options: ExecutableOptions = {}): Buffer {
  const {
    resources = Buffer.alloc(0),
    certificates = { offset: 0, sizeBytes: 0 },
    after = Buffer.alloc(0),
  } = options
  const dos = Buffer.alloc(0x80)
  dos.write('MZ')
  dos.writeUInt32LE(0x80, 0x3c)
  const optional = Buffer.alloc(240)
  optional.writeUInt16LE(0x20b, 0)
  optional.writeUInt16LE(6, 48)
  u32(sectionAddress, resources.length).copy(optional, 112 + 16)
  u32(certificates.offset, certificates.sizeBytes).copy(optional, 112 + 32)
  const file = join(
    'PE\0\0',
    u16(0x8664, options.sectionCount ?? 1),
    Buffer.alloc(12),
    u16(options.optionalBytes ?? optional.length, 0),
  )
  const section = join(
    '.rsrc\0\0\0',
    u32(resources.length, sectionAddress, options.sectionBytes ?? resources.length, sectionOffset),
    Buffer.alloc(16),
  )
  const headers = join(dos, file, optional, section)
  return join(headers, Buffer.alloc(sectionOffset - headers.length), resources, after)
}

type Child = { id: number; offset: number; isFolder?: boolean }

function folder(children: Child[], count = children.length): Buffer {
  const entries = children.map(({ id, offset, isFolder }) =>
    u32(id, offset + (isFolder === true ? 0x80000000 : 0)),
  )
  return join(Buffer.alloc(12), u16(0, count), ...entries)
}

/** Returns a resource tree with one resource. */
function resource(
  type: number,
  content: Buffer,
  options: { address?: number; sizeBytes?: number } = {},
): Buffer {
  const data = u32(options.address ?? sectionAddress + 88, options.sizeBytes ?? content.length, 0, 0)
  return join(
    folder([{ id: type, offset: 24, isFolder: true }]),
    folder([{ id: 1, offset: 48, isFolder: true }]),
    folder([{ id: 1033, offset: 72 }]),
    data,
    content,
  )
}

function executableCases(): Record<string, Buffer> {
  const valid = executable()
  const text = (value: string) => Buffer.from(value, 'utf16le')
  const block = (key: string, value: Buffer, length?: number, valueLength = value.length) => {
    const body = join(text(`${key}\0`), Buffer.alloc(2), value)
    return join(u16(length ?? 6 + body.length, valueLength, 0), body)
  }
  const version = (content: Buffer) => executable({ resources: resource(16, content) })
  let nested = block('a', Buffer.alloc(0))
  for (let depth = 0; depth < 1000; depth++) nested = block('StringFileInfo', nested, undefined, 0)
  const group = (count: number, id: number) => join(u16(0, 1, count), Buffer.alloc(12), u16(id))
  const bitmap = (width: number, height: number, bits = 32) =>
    join(u32(40, width, height), u16(1, bits), u32(0, 0, 0, 0, 0, 0), Buffer.alloc(1000))
  const certificate = (content: Buffer, sizeBytes = content.length + 8) =>
    executable({
      certificates: { offset: sectionOffset, sizeBytes },
      after: join(u32(content.length + 8), u16(0x200, 2), content),
    })
  return {
    'only the first bytes': Buffer.from('MZ'),
    'header beyond the end': patch(valid, 0x3c, u32(0xfffffff0)),
    'header at the start': patch(valid, 0x3c, u32(0)),
    'truncated header': valid.subarray(0, 0x90),
    'too many sections': executable({ sectionCount: 0xffff }),
    'optional header beyond the end': executable({ optionalBytes: 0xffff }),
    'no optional header': executable({ optionalBytes: 0 }),
    'section beyond the end': executable({
      resources: resource(16, block('a', text('b'))),
      sectionBytes: 0xffffffff,
    }),
    'folder that contains itself': executable({ resources: folder([{ id: 16, offset: 0, isFolder: true }]) }),
    'folder of 65,535 entries': executable({ resources: folder([], 0xffff) }),
    'folder beyond the section': executable({
      resources: folder([{ id: 16, offset: 0x7ffffff0, isFolder: true }]),
    }),
    'resource beyond the section': executable({
      resources: resource(16, Buffer.alloc(8), { address: 0xfffffff0 }),
    }),
    'resource of 4 GB': executable({ resources: resource(16, Buffer.alloc(8), { sizeBytes: 0xfffffff0 }) }),
    'empty version': version(Buffer.alloc(0)),
    'version of length 0': version(Buffer.alloc(100)),
    'version without a key': version(join(u16(100, 0, 0), Buffer.alloc(100, 0x41))),
    'version key without an end': version(join(u16(0xffff, 0, 0), Buffer.alloc(5000, 0x41))),
    'version value beyond the block': version(block('VS_VERSION_INFO', Buffer.alloc(52), undefined, 0xffff)),
    'nested versions': version(nested),
    'many blocks': version(block('VS_VERSION_INFO', Buffer.alloc(60_000, u16(6, 0, 0)), 60_040, 0)),
    'icon group of 65,535 images': executable({ resources: resource(14, group(0xffff, 1)) }),
    'icon group without images': executable({ resources: resource(14, group(0, 1)) }),
    'icon group that refers to nothing': executable({ resources: resource(14, group(1, 999)) }),
    'bitmap as the group': executable({ resources: resource(14, bitmap(0x7fffffff, 0x7fffffff)) }),
    'certificate beyond the end': executable({ certificates: { offset: 0xfffffff0, sizeBytes: 5000 } }),
    'certificate of 4 GB': certificate(Buffer.alloc(100), 0xfffffff0),
    'certificate that is not DER': certificate(Buffer.alloc(500, 0x41)),
    'certificate of indefinite length': certificate(Buffer.alloc(50_000, Buffer.from('3080', 'hex'))),
    'certificate of many elements': certificate(join(0x30, 0x83, 0x0f, 0x42, 0x40, Buffer.alloc(1_000_000))),
    'certificate of 0 bytes': executable({
      certificates: { offset: sectionOffset, sizeBytes: 8 },
      after: Buffer.alloc(8),
    }),
  }
}

type InstallerOptions = {
  sectorShift?: number
  directory?: number
  miniTable?: number
  extraTable?: number
  table?: number[]
  root?: { start: number; sizeBytes: number }
  pool?: Buffer
  streamBytes?: number
}

const endOfChain = 0xfffffffe
const free = 0xffffffff

/** Returns a compound file whose sectors contain the allocation table, the directory and the string pool. */
function installer(options: InstallerOptions = {}): Buffer {
  const header = Buffer.alloc(512)
  header.write('d0cf11e0a1b11ae1', 'hex')
  header.writeUInt16LE(options.sectorShift ?? 9, 30)
  const numbers = [
    1,
    options.directory ?? 1,
    0,
    4096,
    options.miniTable ?? endOfChain,
    0,
    options.extraTable ?? endOfChain,
  ]
  u32(...numbers).copy(header, 44)
  u32(0, ...Array.from({ length: 108 }, () => free)).copy(header, 76)
  const pool = join(options.pool ?? Buffer.alloc(0), Buffer.alloc(4096)).subarray(0, 4096)
  const chain = [0xfffffffd, endOfChain, 3, 4, 5, 6, 7, 8, 9, endOfChain]
  const table = options.table ?? [...chain, ...Array.from({ length: 118 }, () => free)]
  const sizeBytes = options.streamBytes ?? 4096
  const names = [
    '\u4840\u3f3f\u4577\u446c\u3e6a\u44b2\u482f',
    '\u4840\u3f3f\u4577\u446c\u3b6a\u45e4\u4824',
    '\u4840\u4559\u44f2\u4568\u4737',
  ]
  const directory = join(
    entry('Root Entry', 5, options.root?.start ?? endOfChain, options.root?.sizeBytes ?? 0),
    ...names.map((name) => entry(name, 2, 2, sizeBytes)),
  )
  return join(header, u32(...table), directory, pool)
}

function entry(name: string, type: number, start: number, sizeBytes: number): Buffer {
  const text = Buffer.from(name, 'utf16le')
  const head = join(join(text, Buffer.alloc(64)).subarray(0, 64), u16(text.length + 2), type, 1)
  return join(head, Buffer.alloc(48), u32(start, sizeBytes, 0))
}

function installerCases(): Record<string, Buffer> {
  const valid = installer()
  const looped = (from: number, to: number) =>
    installer({ table: Array.from({ length: 128 }, (_, sector) => (sector === from ? to : sector + 1)) })
  return {
    'only the first bytes': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'only a header': valid.subarray(0, 512),
    'sectors of 1 byte': installer({ sectorShift: 0 }),
    'sectors of 2^65535 bytes': installer({ sectorShift: 0xffff }),
    'sectors of 4 KiB beyond the end': installer({ sectorShift: 12 }),
    'directory beyond the end': installer({ directory: 0x0ffffff0 }),
    'directory that contains itself': looped(1, 1),
    'directory in a circle': looped(3, 1),
    'stream in a circle': looped(5, 2),
    'chain beyond the table': installer({ table: Array.from({ length: 128 }, () => 0x0ffffff0) }),
    'table in a circle': installer({ extraTable: 0 }),
    'table beyond the end': installer({ extraTable: 0x0ffffff0 }),
    'small streams without a root': installer({ streamBytes: 100 }),
    'small streams of 4 GB': installer({ streamBytes: 100, root: { start: 2, sizeBytes: 0xfffffff0 } }),
    'small streams in a circle': installer({
      streamBytes: 4000,
      root: { start: 2, sizeBytes: 4096 },
      miniTable: 2,
    }),
    'stream of 4 GB': installer({ streamBytes: 0xfffffff0 }),
    'empty streams': installer({ streamBytes: 0 }),
    'string of 4 GB': installer({ pool: join(u32(1252), u16(0, 1), u32(0xffffffff)) }),
    'string lengths beyond the data': installer({ pool: Buffer.alloc(4096, 0xff) }),
    'unknown code page': installer({ pool: u32(0x7fffffff) }),
    'strings of 3 bytes': installer({ pool: u32(0x80000000) }),
    'directory of zeros': patch(valid, 1024, Buffer.alloc(512)),
  }
}
