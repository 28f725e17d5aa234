import { zipFile, type ZipEntry } from '../inspection/zip-file.ts'
import { join, u16, u32, u64, type HostileArchive } from './bytes.ts'

const noText = 0xffffffff
const iconId = 0x01010002
const labelId = 0x01010001

/** Yields APKs and app bundles with hostile manifests, resource tables and signing blocks. */
export function* hostileAndroidFiles(): Generator<HostileArchive> {
  const apk = (name: string, entries: ZipEntry[], block?: Buffer): HostileArchive => ({
    name: `apk: ${name}`,
    filetype: 'apk',
    bytes: zipFile(entries, block === undefined ? {} : { beforeDirectory: block }),
  })
  for (const [name, data] of Object.entries(manifestCases()))
    yield apk(`manifest: ${name}`, [{ name: 'AndroidManifest.xml', data }])
  const manifest = { name: 'AndroidManifest.xml', data: validManifest() }
  for (const [name, data] of Object.entries(tableCases()))
    yield apk(`resources: ${name}`, [manifest, { name: 'resources.arsc', data }])
  for (const [name, block] of Object.entries(signingBlocks()))
    yield apk(`signature: ${name}`, [manifest], block)
  for (const [name, data] of Object.entries(bundleCases()))
    for (const path of ['base/manifest/AndroidManifest.xml', 'base/resources.pb'])
      yield {
        name: `aab: ${path}: ${name}`,
        filetype: 'aab',
        bytes: zipFile([
          { name: path, data },
          ...(path.endsWith('.pb')
            ? [{ name: 'base/manifest/AndroidManifest.xml', data: bundleManifest() }]
            : []),
        ]),
      }
}

const chunk = (type: number, header: Buffer, body: Buffer): Buffer =>
  join(u16(type, 8 + header.length), u32(8 + header.length + body.length), header, body)

/** Encodes a string pool in UTF-8. */
function pool(strings: string[], options: { count?: number; start?: number } = {}): Buffer {
  const texts = strings.map((text) => join(text.length, text.length, text, 0))
  let at = 0
  const offsets = texts.map((text) => (at += text.length) - text.length)
  const start = options.start ?? 28 + offsets.length * 4
  const header = u32(options.count ?? strings.length, 0, 0x100, start, 0)
  return chunk(0x0001, header, join(u32(...offsets), ...texts))
}

type Attribute = { name: number; type: number; data: number }

function startElement(name: number, attributes: Attribute[] = [], count = attributes.length): Buffer {
  const written = attributes.map(({ name, type, data }) =>
    join(u32(noText, name, noText), u16(8), 0, type, u32(data)),
  )
  const body = join(u32(noText, name), u16(20, 20, count, 0, 0, 0), ...written)
  return chunk(0x0102, u32(1, noText), body)
}

const endElement = chunk(0x0103, u32(1, noText), u32(noText, noText))
const document = (...chunks: Buffer[]): Buffer => chunk(0x0003, Buffer.alloc(0), join(...chunks))
const strings = ['icon', 'label', 'manifest', 'application', 'package']
const resourceIds = chunk(0x0180, Buffer.alloc(0), u32(iconId, labelId))

/** Returns a manifest whose application refers to resources for its icon and label. */
function validManifest(): Buffer {
  const application = startElement(3, [
    { name: 0, type: 1, data: 0x7f010000 },
    { name: 1, type: 1, data: 0x7f010001 },
  ])
  return document(pool(strings), resourceIds, startElement(2), application, endElement, endElement)
}

function manifestCases(): Record<string, Buffer> {
  const many = (count: number, part: Buffer) => Buffer.alloc(part.length * count, part)
  const all = pool(strings)
  return {
    empty: Buffer.alloc(0),
    'text instead of binary XML': Buffer.from('<manifest package="com.example"/>'),
    'no elements': document(all),
    'chunk of length 0': document(all, join(u16(0x0102, 16), u32(0)), Buffer.alloc(1000)),
    'chunk of length 1': document(all, join(u16(0x0102, 16), u32(1)), Buffer.alloc(1000)),
    'chunk beyond the end': document(all, join(u16(0x0102, 16), u32(0x7fffffff))),
    'header beyond the chunk': document(all, join(u16(0x0102, 0xffff), u32(8))),
    'nested elements': document(all, many(100_000, startElement(2))),
    'many elements': document(all, startElement(2), many(300_000, join(startElement(3), endElement))),
    'many end tags': document(all, startElement(2), many(100_000, endElement), startElement(3)),
    'attributes beyond the element': document(all, startElement(2, [], 0xffff)),
    'attribute name beyond the pool': document(
      all,
      startElement(2, [{ name: 0x7fffffff, type: 3, data: 0 }]),
    ),
    'attribute value beyond the pool': document(
      all,
      startElement(2, [{ name: 4, type: 3, data: 0x7fffffff }]),
    ),
    'element name beyond the pool': document(all, startElement(0x7fffffff)),
    'pool of 2^32 strings': document(pool(strings, { count: 0xffffffff }), startElement(2)),
    'pool that starts beyond its end': document(pool(strings, { start: 0x7fffffff }), startElement(2)),
    'no pool': document(startElement(2)),
    'string longer than the pool': document(
      chunk(0x0001, u32(1, 0, 0x100, 32, 0), join(u32(0), 0xff, 0xff, 0xff, 0xff)),
      startElement(0),
    ),
    'UTF-16 string longer than the pool': document(
      chunk(0x0001, u32(1, 0, 0, 32, 0), join(u32(0), u16(0xffff, 0xffff))),
      startElement(0),
    ),
    'text of control characters': document(pool(['\0\u001b[2J\u0007']), startElement(0)),
    'a thousand pools': document(many(1000, all), startElement(2)),
    'attributes of length 0': document(
      all,
      chunk(0x0102, u32(1, noText), join(u32(noText, 2), u16(20, 0, 0xffff, 0, 0, 0))),
    ),
  }
}

type Entry = { type: number; data: number }

/** Encodes the values of a resource type in one configuration. */
function typeChunk(
  entries: Entry[],
  options: { count?: number; flags?: number; start?: number } = {},
): Buffer {
  const configuration = join(u32(28), Buffer.alloc(24))
  const headerBytes = 20 + configuration.length
  const offsets = u32(...entries.map((_, index) => index * 16))
  const start = options.start ?? headerBytes + offsets.length
  const header = join(
    1,
    options.flags ?? 0,
    u16(0),
    u32(options.count ?? entries.length, start),
    configuration,
  )
  const values = entries.map(({ type, data }) => join(u16(8, 0), u32(0), u16(8), 0, type, u32(data)))
  return chunk(0x0201, header, join(offsets, ...values))
}

function table(types: Buffer[], texts = ['res/icon.png', 'Label']): Buffer {
  const name = join(u32(0x7f), Buffer.alloc(256), u32(0, 0, 0, 0, 0))
  return chunk(0x0002, u32(1), join(pool(texts), chunk(0x0200, name, join(...types))))
}

const reference = (entry: number): Entry => ({ type: 1, data: 0x7f010000 + entry })

function tableCases(): Record<string, Buffer> {
  const circle = [reference(1), reference(0)]
  const long = Array.from({ length: 60_000 }, (_, index) => reference(index + 1))
  // In each configuration, every entry refers to the next one, and the last entry refers to the first.
  const wide = Array.from({ length: 3000 }, () => typeChunk([1, 2, 3, 4, 5, 6, 7, 0].map(reference)))
  return {
    'reference to itself': table([typeChunk([reference(0), reference(1)])]),
    'references in a circle': table([typeChunk(circle)]),
    'chain of 60,000 references': table([typeChunk(long)]),
    'exponential references': table(wide),
    'many configurations': table(Array.from({ length: 30_000 }, () => typeChunk([{ type: 3, data: 0 }]))),
    'reference to nothing': table([typeChunk([{ type: 1, data: 0x01020304 }])]),
    'entry count beyond the chunk': table([typeChunk([reference(1)], { count: 0xffffffff })]),
    'sparse entry count beyond the chunk': table([
      typeChunk([reference(1)], { count: 0xffffffff, flags: 1 }),
    ]),
    'short offsets beyond the chunk': table([typeChunk([reference(1)], { count: 0xffff, flags: 2 })]),
    'values beyond the chunk': table([typeChunk([reference(1)], { start: 0xfffffff0 })]),
    'text beyond the pool': table([typeChunk([{ type: 3, data: 0x7fffffff }])]),
    'icon outside the archive': table([typeChunk([{ type: 3, data: 0 }])], ['../../etc/passwd', 'x']),
    'icon that is the table': table([typeChunk([{ type: 3, data: 0 }])], ['resources.arsc', 'x']),
    'icon that is the manifest': table([typeChunk([{ type: 3, data: 0 }])], ['AndroidManifest.xml', 'x']),
    'package of length 0': chunk(0x0002, u32(1), join(pool([]), u16(0x0200, 8), u32(0))),
    'no pool': chunk(0x0002, u32(1), Buffer.alloc(0)),
    empty: Buffer.alloc(0),
    'random bytes': Buffer.alloc(5000, 0xa5),
    'entries at the same offset': table([typeChunk([reference(0)], { count: 1, flags: 0, start: 0 })]),
  }
}

function signingBlocks(): Record<string, Buffer> {
  const magic = 'APK Sig Block 42'
  const block = (pairs: Buffer, size = pairs.length + 24) => join(u64(size), pairs, u64(size), magic)
  const pair = (id: number, value: Buffer) => join(u64(value.length + 4), u32(id), value)
  const nested = (...lengths: number[]) => join(...lengths.map((length) => u32(length)))
  return {
    'size of 2^63': block(Buffer.alloc(100), 2 ** 63),
    'size of 0': block(Buffer.alloc(100), 0),
    'size beyond the start': block(Buffer.alloc(100), 5000),
    'pair of length 0': block(Buffer.alloc(1000)),
    'pair beyond the block': block(join(u64(5000), u32(0x7109871a))),
    'pair of length 2^63': block(join(u64(2 ** 63), u32(0x7109871a))),
    'empty scheme': block(pair(0x7109871a, Buffer.alloc(0))),
    'signers beyond the block': block(pair(0x7109871a, nested(0x7fffffff))),
    'no signers': block(pair(0xf05368c0, nested(0, 0, 0))),
    'certificate that is not DER': block(
      pair(0xf05368c0, join(nested(40, 36, 32, 0, 24, 20), Buffer.alloc(40, 0x41))),
    ),
    'certificate of indefinite length': block(
      pair(
        0x7109871a,
        join(nested(5020, 5016, 5012, 0, 5004, 5000), Buffer.alloc(5000, Buffer.from('3080', 'hex'))),
      ),
    ),
    'a million signers': block(pair(0x7109871a, join(u32(4_000_000), Buffer.alloc(4_000_000)))),
    'many pairs': block(join(...Array.from({ length: 50_000 }, (_, id) => pair(id, Buffer.alloc(0))))),
    'only the magic': Buffer.from(magic),
  }
}

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}
const field = (number: number, content: Buffer | string): Buffer =>
  join(varint(number * 8 + 2), varint(content.length), content)

const bundleManifest = (): Buffer =>
  field(
    1,
    join(
      field(3, 'manifest'),
      field(
        5,
        field(
          1,
          join(
            field(3, 'application'),
            field(
              4,
              join(varint(40), varint(iconId), field(6, field(1, join(varint(16), varint(0x7f010000))))),
            ),
          ),
        ),
      ),
    ),
  )

/** Returns hostile Protocol Buffers messages, each used both as a manifest and as a resource table. */
function bundleCases(): Record<string, Buffer> {
  let element = field(3, 'a')
  for (let depth = 0; depth < 300; depth++) element = join(field(3, 'a'), field(5, field(1, element)))
  const small = field(5, field(1, field(3, 'a')))
  const entry = (id: number, target: number) =>
    field(
      3,
      join(field(1, join(8, varint(id))), field(6, field(2, field(4, field(1, join(16, varint(target))))))),
    )
  const packageOf = (...entries: Buffer[]) =>
    field(2, join(field(1, join(8, 0x7f)), field(3, join(field(1, join(8, 1)), ...entries))))
  return {
    empty: Buffer.alloc(0),
    'number without an end': Buffer.alloc(1000, 0xff),
    'length beyond the message': join(10, varint(2 ** 40)),
    'length of 2^63': join(10, Buffer.alloc(9, 0x80), 1),
    'groups, which are obsolete': Buffer.alloc(1000, 0x0b),
    'nested messages': field(1, element),
    'nested without content': Buffer.alloc(100_000, Buffer.from([10, 1])),
    'many elements': field(1, Buffer.concat(Array.from({ length: 300_000 }, () => small))),
    'reference to itself': packageOf(entry(0, 0x7f010000)),
    'references in a circle': packageOf(entry(0, 0x7f010001), entry(1, 0x7f010000)),
    'many entries': packageOf(...Array.from({ length: 50_000 }, (_, id) => entry(id, 0x7f010000 + id + 1))),
    'many types': Buffer.concat(Array.from({ length: 50_000 }, () => packageOf())),
    'text instead of a message': Buffer.from('<manifest package="com.example"/>'),
  }
}
