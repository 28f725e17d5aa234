import { deflateRawSync } from 'node:zlib'
import { infoPlist, ipaFile, pngFile, xmlPlist } from '../inspection/apple-packages.ts'
import { join, u32be, u64be, type HostileArchive } from './bytes.ts'

const keys = [
  'CFBundleIdentifier',
  'CFBundleIcons',
  'CFBundleExecutable',
  'CFBundleVersion',
  'MinimumOSVersion',
]

/**
 * Yields iOS applications with hostile property lists, profiles and icons. Property lists and profiles are stored
 * without compression, because inspection rejects entries with a high compression ratio.
 */
export function* hostileAppleFiles(): Generator<HostileArchive> {
  for (const [name, info] of Object.entries({ ...xmlCases(), ...binaryCases() }))
    yield { name: `ipa: Info.plist: ${name}`, filetype: 'ipa', bytes: ipaFile({ info, isDeflated: false }) }
  for (const [name, profile] of Object.entries(profileCases()))
    yield {
      name: `ipa: profile: ${name}`,
      filetype: 'ipa',
      bytes: ipaFile({ info: infoPlist, profile, isDeflated: false }),
    }
  for (const [name, icon] of Object.entries(iconCases()))
    yield { name: `ipa: icon: ${name}`, filetype: 'ipa', bytes: ipaFile({ info: infoPlist, icon }) }
}

function xmlCases(): Record<string, string> {
  const entities = Array.from(
    { length: 12 },
    (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
  ).join('')
  const text = (content: string) =>
    xmlPlist(`<dict><key>CFBundleName</key><string>${content}</string></dict>`)
  const document = (types: string, content: string) => `<!DOCTYPE plist [${types}]><plist>${content}</plist>`
  const wrongTypes = [
    '<true/>',
    '<array/>',
    '<dict/>',
    '<data>AAAA</data>',
    '<date>x</date>',
    '<integer>x</integer>',
  ]
  return {
    'exponential entities': document(`<!ENTITY e0 "aaaaaaaaaa">${entities}`, '<string>&e12;</string>'),
    'external entity': document('<!ENTITY x SYSTEM "file:///etc/passwd">', '<string>&x;</string>'),
    'external parameter entity': document('<!ENTITY % x SYSTEM "http://127.0.0.1/"> %x;', '<string/>'),
    'entity without a declaration': text('&undeclared;'),
    'nested arrays': xmlPlist('<array>'.repeat(100_000) + '</array>'.repeat(100_000)),
    'nested dictionaries': xmlPlist('<dict><key>a</key>'.repeat(50_000)),
    'nested unknown elements': xmlPlist('<a>'.repeat(100_000)),
    'a million tag openers': xmlPlist('<'.repeat(1_000_000)),
    'attributes without an end': `<plist ${'a="b" '.repeat(200_000)}`,
    'attributes of different names': `<plist ${Array.from({ length: 50_000 }, (_, n) => `a${n}=""`).join(' ')}/>`,
    'unfinished comment': xmlPlist(`<!--${'-'.repeat(500_000)}`),
    'unfinished CDATA': xmlPlist(`<string><![CDATA[${']'.repeat(500_000)}`),
    'many keys': xmlPlist(`<dict>${'<key>a</key><string>b</string>'.repeat(100_000)}</dict>`),
    'many empty dictionaries': xmlPlist(`<array>${'<dict/>'.repeat(590_000)}</array>`),
    'key __proto__': xmlPlist('<dict><key>__proto__</key><dict><key>a</key><true/></dict></dict>'),
    'value without a key': xmlPlist('<dict><string>a</string></dict>'),
    'key in an array': xmlPlist('<array><key>a</key></array>'),
    'closed twice': xmlPlist('<dict></dict></dict>'),
    'no value': xmlPlist(''),
    'root that is not a dictionary': xmlPlist('<string>a</string>'),
    'long text': text('a'.repeat(3_000_000)),
    'text of control characters': text('&#1;&#0;'),
    'unpaired surrogates': text('&#xD800;'),
    'size above the limit': text('a'.repeat(5_000_000)),
    'nothing but a document type': '<!DOCTYPE plist',
    ...Object.fromEntries(
      wrongTypes.map((value) => [
        `values of the wrong type ${value}`,
        xmlPlist(`<dict>${keys.map((key) => `<key>${key}</key>${value}`).join('')}</dict>`),
      ]),
    ),
  }
}

/** Returns a binary property list with these encoded objects. */
function binary(
  objects: Buffer[],
  options: { root?: number; count?: number; table?: number; sizes?: number[] } = {},
) {
  const offsets: number[] = []
  let at = 8
  for (const object of objects) {
    offsets.push(at)
    at += object.length
  }
  const [offsetBytes, referenceBytes] = options.sizes ?? [4, 2]
  const trailer = join(
    Buffer.alloc(6),
    offsetBytes ?? 4,
    referenceBytes ?? 2,
    u64be(options.count ?? objects.length, options.root ?? 0, options.table ?? at),
  )
  return join('bplist00', ...objects, u32be(...offsets), trailer)
}

/** Encodes an array, or a dictionary with the same references as keys and values. */
function collection(kind: number, references: number[]): Buffer {
  const body = join(...references.flatMap((reference) => [reference >> 8, reference & 0xff]))
  return join(kind * 16 + 15, 0x12, u32be(references.length), body)
}

function binaryCases(): Record<string, Buffer> {
  const leaf = join(0x51, 'a')
  const doubling = Array.from({ length: 40 }, (_, level) => collection(0xa, [level + 1, level + 1]))
  const chain = Array.from({ length: 5000 }, (_, level) => collection(0xa, [level + 1]))
  const wide = collection(
    0xa,
    Array.from({ length: 60_000 }, (_, index) => (index % 2) + 1),
  )
  const huge = (marker: number) => join(marker * 16 + 15, 0x13, u64be(2 ** 52))
  // All objects except the first and the last are at the same offset.
  const overlapping = (() => {
    const first = collection(
      0xa,
      Array.from({ length: 5000 }, (_, index) => index + 1),
    )
    const shared = collection(
      0xa,
      Array.from({ length: 60_000 }, () => 5001),
    )
    const offsets = [
      8,
      ...Array.from({ length: 5000 }, () => 8 + first.length),
      8 + first.length + shared.length,
    ]
    const table = 8 + first.length + shared.length + leaf.length
    const trailer = join(Buffer.alloc(6), 4, 2, u64be(offsets.length, 0, table))
    return join('bplist00', first, shared, leaf, u32be(...offsets), trailer)
  })()
  return {
    'binary: array that contains itself': binary([collection(0xa, [0])]),
    'binary: dictionary that contains itself': binary([join(0xd1, 0, 1, 0, 0), leaf]),
    'binary: arrays in a circle': binary([collection(0xa, [1]), collection(0xa, [2]), collection(0xa, [0])]),
    'binary: exponential references': binary([...doubling, leaf]),
    'binary: deep chain': binary([...chain, leaf]),
    'binary: overlapping arrays': overlapping,
    'binary: wide array': binary([wide, leaf, leaf]),
    'binary: array of 2^52 items': binary([huge(0xa)]),
    'binary: dictionary of 2^52 items': binary([huge(0xd)]),
    'binary: data of 2^52 bytes': binary([huge(0x4)]),
    'binary: text of 2^52 characters': binary([huge(0x6)]),
    'binary: negative count': binary([join(0xaf, 0x13, Buffer.alloc(8, 0xff))]),
    'binary: count that is not an integer': binary([join(0xaf, 0x51, 'a')]),
    'binary: integer of 32,768 bytes': binary([join(0x1f, Buffer.alloc(40_000))]),
    'binary: date of NaN': binary([join(0xd1, 0, 1, 0, 2), leaf, join(0x33, Buffer.alloc(8, 0xff))]),
    'binary: key that is not text': binary([join(0xd1, 0, 1, 0, 1), join(0x10, 1)]),
    'binary: unknown type': binary([join(0x70)]),
    'binary: root beyond the objects': binary([leaf], { root: 99 }),
    'binary: 2^52 objects': binary([leaf], { count: 2 ** 52 }),
    'binary: table beyond the end': binary([leaf], { table: 2 ** 40 }),
    'binary: offsets of 0 bytes': binary([leaf], { sizes: [0, 1] }),
    'binary: offsets of 255 bytes': binary([leaf], { sizes: [255, 255] }),
    'binary: no objects': binary([]),
    'binary: only a header': Buffer.from('bplist00'),
    'binary: only zeros': join('bplist00', Buffer.alloc(100)),
  }
}

function der(tag: number, content: Buffer): Buffer {
  return join(tag, 0x84, u32be(content.length), content)
}

function profileCases(): Record<string, Buffer> {
  const oid = Buffer.from('06092a864886f70d010702', 'hex')
  const signed = (content: Buffer) => der(0x30, join(oid, der(0xa0, der(0x30, content))))
  const version = Buffer.from('020101', 'hex')
  const withPlist = (plist: Buffer) =>
    signed(join(version, der(0x31, Buffer.alloc(0)), der(0x30, join(oid, der(0xa0, der(0x04, plist))))))
  let nested: Buffer = Buffer.from('0400', 'hex')
  for (let level = 0; level < 2000; level++) nested = der(0x24, nested)
  return {
    'random bytes': deflateRawSync(Buffer.from(infoPlist)),
    empty: Buffer.alloc(0),
    'unsigned property list': Buffer.from(infoPlist),
    'length beyond the end': join(0x30, 0x84, u32be(0x7fffffff), oid),
    'length of 127 bytes': join(0x30, 0xff, Buffer.alloc(200)),
    'indefinite lengths': Buffer.alloc(200_000, Buffer.from('3080', 'hex')),
    'nested octet strings': signed(
      join(version, der(0x31, Buffer.alloc(0)), der(0x30, join(oid, der(0xa0, nested)))),
    ),
    'a million empty elements': signed(Buffer.alloc(2_000_000, Buffer.from('0500', 'hex'))),
    'long tags': Buffer.alloc(1000, 0x1f),
    'no content': signed(version),
    'exponential entities': withPlist(Buffer.from(xmlCases()['exponential entities'] ?? '')),
    'property list that contains itself': withPlist(binary([collection(0xa, [0])])),
    'many certificates': signed(
      join(
        version,
        der(0x31, Buffer.alloc(0)),
        der(0x30, oid),
        der(0xa0, Buffer.alloc(9000 * 4, Buffer.from('30020500', 'hex'))),
        der(0x31, der(0x30, join(version, der(0x30, join(der(0x30, oid), version))))),
      ),
    ),
  }
}

function iconCases(): Record<string, Buffer> {
  const header = (width: number, height: number, rest = [8, 6, 0, 0, 0]) =>
    join(u32be(width, height), Buffer.from(rest))
  const apple = (head: Buffer, data: Buffer) =>
    pngFile([
      ['CgBI', Buffer.alloc(4)],
      ['IHDR', head],
      ['IDAT', data],
      ['IEND', Buffer.alloc(0)],
    ])
  const bomb = deflateRawSync(Buffer.alloc(8 * 2 ** 20))
  return {
    'CgBI bomb': apple(header(1024, 1024), bomb),
    'CgBI of 2^32 pixels': apple(header(65_535, 65_535), bomb),
    'CgBI of 0 pixels': apple(header(0, 0), bomb),
    'CgBI with an unknown filter': apple(header(20, 20), deflateRawSync(Buffer.alloc(20 * 81, 0xff))),
    'CgBI with too little data': apple(header(20, 20), deflateRawSync(Buffer.alloc(20))),
    'CgBI that is interlaced': apple(header(20, 20, [8, 6, 0, 0, 1]), bomb),
    'CgBI without pixels': pngFile([['CgBI', Buffer.alloc(4)]]),
    'CgBI with a short header': apple(Buffer.alloc(3), bomb),
    'PNG of 2^31 pixels': pngFile([
      ['IHDR', header(2 ** 31 - 1, 1)],
      ['IDAT', bomb],
      ['IEND', Buffer.alloc(0)],
    ]),
    'chunk beyond the end': join(Buffer.from('89504e470d0a1a0a', 'hex'), u32be(0x7fffffff), 'CgBI'),
    'script instead of an image': Buffer.from('<svg onload="alert(1)"/>'),
  }
}
