import { join, patch, u16, u32, u32be, u64, type HostileArchive } from './bytes.ts'

/** Yields malformed executables and libraries for Linux and Apple platforms. */
export function* hostileExecutables(): Generator<HostileArchive> {
  for (const [format, cases] of Object.entries({ elf: elfCases(), 'mach-o': machOCases() }))
    for (const [name, bytes] of Object.entries(cases))
      yield { name: `${format}: ${name}`, filetype: 'none', bytes }
}

type ElfOptions = {
  segments?: [type: number, offset: number, address: number, size: number][]
  count?: number
  body?: Buffer
}

/** Returns a 64-bit ELF file whose segments follow the header, and then its body. */
function elf({ segments = [], count = segments.length, body = Buffer.alloc(0) }: ElfOptions = {}): Buffer {
  const header = Buffer.alloc(64)
  header.write('\u007fELF\u0002\u0001\u0001', 'latin1')
  u16(3, 0x3e).copy(header, 16)
  u64(0, 64, 0).copy(header, 24)
  u16(64, 56, count, 64, 0, 0).copy(header, 52)
  const table = segments.map(([type, offset, address, size]) =>
    join(u32(type, 4), u64(offset, address, address, size, size, 4)),
  )
  return Buffer.concat([header, ...table, body])
}

function elfCases(): Record<string, Buffer> {
  const at = (index: number) => 64 + index * 56
  const dynamic = (entries: [number, number][]) => Buffer.concat(entries.map((entry) => u64(...entry)))
  const withDynamic = (entries: [number, number][], strings: Buffer, loaded = 2 ** 40) => {
    const body = dynamic(entries)
    return elf({
      segments: [
        [2, at(2), at(2), body.length],
        [1, 0, 0, loaded],
      ],
      body: join(body, strings),
    })
  }
  const strings = at(2) + 4 * 16
  return {
    'only the first bytes': Buffer.from('\u007fELF'),
    'header without segments': elf(),
    'truncated header': elf().subarray(0, 40),
    '65,535 segments': elf({ count: 0xffff }),
    'segments beyond the end': patch(elf({ count: 3 }), 32, u64(2 ** 50)),
    'sections beyond the end': patch(patch(elf(), 40, u64(2 ** 50)), 60, u16(0xffff)),
    'dynamic section beyond the end': elf({ segments: [[2, 2 ** 40, 0, 100]] }),
    'dynamic section of 2^60 bytes': elf({ segments: [[2, 64, 0, 2 ** 60]] }),
    'strings at an address without content': withDynamic(
      [
        [1, 1],
        [5, 2 ** 45],
        [10, 10],
        [0, 0],
      ],
      Buffer.from('\0a\0'),
    ),
    'strings of 2^60 bytes': withDynamic(
      [
        [1, 1],
        [5, strings],
        [10, 2 ** 60],
        [0, 0],
      ],
      Buffer.from('\0a\0'),
      2 ** 61,
    ),
    'strings beyond the end': withDynamic(
      [
        [1, 1],
        [5, strings],
        [10, 5000],
        [0, 0],
      ],
      Buffer.from('\0a\0'),
    ),
    'names beyond the strings': withDynamic(
      [
        [1, 2 ** 33],
        [5, strings],
        [10, 3],
        [0, 0],
      ],
      Buffer.from('\0a\0'),
    ),
    'names without an end': withDynamic(
      [
        [14, 0],
        [5, strings],
        [10, 50_000],
        [0, 0],
      ],
      Buffer.alloc(50_000, 'a'),
    ),
    'names of control characters': withDynamic(
      [
        [1, 0],
        [5, strings],
        [10, 6],
        [0, 0],
      ],
      Buffer.from('\u001b[2J\u0007\0'),
    ),
    '60,000 dependencies': withDynamic(
      [[5, 0], [10, 10], ...Array.from({ length: 60_000 }, (): [number, number] => [1, 1])],
      Buffer.alloc(16),
    ),
    'note of 4 GB': elf({
      segments: [[4, at(1), 0, 100]],
      body: join(u32(4, 0xffffffff, 3), 'GNU\0', Buffer.alloc(200)),
    }),
    'note with a name of 4 GB': elf({
      segments: [[4, at(1), 0, 100]],
      body: join(u32(0xffffffff, 4, 3), Buffer.alloc(200)),
    }),
    'empty notes': elf({ segments: [[4, at(1), 0, 60_000]], body: Buffer.alloc(60_000) }),
    'many segments of notes': elf({
      segments: Array.from(
        { length: 1000 },
        () => [4, at(1000), 0, 60_000] as [number, number, number, number],
      ),
      body: Buffer.alloc(60_000),
    }),
    'version that is too short': elf({
      segments: [[4, at(1), 0, 20]],
      body: join(u32(4, 4, 1), 'GNU\0', u32(0)),
    }),
    'metadata that is not JSON': elf({
      segments: [[4, at(1), 0, 20]],
      body: join(u32(4, 4, 0xcafe1a7e), 'FDO\0', '{{{{'),
    }),
    'metadata that is null': elf({
      segments: [[4, at(1), 0, 20]],
      body: join(u32(4, 4, 0xcafe1a7e), 'FDO\0', 'null'),
    }),
    'notes of 32-bit big-endian files': patch(elf({ count: 1 }), 4, Buffer.from([1, 2])),
  }
}

/** Returns a Mach-O file for Apple silicon with these load commands. */
function machO(
  commands: [type: number, content: Buffer][],
  options: { count?: number; bytes?: number } = {},
): Buffer {
  const table = commands.map(([type, content]) => join(u32(type, content.length + 8), content))
  const length = table.reduce((total, { length: bytes }) => total + bytes, 0)
  return join(
    u32(0xfeedfacf, 0x0100000c, 0, 2, options.count ?? commands.length, options.bytes ?? length, 0, 0),
    ...table,
  )
}

function machOCases(): Record<string, Buffer> {
  const signed = (signature: Buffer, sizeBytes = signature.length) => {
    const unsigned = machO([[0x1d, u32(48, sizeBytes)]])
    return join(unsigned, signature)
  }
  const blobs = (count: number, ...fields: (Buffer | string)[]) =>
    join(u32be(0xfade0cc0, 0, count), ...fields, Buffer.alloc(200))
  const directory = (values: Record<number, Buffer>) =>
    blobs(
      1,
      u32be(0, 20),
      Object.entries(values).reduce(
        (bytes, [at, value]) => patch(bytes, Number(at), value),
        join(
          u32be(0xfade0c02, 100, 0x20400, 0, 88, 44, 0, 1, 48),
          Buffer.from([32, 2, 0, 12]),
          Buffer.alloc(60),
        ),
      ),
    )
  const universal = (count: number, ...entries: Buffer[]) =>
    join(u32be(0xcafebabe, count), ...entries, Buffer.alloc(5000))
  return {
    'only the first bytes': Buffer.from('cffaedfe', 'hex'),
    'no commands': machO([]),
    'commands beyond the end': machO([], { count: 10, bytes: 5000 }),
    'commands of 4 GB': machO([], { bytes: 0xffffffff }),
    'command of length 0': patch(machO([[0x0c, Buffer.alloc(16)]]), 36, u32(0)),
    'command of 4 GB': patch(machO([[0x0c, Buffer.alloc(16)]]), 36, u32(0xffffffff)),
    'name beyond the command': machO([[0x0c, u32(0xfffffff0, 0, 0, 0)]]),
    'name without an end': machO([[0x0c, join(u32(24, 0, 0, 0), Buffer.alloc(50_000, 'a'))]]),
    'name of control characters': machO([[0x0d, join(u32(24, 0, 0, 0), '\u001b[2J\0')]]),
    'library without a name': machO([[0x0d, Buffer.alloc(0)]]),
    '10,000 libraries': machO(
      Array.from({ length: 10_000 }, () => [0x0c, join(u32(24, 0, 0, 0), 'a\0\0\0')]),
    ),
    'version that is too short': machO([[0x32, Buffer.alloc(2)]]),
    'unknown system': machO([[0x32, u32(999, 0xffffffff, 0, 0)]]),
    'Info.plist beyond the end': machO([
      [
        0x19,
        join(
          Buffer.alloc(64),
          '__info_plist\0\0\0\0',
          Buffer.alloc(16),
          u64(0, 5000),
          u32(0xffffff),
          Buffer.alloc(28),
        ),
      ],
    ]),
    'Info.plist that is damaged': machO([
      [
        0x19,
        join(
          Buffer.alloc(64),
          '__info_plist\0\0\0\0',
          Buffer.alloc(16),
          u64(0, 50),
          u32(0),
          Buffer.alloc(28),
        ),
      ],
    ]),
    'signature beyond the end': signed(Buffer.alloc(0), 5000),
    'signature of 4 GB': signed(Buffer.alloc(100), 0xfffffff0),
    'signature of zeros': signed(Buffer.alloc(500)),
    'signature with 2^32 parts': signed(blobs(0xffffffff)),
    'signature without a directory': signed(blobs(0)),
    'part beyond the signature': signed(blobs(1, u32be(0, 0xfffffff0))),
    'part that contains the signature': signed(blobs(2, u32be(0, 0), u32be(0x10000, 0))),
    'directory with 2^32 pages': signed(directory({ 28: u32be(0xffffffff) })),
    'directory with 2^32 other digests': signed(directory({ 24: u32be(0xffffffff) })),
    'directory with pages of 2^255 bytes': signed(directory({ 39: Buffer.from([255]) })),
    'directory with digests of 0 bytes': signed(directory({ 36: Buffer.from([0]) })),
    'directory with an unknown digest': signed(directory({ 37: Buffer.from([99]) })),
    'directory with digests before it': signed(directory({ 16: u32be(0), 24: u32be(1) })),
    'directory with a name beyond it': signed(directory({ 20: u32be(0xfffffff0) })),
    '20 architectures of nothing': universal(20),
    'architecture that is the file itself': universal(1, u32be(7, 3, 0, 5028, 0)),
    'architecture beyond the end': universal(1, u32be(7, 3, 0xfffffff0, 0xffff, 0)),
    'architectures that overlap': universal(2, u32be(7, 3, 48, 100, 0), u32be(12, 3, 48, 100, 0), machO([])),
  }
}
