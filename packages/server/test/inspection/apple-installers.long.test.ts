import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { publishedIcon } from './android-packages.ts'
import { buildPkg, icnsFile, signPkg, xmlPlist } from './apple-packages.ts'
import { buildHfsPlus, diskImage } from './disk-images.ts'
import { inspectBytes, packageInfo } from './inspect-bytes.ts'
import { buildMachO, nativeTools, signMachO } from './native-code.ts'
import { missing, runText, temporaryFolder } from './programs.ts'

describe('installer packages for macOS', { skip: missing('bsdtar', '7z', 'openssl') }, () => {
  test('agree with 7z on the documents that describe the product', async () => {
    using folder = temporaryFolder()
    const info = await packageInfo(buildPkg(folder.path), 'pkg')
    const document = (name: string) => runText('7z', ['e', '-so', folder.path('quay.pkg'), name])
    const [, title] = /<title>(.*)<\/title>/.exec(document('Distribution')) ?? []
    const [, identifier, version] =
      /identifier="(\S+)" version="(\S+)"/.exec(document('quay.pkg/PackageInfo')) ?? []
    assert.deepEqual(info, {
      format: 'pkg',
      name: title,
      version,
      build_number: null,
      publisher: null,
      minimum_os: 'macOS 11.3',
      signer: null,
      signature_status: 'unsigned',
      architectures: ['u2b'],
      dependencies: [`${identifier} ${version}`],
    })
  })

  test('without a distribution are described by their component', async () => {
    using folder = temporaryFolder()
    const info = await packageInfo(buildPkg(folder.path, { isComponent: true }))
    assert.deepEqual([info.name, info.version, info.dependencies], ['com.example.quay.app', '3.2.1', []])
  })

  test('have a valid signature until a file, the table or the signature is changed', async () => {
    using folder = temporaryFolder()
    const signed = signPkg(folder.path, buildPkg(folder.path))
    const statusOf = async (at?: number) => {
      const bytes = Buffer.from(signed)
      if (at !== undefined) bytes[at] = (bytes[at] ?? 0) ^ 1
      const { signature_status: status, signer } = await packageInfo(bytes)
      return [status, signer]
    }
    assert.deepEqual(await statusOf(), ['valid', 'Developer ID Installer: Quay'])
    const heap = signed.readUInt16BE(4) + Number(signed.readBigUInt64BE(8))
    for (const at of [heap, heap + 30, signed.length - 300, signed.length - 1])
      assert.deepEqual(
        await statusOf(at).catch(() => ['invalid', null]),
        ['invalid', null],
        String(at - heap),
      )
  })
})

describe('disk images for macOS', { skip: missing('xorriso', '7z', 'xz', 'openssl', ...nativeTools) }, () => {
  const files = (executable: Buffer) => ({
    'Quay App.app/Contents/Info.plist': xmlPlist(`<dict>
      <key>CFBundleName</key><string>Quay</string><key>CFBundleExecutable</key><string>quay</string>
      <key>CFBundleShortVersionString</key><string>5.6</string><key>CFBundleVersion</key><string>560</string>
      <key>CFBundleIconFile</key><string>quay</string><key>LSMinimumSystemVersion</key><string>12.0</string></dict>`),
    'Quay App.app/Contents/MacOS/quay': executable,
    'Quay App.app/Contents/Resources/quay.icns': icnsFile(publishedIcon()),
    'Quay App.app/Contents/Resources/large.bin': Buffer.alloc(3_000_000, 'large'),
    ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`Documents/Söhne ${n}.txt`, String(n)])),
  })

  test('agree with 7z on the application in an HFS+ volume', async () => {
    using folder = temporaryFolder()
    const executable = readFileSync(buildMachO(folder.path, 'arm64'))
    const volume = buildHfsPlus(folder.path, files(executable))
    for (const method of ['zlib', 'raw', 'lzma'] as const) {
      const image = diskImage(volume, { method, path: folder.path })
      writeFileSync(folder.path('quay.dmg'), image)
      const listed = runText('7z', ['l', '-slt', folder.path('quay.dmg')])
      const [, path = ''] = /^Path = (.*Info\.plist)$/m.exec(listed) ?? []
      const plist = runText('7z', ['e', '-so', folder.path('quay.dmg'), path])
      const value = (key: string) => new RegExp(`<key>${key}</key><string>(.*?)</string>`).exec(plist)?.[1]
      const { file_info: info, icon, debug_ids: ids } = await inspectBytes(image, 'dmg')
      assert.deepEqual(
        [info?.format, info?.name, info?.version, info?.build_number, info?.minimum_os, info?.architectures],
        [
          'dmg',
          ...['CFBundleName', 'CFBundleShortVersionString', 'CFBundleVersion', 'LSMinimumSystemVersion'].map(
            value,
          ),
          ['apple'],
        ],
        method,
      )
      assert.equal(icon?.base64, publishedIcon().toString('base64'))
      assert.equal(ids[0]?.kind, 'mach_uuid')
    }
  })

  test('contain an installer package, or only the name of the volume', async () => {
    using folder = temporaryFolder()
    const installer = buildHfsPlus(folder.path, {
      'Install.pkg': signPkg(folder.path, buildPkg(folder.path)),
    })
    const info = await packageInfo(diskImage(installer))
    assert.deepEqual([info.format, info.name, info.version], ['dmg', 'Quay Installer', '3.2.1'])
    // The signature of the disk image is not that of the package on it.
    assert.deepEqual([info.signature_status, info.signer], ['unsigned', null])
    using other = temporaryFolder()
    const volume = buildHfsPlus(other.path, { 'Read me.txt': 'text' })
    assert.equal((await packageInfo(diskImage(volume))).name, 'Quay Volume')
  })

  test('that cannot be read have a format and a signer', async () => {
    using folder = temporaryFolder()
    const signed = signMachO(folder.path, readFileSync(buildMachO(folder.path, 'arm64')))
    const signature = signed.subarray(signed.lastIndexOf(Buffer.from('fade0cc0', 'hex')))
    const volume = Buffer.alloc(100_000, 'APFS')
    const infoOf = async (bytes: Buffer) => {
      const { format, name, signature_status: status, signer } = await packageInfo(bytes)
      return [format, name, status, signer]
    }
    const signer = 'Developer ID Application: Quay'
    assert.deepEqual(await infoOf(diskImage(volume, { signature })), ['dmg', null, 'unknown', signer])
    assert.deepEqual(await infoOf(diskImage(volume, { method: 'unsupported' })), [
      'dmg',
      null,
      'unsigned',
      null,
    ])
    const changed = Buffer.from(signature)
    changed.write('Quux', changed.lastIndexOf('Quay'))
    assert.deepEqual(await infoOf(diskImage(volume, { signature: changed })), ['dmg', null, 'invalid', null])
    const encrypted = Buffer.concat([Buffer.from('encrcdsa'), Buffer.alloc(5000)])
    assert.deepEqual(await infoOf(encrypted), ['encrypted-dmg', null, null, null])
  })
})
