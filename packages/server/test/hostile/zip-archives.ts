import { crc32, deflateRawSync } from 'node:zlib'
import { zip64File, zipFile, type ZipEntry, type ZipOptions } from '../inspection/zip-file.ts'
import { join, patch, u16, u32, type HostileArchive } from './bytes.ts'

/** The entry that inspection reads first, by file type. */
const mainEntries = {
  ipa: 'Payload/Quay.app/Info.plist',
  apk: 'AndroidManifest.xml',
  aab: 'base/manifest/AndroidManifest.xml',
  jar: 'META-INF/MANIFEST.MF',
  zip: 'Quay.app/Contents/Info.plist',
} as const

const zeros = deflateRawSync(Buffer.alloc(32 * 2 ** 20))
const mebibyte = 2 ** 20

type Case = { entries: ZipEntry[]; options?: ZipOptions } | Buffer

/** Yields malformed archives for each file type that uses the ZIP format, and archives with too many entries. */
export function* hostileZipArchives(): Generator<HostileArchive> {
  for (const [filetype, main] of Object.entries(mainEntries)) {
    for (const [name, found] of Object.entries({
      ...directoryCases(main),
      ...entryCases(main),
      ...brokenFiles(main),
    })) {
      const bytes = Buffer.isBuffer(found) ? found : zipFile(found.entries, found.options)
      yield { name: `${filetype}: ${name}`, filetype, bytes }
    }
  }
  const entry = { name: 'x' }
  const repeated = (count: number, declared = count) => zip64File(repeatEntry(entry, count), declared)
  yield { name: 'zip: a million entries', filetype: 'zip', bytes: repeated(1_000_000) }
  yield { name: 'apk: a million entries', filetype: 'apk', bytes: repeated(1_000_000) }
  yield { name: 'zip: more entries than the limit', filetype: 'zip', bytes: repeated(1_000_001) }
  yield { name: 'apk: more entries than the limit', filetype: 'apk', bytes: repeated(1_000_001) }
  yield { name: 'apk: a million entries that are not there', filetype: 'apk', bytes: repeated(1, 1_000_000) }
  yield { name: 'ipa: 2^52 entries', filetype: 'ipa', bytes: repeated(1, 2 ** 52) }
  const named = `Payload/\u001b[2J${'x'.repeat(50_000)}.app/Info.plist`
  yield {
    name: 'ipa: long folder name',
    filetype: 'ipa',
    bytes: zipFile([{ name: named, data: 'x', crc: 1 }]),
  }
  yield { name: 'zip: 65,000 empty files', filetype: 'zip', bytes: zipFile(manyEntries(65_000)) }
  yield { name: 'zip: names of 40 MB', filetype: 'zip', bytes: zipFile(manyEntries(800, 'x'.repeat(50_000))) }
}

function* manyEntries(count: number, prefix = ''): Generator<ZipEntry> {
  for (let index = 0; index < count; index++) yield { name: `${prefix}${index.toString(36)}` }
}

/** Returns an archive with one file that the directory lists many times. */
function repeatEntry(entry: ZipEntry, count: number): { file: Buffer; directory: Buffer } {
  const archive = zipFile([entry])
  const start = archive.readUInt32LE(archive.length - 6)
  const record = archive.subarray(start, -22)
  return { file: archive.subarray(0, start), directory: Buffer.alloc(record.length * count, record) }
}

/** Returns archives whose directory does not match their content. */
function directoryCases(main: string): Record<string, Case> {
  const entry: ZipEntry = { name: main, data: 'x'.repeat(100) }
  const other: ZipEntry = { name: 'other', data: 'y'.repeat(100) }
  const named = (name: string | Buffer): Case => ({ entries: [entry, { name, data: 'x' }] })
  return {
    'full overlap': {
      entries: [
        entry,
        ...Array.from({ length: 500 }, (_, n) => ({ ...other, name: `${n}`, headerOffset: 0 })),
      ],
    },
    'partial overlap': { entries: [entry, other, { ...other, name: 'third', headerOffset: 10 }] },
    'entry inside the directory': { entries: [entry, { ...other, headerOffset: 400 }] },
    'entry after the end': { entries: [{ ...entry, headerOffset: 0xfffffff0 }] },
    'two entries of one name': { entries: [entry, entry] },
    'parent folder in a name': named('../../etc/passwd'),
    'parent folder behind a folder': named('a/../../b'),
    'parent folder with backslashes': named('..\\..\\b'),
    'absolute name': named('/etc/passwd'),
    'drive letter in a name': named('C:\\Windows\\a'),
    'NUL in a name': named('a\0b'),
    'NUL after the name': named(`${main}\0`),
    'name of 65,535 bytes': named('a'.repeat(65_535)),
    'empty name': named(''),
    'name that is not UTF-8': named(Buffer.from([0xff, 0xfe, 0xfd])),
    'name with line breaks': named('a\r\nb\u001b[2J'),
    'name __proto__': named('__proto__'),
    'symbolic link': { entries: [{ name: main, data: '/etc/passwd', attributes: 0o120777 * 65_536 }] },
    'device file': { entries: [{ ...entry, attributes: 0o060666 * 65_536 }] },
    'other name in the local header': { entries: [{ ...entry, localName: 'other' }] },
    'fewer entries than declared': { entries: [entry], options: { entryCount: 1000 } },
    'more entries than declared': { entries: [entry, other], options: { entryCount: 0 } },
    'directory beyond the end': { entries: [entry], options: { directoryOffset: 0xfffffff0 } },
    'directory of 4 GB': { entries: [entry], options: { directoryBytes: 0xfffffff0 } },
    'directory at the start': { entries: [entry], options: { directoryOffset: 0 } },
    'comment that looks like the end': {
      entries: [entry],
      options: { comment: join(u32(0x06054b50), Buffer.alloc(40)) },
    },
  }
}

/** Returns archives whose main entry does not have the declared size or content, or cannot be inflated. */
function entryCases(main: string): Record<string, Case> {
  const bomb = { name: main, isDeflated: true, stored: zeros }
  const text = Buffer.from('x'.repeat(5000))
  const crc = crc32(text)
  const one = (entry: Omit<ZipEntry, 'name'>): Case => ({ entries: [{ name: main, ...entry }] })
  return {
    'bomb with its true size': { entries: [{ ...bomb, sizeBytes: 32 * mebibyte }] },
    'bomb that declares 1 KiB': { entries: [{ ...bomb, sizeBytes: 1024 }] },
    'bomb that declares 1 MiB': { entries: [{ ...bomb, sizeBytes: mebibyte }] },
    'bomb that declares 4 GB': { entries: [{ ...bomb, sizeBytes: 0xfffffff0 }] },
    'bombs in every entry': {
      entries: [bomb, ...Array.from({ length: 20 }, (_, n) => ({ ...bomb, name: `lib/${n}.png` }))].map(
        (entry) => ({
          ...entry,
          sizeBytes: 32 * mebibyte,
        }),
      ),
    },
    'declares more than it inflates to': one({ data: text, isDeflated: true, sizeBytes: 9000, crc }),
    'declares less than it inflates to': one({ data: text, isDeflated: true, sizeBytes: 10, crc }),
    'declares nothing': one({ data: text, isDeflated: true, sizeBytes: 0 }),
    'wrong checksum': one({ data: text, isDeflated: true, crc: crc + 1 }),
    'truncated data': one({
      stored: deflateRawSync(text).subarray(0, 10),
      isDeflated: true,
      sizeBytes: 5000,
      crc,
    }),
    'data that is not deflated': one({ stored: Buffer.alloc(500, 0xff), method: 8, sizeBytes: 5000 }),
    'compressed size beyond the end': one({ data: text, compressedBytes: 0x7fffffff }),
    'stored with different sizes': one({ data: text, compressedBytes: 5000, sizeBytes: 6000 }),
    encrypted: one({ data: text, flags: 1 }),
    'strong encryption': one({ data: text, flags: 0x41 }),
    'unknown method': one({ data: text, method: 97 }),
    'method bzip2': one({ data: text, method: 12 }),
    'empty blocks before the data': one({
      stored: join(Buffer.alloc(mebibyte).fill(Buffer.from('000000ffff', 'hex')), deflateRawSync(text)),
      isDeflated: true,
      sizeBytes: 5000,
      crc,
    }),
    'empty file': one({ data: '' }),
    'another archive': one({ data: zipFile([{ name: main, data: text }]) }),
    'random bytes': one({ data: deflateRawSync(zeros.subarray(0, 9999)) }),
  }
}

/** Returns files whose records are missing, truncated or inconsistent. */
function brokenFiles(main: string): Record<string, Buffer> {
  const valid = zipFile([{ name: main, data: 'x'.repeat(100) }])
  const end = valid.length - 22
  return {
    'empty archive': zipFile([]),
    'truncated before the directory': valid.subarray(0, 60),
    'truncated in the end record': valid.subarray(0, -5),
    'bytes after the end record': join(valid, Buffer.alloc(1000)),
    'bytes before the archive': join(Buffer.alloc(1000, 'PK\u0003\u0004'), valid),
    'several disks': patch(valid, end + 4, u16(3, 3)),
    'wrong signature in the directory': patch(valid, valid.readUInt32LE(end + 16), u32(0)),
    'only an end record': join('PK\u0003\u0004', valid.subarray(end)),
    'name length beyond the directory': patch(valid, valid.readUInt32LE(end + 16) + 28, u16(0xffff)),
    'extra fields beyond the directory': patch(valid, valid.readUInt32LE(end + 16) + 30, u16(0xffff)),
    'local extra fields beyond the end': patch(valid, 28, u16(0xffff)),
    'ZIP64 marker without its record': patch(valid, end + 10, u16(0xffff)),
    'a thousand end records': join(valid, ...Array.from({ length: 1000 }, () => valid.subarray(end))),
    'only signatures': Buffer.alloc(100_000, 'PK\u0005\u0006'),
  }
}
