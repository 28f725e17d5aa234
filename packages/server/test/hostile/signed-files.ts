import { assetCatalog, infoPlist, ipaFile } from '../inspection/apple-packages.ts'
import { zipFile, type ZipEntry } from '../inspection/zip-file.ts'
import { join, patch, u16, u32, u32be, type HostileArchive } from './bytes.ts'

/** Yields packages with hostile signatures, and asset catalogs. */
export function* hostileSignedFiles(): Generator<HostileArchive> {
  for (const [name, entries] of Object.entries(jarCases()))
    yield { name: `jar: ${name}`, filetype: 'jar', bytes: zipFile(entries) }
  for (const [name, catalog] of Object.entries(catalogCases()))
    yield {
      name: `ipa: asset catalog: ${name}`,
      filetype: 'ipa',
      bytes: ipaFile({ info: infoPlist, catalog }),
    }
  for (const [name, signature] of Object.entries(pgpCases()))
    yield { name: `deb: signature: ${name}`, filetype: 'deb', bytes: debianPackage(signature) }
}

const signedDataOid = Buffer.from('06092a864886f70d010702', 'hex')
const dataOid = Buffer.from('06092a864886f70d010701', 'hex')

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return join(tag, 0x84, u32be(content.length), content)
}

const integer = (value: number) => join(0x02, 0x01, value)

/** Returns a CMS message with these certificates and signers, which are all the same. */
function message(certificates: number, signers: number): Buffer {
  const name = der(0x30)
  const key = der(0x30, der(0x30), der(0x03, Buffer.alloc(600)))
  const certificate = der(0x30, der(0x30, integer(1), der(0x30), name, der(0x30), name, key), der(0x30))
  // The signer is identified by its key, so the identifier of each certificate is computed.
  const signer = der(0x30, integer(3), der(0x80, Buffer.alloc(20)), der(0x30), der(0x30), der(0x04))
  const repeat = (part: Buffer, count: number) => Buffer.concat(Array.from({ length: count }, () => part))
  const signed = der(
    0x30,
    integer(1),
    der(0x31),
    der(0x30, dataOid),
    der(0xa0, repeat(certificate, certificates)),
    der(0x31, repeat(signer, signers)),
  )
  return der(0x30, signedDataOid, der(0xa0, signed))
}

function jarCases(): Record<string, ZipEntry[]> {
  const jar = (manifest: string, file = 'Signature-Version: 1.0\n\n', block = message(1, 1)): ZipEntry[] => [
    { name: 'META-INF/MANIFEST.MF', data: manifest },
    { name: 'META-INF/A.SF', data: file },
    { name: 'META-INF/A.RSA', data: block },
  ]
  const valid = 'Manifest-Version: 1.0\n\n'
  return {
    'manifest of empty lines': jar('\n'.repeat(8_000_000)),
    'manifest of short sections': jar(valid + 'Name: a\n\n'.repeat(200_000)),
    'manifest of different sections': jar(
      valid + Array.from({ length: 300_000 }, (_, index) => `Name: ${index}\n\n`).join(''),
    ),
    'manifest of continuation lines': jar(`Manifest-Version: 1.0${'\n a'.repeat(900_000)}\n\n`),
    'manifest of carriage returns': jar('\r'.repeat(3_000_000)),
    'signature file of attributes': jar(valid, 'a: b\n'.repeat(900_000)),
    'sections without a name': jar(`${valid}SHA-256-Digest: x\n\nSHA-256-Digest: x\n\n`),
    'section named __proto__': jar(`${valid}Name: __proto__\nSHA-256-Digest: x\n\n`),
    'ten thousand signers': jar(valid, undefined, message(1, 10_000)),
    'ten thousand certificates': jar(valid, undefined, message(1_000, 8)),
    'certificates and signers up to the limits': jar(valid, undefined, message(200, 8)),
    'signature that is empty': jar(valid, undefined, Buffer.alloc(0)),
    'a hundred signature files': [
      { name: 'META-INF/MANIFEST.MF', data: valid },
      ...Array.from({ length: 100 }, (_, index) => [
        { name: `META-INF/${index}.SF`, data: valid },
        { name: `META-INF/${index}.RSA`, data: message(1, 1) },
      ]).flat(),
    ],
    'signature file that is a bomb': [
      { name: 'META-INF/MANIFEST.MF', data: valid },
      { name: 'META-INF/A.SF', data: Buffer.alloc(15_000_000, 'a: b\n'), isDeflated: true },
      { name: 'META-INF/A.RSA', data: message(1, 1) },
    ],
  }
}

function catalogCases(): Record<string, Buffer> {
  const image = Buffer.alloc(100_000, 1)
  const catalog = assetCatalog({ AppIcon: 1 }, [{ asset: 1, tag: 'DWAR', data: image }])
  const indexOffset = catalog.readUInt32BE(16)
  const blocks = catalog.readUInt32BE(indexOffset)
  const everywhere = Array.from({ length: blocks }, () => u32be(0, catalog.length))
  const node = catalog.readUInt32BE(indexOffset + 4 + 3 * 8)
  return {
    'blocks of the whole file': patch(catalog, indexOffset + 4, join(...everywhere)),
    'node that follows itself': patch(catalog, node + 4, u32be(3)),
    'node that contains itself': patch(catalog, node, join(u16(0, 0), u32be(0, 0, 3))),
    'a million variables': patch(catalog, 32, u32be(1_000_000)),
    'number of blocks': patch(catalog, indexOffset, u32be(0xffffffff)),
    truncated: catalog.subarray(0, 1000),
    'image that is too long': patch(catalog, catalog.indexOf('DWAR') + 8, u32(0xffffffff)),
  }
}

function pgpCases(): Record<string, Buffer> {
  const signature = (hashed: Buffer) => join(0x88 | 1, Buffer.from([0xff, 0xff]), 4, 0, 1, 8, hashed)
  return {
    empty: Buffer.alloc(0),
    'length of the packet': Buffer.from('c2ffffffffff', 'hex'),
    'subpacket of length zero': signature(join(Buffer.from([0, 4]), Buffer.alloc(4), Buffer.alloc(70_000))),
    'long armor': Buffer.from(`-----BEGIN PGP SIGNATURE-----\n\n${'A\n'.repeat(400_000)}`),
    'armor of headers': Buffer.from(`-----BEGIN PGP SIGNATURE-----\n${'a: b\n'.repeat(150_000)}`),
    'armor of beginnings': Buffer.from('-----BEGIN PGP SIGNATURE-----\n'.repeat(30_000)),
  }
}

/** Returns a Debian package with only a signature, whose control archive is damaged. */
function debianPackage(signature: Buffer): Buffer {
  const member = (name: string, data: Buffer) =>
    join(
      `${name.padEnd(16)}${'0'.padEnd(32)}${String(data.length).padEnd(10)}\`\n`,
      data,
      Buffer.alloc(data.length % 2),
    )
  const control = Buffer.alloc(1024)
  control.write('./control')
  control.write('00000000005\0', 124)
  control.write('a: b\n', 512)
  return join(
    '!<arch>\n',
    member('debian-binary', Buffer.from('2.0\n')),
    member('control.tar', control),
    member('_gpgorigin', signature),
  )
}
