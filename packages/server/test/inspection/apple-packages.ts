import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { crc32, deflateRawSync, deflateSync, inflateSync } from 'node:zlib'
import { u16, u32, u32be } from '../hostile/bytes.ts'
import { createCertificate, run } from './programs.ts'
import { zipFile, type ZipEntry } from './zip-file.ts'

export const xmlPlist = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">${content}</plist>`

export const infoPlist = xmlPlist(`<dict>
  <key>CFBundleIdentifier</key><string>com.example.quay</string>
  <key>CFBundleName</key><string>Quay</string>
  <key>CFBundleDisplayName</key><string>Quay &amp; Söhne 🚢</string>
  <key>CFBundleExecutable</key><string>Quay</string>
  <key>CFBundleVersion</key><string>1204</string>
  <key>CFBundleShortVersionString</key><string>3.2.1</string>
  <key>MinimumOSVersion</key><string>15.0</string>
  <key>UIDeviceFamily</key><array><integer>1</integer><integer>-2</integer></array>
  <key>Ratio</key><real>1.5</real>
  <key>CFBundleIcons</key><dict><key>CFBundlePrimaryIcon</key><dict>
    <key>CFBundleIconFiles</key><array><string>AppIcon60x60</string></array></dict></dict>
</dict>`)

/** Converts a property list to binary format with libplist. */
export const binaryPlist = (xml: string): Buffer => run('plistutil', ['-f', 'bin', '-i', '-', '-o', '-'], xml)

export const profilePlists = {
  development: profile(
    '<key>get-task-allow</key><true/>',
    '<array><string>a</string><string>b</string></array>',
  ),
  adhoc: profile('<key>get-task-allow</key><false/>', '<array><string>a</string></array>'),
  enterprise: profile(
    '<key>get-task-allow</key><false/>',
    undefined,
    '<key>ProvisionsAllDevices</key><true/>',
  ),
  appstore: profile('<key>get-task-allow</key><false/>'),
}

function profile(entitlements: string, devices?: string, other = ''): string {
  return xmlPlist(`<dict>
  <key>UUID</key><string>6b0e1d2c-1111-4222-8333-444455556666</string>
  <key>TeamName</key><string>Example Ltd</string>
  <key>TeamIdentifier</key><array><string>AB12CD34EF</string></array>
  <key>ApplicationIdentifierPrefix</key><array><string>ZZ99ZZ99ZZ</string></array>
  <key>ExpirationDate</key><date>2027-03-04T05:06:07Z</date>
  <key>Entitlements</key><dict>${entitlements}</dict>
  ${devices === undefined ? '' : `<key>ProvisionedDevices</key>${devices}`}${other}
</dict>`)
}

/** Signs property lists as provisioning profiles with openssl. */
export function signProfiles(path: (name: string) => string): Record<keyof typeof profilePlists, Buffer> {
  const { key, certificate } = createCertificate(path, '/CN=Profile Signer')
  const sign = (plist: string): Buffer => {
    writeFileSync(path('profile.plist'), plist)
    const signer = ['-signer', certificate, '-inkey', key, '-keyform', 'DER']
    const output = ['-outform', 'DER', '-out', path('profile')]
    run('openssl', [
      'cms',
      '-sign',
      '-binary',
      '-nodetach',
      '-in',
      path('profile.plist'),
      ...signer,
      ...output,
    ])
    return readFileSync(path('profile'))
  }
  const { development, adhoc, enterprise, appstore } = profilePlists
  return {
    development: sign(development),
    adhoc: sign(adhoc),
    enterprise: sign(enterprise),
    appstore: sign(appstore),
  }
}

/** Returns the start of a universal Mach-O executable for these processor types. */
export function universalExecutable(...types: number[]): Buffer {
  const bytes = Buffer.alloc(4096)
  bytes.writeUInt32BE(0xcafebabe, 0)
  bytes.writeUInt32BE(types.length, 4)
  for (const [index, type] of types.entries()) bytes.writeUInt32BE(type, 8 + index * 20)
  return bytes
}

type IpaParts = {
  info: Buffer | string
  profile?: Buffer
  icon?: Buffer
  executable?: Buffer
  catalog?: Buffer
  isDeflated?: boolean
}

export function ipaFile({ info, profile, icon, executable, catalog, isDeflated = true }: IpaParts): Buffer {
  const folder = 'Payload/Quay.app/'
  const entries: ZipEntry[] = [
    { name: 'Payload/' },
    { name: folder },
    { name: `${folder}Info.plist`, data: info, isDeflated },
  ]
  if (profile !== undefined)
    entries.push({ name: `${folder}embedded.mobileprovision`, data: profile, isDeflated })
  if (icon !== undefined) entries.push({ name: `${folder}AppIcon60x60@2x.png`, data: icon })
  if (executable !== undefined) entries.push({ name: `${folder}Quay`, data: executable, isDeflated: true })
  if (catalog !== undefined) entries.push({ name: `${folder}Assets.car`, data: catalog })
  return zipFile(entries)
}

/** A rendition in an asset catalog. The tag of the data is `DWAR` for files and `MLEC` for compressed pixels. */
export type Rendition = { asset: number; tag: 'DWAR' | 'MLEC'; data: Buffer }

/** Returns an asset catalog with these assets by name and their renditions, in the layout of actool. */
export function assetCatalog(assets: Record<string, number>, renditions: Rendition[]): Buffer {
  const blocks: Buffer[] = []
  const add = (block: Buffer): number => blocks.push(block) - 1
  const tree = (entries: [key: Buffer, value: Buffer][]): number => {
    const node = Buffer.alloc(12)
    node.writeUInt16BE(1, 0)
    node.writeUInt16BE(entries.length, 2)
    const references = entries.map(([key, value]) => u32be(add(value), add(key)))
    const header = Buffer.concat([Buffer.from('tree'), u32be(1, add(Buffer.concat([node, ...references])))])
    return add(Buffer.concat([header, u32be(4096, entries.length), Buffer.alloc(1)]))
  }
  const format = Buffer.concat([Buffer.from('tmfk'), u32(0, 3, 12, 17, 1)])
  const variables = {
    KEYFORMAT: add(format),
    FACETKEYS: tree(
      Object.entries(assets).map(([name, id]) => [Buffer.from(name), u16(0, 0, 2, 1, 85, 17, id)]),
    ),
    RENDITIONS: tree(
      renditions.map((rendition, index) => [u16(index, rendition.asset, 85), renditionBlock(rendition)]),
    ),
  }
  const names = Object.entries(variables).map(([name, block]) =>
    Buffer.concat([u32be(block), Buffer.from([name.length]), Buffer.from(name)]),
  )
  const variableBlock = Buffer.concat([u32be(names.length), ...names])
  let offset = 32 + variableBlock.length
  const addresses = blocks.map(({ length }) => u32be((offset += length) - length, length))
  const index = Buffer.concat([u32be(blocks.length), ...addresses])
  const header = u32be(1, blocks.length, offset, index.length, 32, variableBlock.length)
  return Buffer.concat([Buffer.from('BOMStore'), header, variableBlock, ...blocks, index])
}

function renditionBlock({ tag, data }: Rendition): Buffer {
  const header = Buffer.alloc(184)
  header.write('ISTC')
  header.writeUInt32LE(20, 168)
  header.writeUInt32LE(12 + data.length, 180)
  return Buffer.concat([header, Buffer.alloc(20), Buffer.from(tag), u32(0, data.length), data])
}

/** Encodes pixels in the PNG variant of Xcode (CgBI): premultiplied, blue before red, without a zlib header. */
export function writeApplePng(width: number, height: number, pixels: Buffer): Buffer {
  const rows = Buffer.alloc(height * (width * 4 + 1))
  for (let row = 0; row < height; row++) {
    // Filter type 2 (Up) stores the difference from the previous row.
    rows[row * (width * 4 + 1)] = 2
    for (let column = 0; column < width * 4; column++) {
      const value = (y: number) => (y < 0 ? 0 : premultiplied(pixels, y * width * 4 + column))
      rows[row * (width * 4 + 1) + 1 + column] = value(row) - value(row - 1)
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return pngFile([
    ['CgBI', Buffer.from('50002002', 'hex')],
    ['IHDR', header],
    ['IDAT', deflateRawSync(rows)],
    ['IEND', Buffer.alloc(0)],
  ])
}

/** Returns the byte that Xcode writes at an offset: the swapped color channel multiplied by alpha. */
function premultiplied(pixels: Buffer, offset: number): number {
  const pixel = offset - (offset % 4)
  const channel = [2, 1, 0, 3][offset % 4] ?? 0
  const alpha = pixels[pixel + 3] ?? 0
  const value = pixels[pixel + channel] ?? 0
  return channel === 3 ? value : Math.round((value * alpha) / 255)
}

/** Returns an Apple icon file (ICNS) with these images. */
export function icnsFile(...images: Buffer[]): Buffer {
  const parts = images.map((image, index) => {
    const header = Buffer.from(`ic0${index}....`)
    header.writeUInt32BE(image.length + 8, 4)
    return Buffer.concat([header, image])
  })
  const header = Buffer.from('icns....')
  header.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, 8),
    4,
  )
  return Buffer.concat([header, ...parts])
}

export function pngFile(chunks: [type: string, data: Buffer][]): Buffer {
  const parts = chunks.map(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  })
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

const distribution = `<?xml version="1.0" encoding="utf-8"?>
<installer-gui-script minSpecVersion="2"><title>Quay Installer</title>
  <product id="com.example.quay" version="3.2.1"/>
  <options customize="never" hostArchitectures="x86_64,arm64"/>
  <volume-check><allowed-os-versions><os-version min="11.3"/></allowed-os-versions></volume-check>
  <pkg-ref id="com.example.quay.app" version="3.2.1">#quay.pkg</pkg-ref></installer-gui-script>`

const packageInfo =
  '<pkg-info format-version="2" identifier="com.example.quay.app" version="3.2.1" install-location="/Applications"/>'

/** Builds an installer package with bsdtar, which compresses its files with zlib and computes their checksums. */
export function buildPkg(path: (name: string) => string, options: { isComponent?: boolean } = {}): Buffer {
  mkdirSync(path('installer/quay.pkg'), { recursive: true })
  const folder = options.isComponent === true ? '' : 'quay.pkg/'
  if (options.isComponent !== true) writeFileSync(path('installer/Distribution'), distribution)
  writeFileSync(path(`installer/${folder}PackageInfo`), packageInfo)
  writeFileSync(path(`installer/${folder}Payload`), Buffer.alloc(100_000, 'payload'))
  const names = options.isComponent === true ? ['PackageInfo', 'Payload'] : ['Distribution', 'quay.pkg']
  run('bsdtar', ['--format=xar', '-cf', path('quay.pkg'), '-C', path('installer'), ...names])
  return readFileSync(path('quay.pkg'))
}

/** Signs an installer package: the table of contents gets the certificate, and the heap the signature of the table. */
export function signPkg(path: (name: string) => string, bytes: Buffer): Buffer {
  const { certificate } = createCertificate(path, '/CN=Developer ID Installer: Quay')
  const [headerBytes, storedBytes] = [bytes.readUInt16BE(4), Number(bytes.readBigUInt64BE(8))]
  const heap = bytes.subarray(headerBytes + storedBytes)
  const der = run('openssl', ['x509', '-in', certificate, '-outform', 'DER'])
  const element = `<signature style="RSA"><offset>${heap.length}</offset><size>256</size><KeyInfo><X509Data>
    <X509Certificate>${der.toString('base64')}</X509Certificate></X509Data></KeyInfo></signature>`
  const xml = inflateSync(bytes.subarray(headerBytes, headerBytes + storedBytes)).toString('utf8')
  const table = Buffer.from(xml.replace('</checksum>', `</checksum>${element}`))
  const stored = deflateSync(table)
  const header = Buffer.from(bytes.subarray(0, headerBytes))
  header.writeBigUInt64BE(BigInt(stored.length), 8)
  header.writeBigUInt64BE(BigInt(table.length), 16)
  writeFileSync(path('table'), stored)
  const signature = run('openssl', ['dgst', '-sha1', '-sign', path('key.pem'), path('table')])
  const checksum = createHash('sha1').update(stored).digest()
  return Buffer.concat([header, stored, checksum, heap.subarray(checksum.length), signature])
}
