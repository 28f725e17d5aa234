import { gzipSync, zstdCompressSync } from 'node:zlib'
import { zipFile, type ZipEntry } from '../inspection/zip-file.ts'
import { join, u16, u32, u32be, u64, type HostileArchive } from './bytes.ts'

/** Yields malformed packages of stores and package managers, and archives of programs. */
export function* hostilePackageFiles(): Generator<HostileArchive> {
  for (const [format, cases] of Object.entries({
    appx: appxCases(),
    nupkg: nupkgCases(),
    whl: wheelCases(),
    apks: apkSetCases(),
    tar: tarballCases(),
    program: programCases(),
    snap: snapCases(),
    flatpak: flatpakCases(),
  }))
    for (const [name, bytes] of Object.entries(cases))
      yield { name: `${format}: ${name}`, filetype: 'none', bytes }
}

const zip = (entries: Record<string, string | Buffer>): Buffer =>
  zipFile(Object.entries(entries).map(([name, data]): ZipEntry => ({ name, data, isDeflated: true })))

const nested = (depth: number) => '<a>'.repeat(depth)
const entities =
  '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]><a>&c;</a>'

/** Documents that each reader of XML must survive. */
const xmlCases: Record<string, string> = {
  'is empty': '',
  'has entities': entities,
  'is nested': nested(100_000),
  'has many elements': `<a>${'<b/>'.repeat(300_000)}</a>`,
  'has many attributes': `<a ${Array.from({ length: 20_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`,
  'is not closed': '<Package><Identity Name="a"',
  'has no root': '<!-- only a comment -->',
  'is binary': '\0\u0001\u0002\u0003',
  'has control characters': '<Package><Identity Name="&#x1b;[2J" Version="\u202e1"/></Package>',
}

const documents = (path: string, others: Record<string, string> = {}): Record<string, Buffer> =>
  Object.fromEntries(
    Object.entries(xmlCases).map(([name, xml]) => [`manifest ${name}`, zip({ [path]: xml, ...others })]),
  )

function appxCases(): Record<string, Buffer> {
  const manifest =
    '<Package><Identity Name="a" Version="1.0.0.0"/><Properties><Logo>L.png</Logo></Properties></Package>'
  const bundle = (packages: string) => ({
    'AppxMetadata/AppxBundleManifest.xml': `<Bundle><Identity Name="a"/><Packages>${packages}</Packages></Bundle>`,
  })
  const signed = (signature: string | Buffer) =>
    zip({ 'AppxManifest.xml': manifest, 'AppxSignature.p7x': signature })
  return {
    ...documents('AppxManifest.xml'),
    'signature is empty': signed(''),
    'signature has another format': signed('PKCY'),
    'signature is not DER': signed(join('PKCX', Buffer.alloc(5000, 0x41))),
    'signature of indefinite length': signed(join('PKCX', Buffer.alloc(50_000, Buffer.from('3080', 'hex')))),
    'signature with many elements': signed(
      join('PKCX', 0x30, 0x83, 0x0f, 0x42, 0x40, Buffer.alloc(1_000_000)),
    ),
    'many logos': zip({
      'AppxManifest.xml': manifest,
      ...Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`L.scale-${n}.png`, 'x'])),
    }),
    'bundle of itself': zip(bundle('<Package FileName="AppxMetadata/AppxBundleManifest.xml"/>')),
    'bundle of a missing package': zip(bundle('<Package FileName="missing.appx"/>')),
    'bundle of a folder': zip(bundle('<Package FileName="../../etc/passwd"/>')),
    'bundle with many packages': zip(bundle('<Package Architecture="x64"/>'.repeat(90_000))),
    'bundle of a bomb': zipFile([
      { name: 'AppxMetadata/AppxBundleManifest.xml', data: '<Bundle><Package FileName="a.appx"/></Bundle>' },
      { name: 'a.appx', data: Buffer.alloc(2 ** 20), isDeflated: true, sizeBytes: 300 * 2 ** 20 },
    ]),
  }
}

function nupkgCases(): Record<string, Buffer> {
  const types = { '[Content_Types].xml': '<Types/>' }
  const nuspec = {
    'a.nuspec': '<package><metadata><id>a</id><version>1</version><icon>../a</icon></metadata></package>',
  }
  return {
    ...documents('a.nuspec', types),
    'signature is empty': zip({ ...nuspec, ...types, '.signature.p7s': '' }),
    'signature is not DER': zip({ ...nuspec, ...types, '.signature.p7s': 'a'.repeat(5000) }),
    'signature is first': zip({ '.signature.p7s': 'a', ...nuspec, ...types }),
    'many dependencies': zip({
      ...types,
      'a.nuspec': `<package><metadata><dependencies>${'<dependency id="a"/>'.repeat(50_000)}</dependencies></metadata></package>`,
    }),
  }
}

function wheelCases(): Record<string, Buffer> {
  const wheel = (metadata: string | Buffer, tags = 'Tag: py3-none-any\n') =>
    zip({ 'a-1.dist-info/METADATA': metadata, 'a-1.dist-info/WHEEL': tags })
  return {
    'empty metadata': wheel(''),
    'metadata without fields': wheel('a'.repeat(1_000_000)),
    'metadata of colons': wheel(':'.repeat(1_000_000)),
    'metadata of continuation lines': wheel(`Name: a\n${' b\n'.repeat(300_000)}`),
    'metadata of one field many times': wheel('Requires-Dist: a\n'.repeat(200_000)),
    'metadata of control characters': wheel('Name: \u001b[2J\0\u202e\nVersion: \u0007\n'),
    'metadata that is not UTF-8': wheel(Buffer.alloc(10_000, 0xff)),
    'metadata of 8 MiB': wheel(Buffer.alloc(8 * 2 ** 20, 'Name: a\n')),
    'author of brackets': wheel(`Author-email: ${'<'.repeat(200_000)}\n`),
    'many tags': wheel('Name: a\n', `Tag: a-b-${'x.'.repeat(50_000)}\n`),
  }
}

function apkSetCases(): Record<string, Buffer> {
  const xapk = (manifest: string, apk: string | Buffer = 'a') =>
    zip({ 'manifest.json': manifest, 'base.apk': apk })
  return {
    'APK that is not an archive': zip({ 'toc.pb': '', 'universal.apk': 'not an archive' }),
    'APK that is empty': zip({ 'toc.pb': '', 'universal.apk': '' }),
    'set in a set': zip({ 'toc.pb': '', 'universal.apk': zip({ 'toc.pb': '', 'universal.apk': '' }) }),
    'APK of 400 MB': zipFile([
      { name: 'toc.pb' },
      { name: 'universal.apk', data: 'a', isDeflated: true, sizeBytes: 400 * 2 ** 20 },
    ]),
    'APK larger than declared': zipFile([
      { name: 'toc.pb' },
      { name: 'universal.apk', data: Buffer.alloc(10 * 2 ** 20), isDeflated: true, sizeBytes: 100 },
    ]),
    'manifest that is not JSON': xapk('{'),
    'manifest that is a number': xapk('1'),
    'manifest that is null': xapk('null'),
    'manifest of nested lists': xapk('['.repeat(100_000)),
    'manifest with other types': xapk('{"package_name":{},"split_apks":{"a":1}}'),
    'manifest of a junk APK': xapk('{"xapk_version":2,"package_name":"com.example"}', 'junk'),
    'manifest of an APK of 400 MB': zipFile([
      { name: 'manifest.json', data: '{"xapk_version":2,"package_name":"com.example"}' },
      { name: 'base.apk', data: 'a', isDeflated: true, sizeBytes: 400 * 2 ** 20 },
    ]),
    'manifest that names itself': xapk('{"split_apks":[{"id":"base","file":"manifest.json"}]}'),
    'manifest with a path': xapk('{"split_apks":[{"id":"base","file":"../../base.apk"},null,1]}'),
    'manifest with __proto__': xapk('{"__proto__":{"package_name":"a"},"constructor":1}'),
  }
}

/** Returns a file in a tar archive, with a header that may be malformed. */
export function tarEntry(
  name: string,
  content: Buffer,
  options: { type?: string; size?: string } = {},
): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100, 'latin1')
  header.write(options.size ?? content.length.toString(8).padStart(11, '0'), 124, 'latin1')
  header.write(options.type ?? '0', 156, 'latin1')
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return join(header, content, Buffer.alloc((512 - (content.length % 512)) % 512))
}

function tarballCases(): Record<string, Buffer> {
  const text = Buffer.from('text')
  const npm = (json: string) => gzipSync(tarEntry('package/package.json', Buffer.from(json)))
  const zeros = Buffer.alloc(4 * 2 ** 20)
  const member = gzipSync(zeros)
  return {
    'gzip without content': Buffer.from('1f8b0800', 'hex'),
    'gzip that is damaged': Buffer.concat([Buffer.from('1f8b08', 'hex'), Buffer.alloc(5000, 0x5a)]),
    'gzip bomb': Buffer.concat([
      gzipSync(tarEntry('large', Buffer.alloc(0), { size: '77777777777' })),
      ...Array.from({ length: 128 }, () => member),
    ]),
    'zstd bomb': zstdCompressSync(Buffer.concat([tarEntry('large', zeros), zeros, zeros])),
    'zstd with a window of 2 GB': Buffer.from('28b52ffd00a800000000', 'hex'),
    'xz without content': Buffer.from('fd377a585a000004', 'hex'),
    'xz that is damaged': Buffer.concat([Buffer.from('fd377a585a000004', 'hex'), Buffer.alloc(5000, 0x5a)]),
    'archive that is truncated': gzipSync(tarEntry('a', Buffer.alloc(5000)).subarray(0, 600)),
    'negative size': gzipSync(tarEntry('a', text, { size: '-7777777777' })),
    'binary size of 2^63': gzipSync(
      tarEntry('a', text, { size: '\u0080\0\0\0\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff' }),
    ),
    'name of 10 MiB': gzipSync(tarEntry('././@LongLink', Buffer.alloc(10 * 2 ** 20, 'a'), { type: 'L' })),
    'many long names': gzipSync(Buffer.alloc(20_000 * 1024, tarEntry('././@LongLink', text, { type: 'L' }))),
    'pax records without lengths': gzipSync(tarEntry('pax', Buffer.alloc(5000, '0 '), { type: 'x' })),
    'pax records of length 0': gzipSync(
      tarEntry('pax', Buffer.from('0 path=a\n'.repeat(100)), { type: 'x' }),
    ),
    'pax records of huge length': gzipSync(
      tarEntry('pax', Buffer.from('99999999999 path=a\n'), { type: 'x' }),
    ),
    'many files': gzipSync(Buffer.alloc(120_000 * 512, tarEntry('a', Buffer.alloc(0)))),
    'many programs': gzipSync(
      Buffer.concat(
        Array.from({ length: 20_000 }, (_, n) => tarEntry(`tool${n}`, join('MZ', Buffer.alloc(100)))),
      ),
    ),
    'package.json that is not JSON': npm('{'),
    'package.json that is null': npm('null'),
    'package.json with other types': npm(
      '{"name":{},"version":[1],"author":7,"engines":3,"cpu":{"a":1},"dependencies":[[]]}',
    ),
    'package.json with many dependencies': npm(
      JSON.stringify({
        dependencies: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`a${n}`, '1'])),
      }),
    ),
    'package.json of nested lists': npm('['.repeat(100_000)),
    'author of brackets': npm(JSON.stringify({ author: '<('.repeat(100_000) })),
  }
}

function programCases(): Record<string, Buffer> {
  const mz = join('MZ', Buffer.alloc(200))
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`tool${n}.exe`, mz]))
  return {
    'many programs': zip(many),
    'program named after nothing': zip({ '.exe': mz, 'a.exe': mz }),
    'program of 400 MB': zipFile([{ name: 'a.exe', data: mz, isDeflated: true, sizeBytes: 400 * 2 ** 20 }]),
    'program larger than declared': zipFile([
      { name: 'a.exe', data: join(mz, Buffer.alloc(10 * 2 ** 20)), isDeflated: true, sizeBytes: 500 },
    ]),
    'ELF program that is truncated': zip({ 'bin/app': join('\u007fELF\u0002\u0001', Buffer.alloc(94)) }),
    'Mach-O program that is truncated': zip({
      'bin/app': join(
        u32be(0xcafebabe, 2, 7, 3, 16_384, 50_000, 14, 12, 9, 81_920, 50_000, 14),
        Buffer.alloc(100),
      ),
    }),
    'program that is encrypted': zipFile([{ name: 'a.exe', data: mz, isDeflated: true, flags: 1 }]),
    'two programs of one name': zipFile([
      { name: 'a.exe', data: mz },
      { name: 'a.exe', data: mz },
    ]),
    'names of control characters': zip({ '\u001b[2J\u202e.exe': mz }),
  }
}

function snapCases(): Record<string, Buffer> {
  const superblock = (compression: number) =>
    join('hsqs', u32(1, 0, 131_072, 0), u16(compression, 17, 0, 0, 4, 0), u64(0, 0, 0, 0, 96, 100, 100, 0))
  const compressed = (compression: number, block: Buffer) =>
    join(superblock(compression), u16(block.length), block, Buffer.alloc(200))
  return {
    'only a superblock': superblock(4),
    'LZ4 literals beyond the block': compressed(5, Buffer.alloc(100, 0xff)),
    'LZ4 match before the start': compressed(5, Buffer.from([0x1f, 0x41, 0xff, 0xff, 0xff])),
    'LZ4 match with distance 0': compressed(5, Buffer.from([0x1f, 0x41, 0, 0, 1])),
    'LZ4 match of 10 GB': compressed(5, join(0x1f, 0x41, 1, 0, Buffer.alloc(8000, 0xff))),
    'LZO literals beyond the block': compressed(3, Buffer.from([0xff, 1, 2, 3])),
    'LZO without an end': compressed(3, Buffer.alloc(8000)),
    'LZO match before the start': compressed(3, Buffer.from([18, 0x41, 0x40, 0xff, 0xff])),
    'LZO match of 10 GB': compressed(3, join(18, 0x41, 0x20, Buffer.alloc(8000))),
    'LZO that is empty': compressed(3, Buffer.alloc(0)),
  }
}

function flatpakCases(): Record<string, Buffer> {
  const magic = Buffer.from('flatpak\0\u0001\0\u0089\u00e5', 'latin1')
  const bundle = (content: Buffer, end: number) => join(magic, content, Buffer.alloc(300), u16(end))
  return {
    'only the first bytes': magic,
    'metadata beyond the end': bundle(Buffer.alloc(10), 0xffff),
    'metadata of 0 bytes': bundle(Buffer.alloc(10), 0),
    'metadata without offsets': bundle(Buffer.alloc(10), 1),
    'offsets that decrease': bundle(Buffer.from([0xff, 0, 20, 5, 17, 12]), 18),
    'entry of the whole dictionary': bundle(Buffer.from([1, 1, 1, 1, 1, 18, 18]), 19),
    'many entries': join(magic, Buffer.alloc(60_000, 1), u16(13), Buffer.alloc(300), u32(60_014)),
  }
}
