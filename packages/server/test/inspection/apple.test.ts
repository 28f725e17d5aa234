import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { readChunks, writePng } from '../../src/inspection/png-chunks.ts'
import { publishedIcon } from './android-packages.ts'
import {
  assetCatalog,
  binaryPlist,
  icnsFile,
  infoPlist,
  ipaFile,
  profilePlists,
  signProfiles,
  universalExecutable,
  writeApplePng,
  xmlPlist,
} from './apple-packages.ts'
import { inspectBytes, iosInfo, packageInfo } from './inspect-bytes.ts'
import { missing, run, runText, succeeds, temporaryFolder } from './programs.ts'
import { zipFile } from './zip-file.ts'

/** Returns the text of a key, or the first text of its array, in a property list that libplist has printed. */
function textIn(plist: string, key: string): string | null {
  const [, text] =
    new RegExp(`<key>${key}</key>\\s*(?:<array>\\s*)?<(?:string|date)>([^<]*)<`).exec(plist) ?? []
  return text?.replaceAll('&amp;', '&') ?? null
}

describe('iOS applications', { skip: missing('plistutil', 'openssl', 'unzip') }, () => {
  const folder = temporaryFolder()
  let profiles: ReturnType<typeof signProfiles>
  before(() => {
    profiles = signProfiles(folder.path)
  })
  after(() => folder[Symbol.dispose]())

  for (const [format, info] of [
    ['XML', () => infoPlist],
    ['binary', () => binaryPlist(infoPlist)],
  ] as const) {
    test(`agrees with libplist on an Info.plist in ${format} format`, async () => {
      const printed = runText('plistutil', ['-f', 'xml', '-i', '-', '-o', '-'], info())
      const found = await iosInfo(ipaFile({ info: info() }))
      assert.deepEqual(found, {
        bundle_id: textIn(printed, 'CFBundleIdentifier'),
        bundle_name: textIn(printed, 'CFBundleName'),
        minimum_os: textIn(printed, 'MinimumOSVersion'),
        bundle_version: textIn(printed, 'CFBundleVersion'),
        version_short_string: textIn(printed, 'CFBundleShortVersionString'),
        key_type: null,
        provisioning_profile_uuid: null,
        provisioning_profile_expiry: null,
        team_name: null,
        team_identifier: null,
        provisioned_device_count: null,
        provisioning_profile_signature: null,
        provisioning_profile_signer: null,
      })
      const file = await packageInfo(ipaFile({ info: info() }), 'ipa')
      assert.equal(file.name, textIn(printed, 'CFBundleDisplayName'))
    })
  }

  test('agrees with openssl and libplist on a signed profile', async () => {
    const profile = profiles.development
    writeFileSync(folder.path('signed'), profile)
    const content = run('openssl', [
      'cms',
      '-verify',
      '-noverify',
      '-inform',
      'DER',
      '-in',
      folder.path('signed'),
    ])
    const printed = runText('plistutil', ['-f', 'xml', '-i', '-', '-o', '-'], binaryPlist(content.toString()))
    const found = await iosInfo(ipaFile({ info: infoPlist, profile }))
    assert.deepEqual(
      [
        found.provisioning_profile_uuid,
        found.team_name,
        found.team_identifier,
        found.provisioning_profile_expiry?.replace('.000000', ''),
      ],
      ['UUID', 'TeamName', 'TeamIdentifier', 'ExpirationDate'].map((key) => textIn(printed, key)),
    )
  })

  for (const [type, devices] of [
    ['development', 2],
    ['adhoc', 1],
    ['enterprise', null],
    ['appstore', null],
  ] as const) {
    test(`recognizes the key type ${type}`, async () => {
      const bytes = ipaFile({ info: infoPlist, profile: profiles[type] })
      const found = await iosInfo(bytes)
      assert.deepEqual([found.key_type, found.provisioned_device_count], [type, devices])
      const { provisioned_devices: listed } = await inspectBytes(bytes, 'ipa')
      assert.deepEqual(listed, devices === null ? null : ['a', 'b'].slice(0, devices))
    })
  }

  test('reads a profile whose signature is encoded in BER', async () => {
    writeFileSync(folder.path('plist'), profilePlists.adhoc)
    const signer = [
      '-signer',
      folder.path('certificate.pem'),
      '-inkey',
      folder.path('key.pk8'),
      '-keyform',
      'DER',
    ]
    const input = ['-in', folder.path('plist'), '-outform', 'DER']
    const profile = run('openssl', [
      'cms',
      '-sign',
      '-binary',
      '-nodetach',
      '-stream',
      '-indef',
      ...input,
      ...signer,
    ])
    const found = await iosInfo(ipaFile({ info: infoPlist, profile }))
    assert.deepEqual([found.key_type, found.provisioning_profile_signature], ['adhoc', 'valid'])
  })

  test('agrees with openssl on the signature of a profile', async () => {
    const profile = profiles.adhoc
    const flipped = (at: number) => {
      const copy = Buffer.from(profile)
      copy[at] = (copy[at] ?? 0) ^ 1
      return copy
    }
    const cases = {
      unchanged: profile,
      'changed content': flipped(profile.indexOf('Example Ltd')),
      'changed attribute': flipped(profile.length - 300),
      'changed signature': flipped(profile.length - 1),
    }
    for (const [name, bytes] of Object.entries(cases)) {
      const path = folder.path('changed')
      writeFileSync(path, bytes)
      const isVerified = succeeds('openssl', ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', path])
      const found = await iosInfo(ipaFile({ info: infoPlist, profile: bytes }))
      assert.deepEqual(
        [found.provisioning_profile_signature, found.provisioning_profile_signer],
        isVerified ? ['valid', 'Profile Signer'] : ['invalid', null],
        name,
      )
      const { signer } = await packageInfo(ipaFile({ info: infoPlist, profile: bytes }), 'ipa')
      assert.equal(signer, isVerified ? 'AB12CD34EF' : null)
    }
  })

  test('reads an application with a damaged profile', async () => {
    const profile = profiles.adhoc.subarray(0, 500)
    const found = await iosInfo(ipaFile({ info: infoPlist, profile }))
    assert.deepEqual([found.bundle_id, found.key_type], ['com.example.quay', null])
  })

  test('returns a standard PNG icon unchanged', async () => {
    const icon = publishedIcon()
    const found = await inspectBytes(ipaFile({ info: infoPlist, icon }), 'ipa')
    assert.deepEqual(found.icon, { media_type: 'image/png', base64: icon.toString('base64') })
  })
})

describe('Apple applications built by the test', () => {
  test('converts a CgBI icon to standard PNG', async () => {
    const [width, height] = [20, 17]
    const pixels = Buffer.alloc(width * height * 4)
    for (let at = 0; at < pixels.length; at += 4) pixels.writeUInt32BE((at * 2654435761) >>> 0, at)
    for (let at = 3; at < pixels.length; at += 4) pixels[at] = at % 3 === 0 ? 0 : 255
    const icon = writeApplePng(width, height, pixels)
    const found = await inspectBytes(ipaFile({ info: infoPlist, icon }), 'ipa')
    const chunks = readChunks(Buffer.from(found.icon?.base64 ?? '', 'base64')) ?? []
    const rows = inflateSync(chunks.find(({ type }) => type === 'IDAT')?.data ?? Buffer.alloc(0))
    for (let at = 0; at < pixels.length; at += 4) {
      const [row, column] = [Math.floor(at / (width * 4)), at % (width * 4)]
      const expected = pixels[at + 3] === 0 ? Buffer.alloc(4) : pixels.subarray(at, at + 4)
      const start = row * (width * 4 + 1) + 1 + column
      assert.deepEqual(rows.subarray(start, start + 4), expected)
    }
  })

  test('reads the icon in an asset catalog if it is stored as a file', async () => {
    const png = (size: number) => writePng(size, size, Buffer.alloc(size * size * 4, size))
    const assets = { Background: 7, AppIcon: 4711 }
    const catalog = assetCatalog(assets, [
      { asset: 7, tag: 'DWAR', data: png(64) },
      { asset: 4711, tag: 'MLEC', data: png(60) },
      { asset: 4711, tag: 'DWAR', data: png(20) },
      { asset: 4711, tag: 'DWAR', data: png(40) },
    ])
    const { icon } = await inspectBytes(ipaFile({ info: infoPlist, catalog }), 'ipa')
    assert.deepEqual(icon, { media_type: 'image/png', base64: png(40).toString('base64') })

    const named = infoPlist.replace(
      '<key>CFBundleIconFiles</key>',
      '<key>CFBundleIconName</key><string>Background</string><key>CFBundleIconFiles</key>',
    )
    const background = await inspectBytes(ipaFile({ info: named, catalog }), 'ipa')
    assert.equal(background.icon?.base64, png(64).toString('base64'))

    const compressed = assetCatalog(assets, [{ asset: 4711, tag: 'MLEC', data: png(60) }])
    assert.equal((await inspectBytes(ipaFile({ info: infoPlist, catalog: compressed }), 'ipa')).icon, null)
  })

  test('prefers icons outside of the asset catalog', { skip: missing('unzip') }, async () => {
    const icon = publishedIcon()
    const image = writePng(90, 90, Buffer.alloc(90 * 90 * 4))
    const catalog = assetCatalog({ AppIcon: 1 }, [{ asset: 1, tag: 'DWAR', data: image }])
    const found = await inspectBytes(ipaFile({ info: infoPlist, icon, catalog }), 'ipa')
    assert.equal(found.icon?.base64, icon.toString('base64'))
  })

  test('lists the architectures of a universal executable', async () => {
    const executable = universalExecutable(0x0c, 0x0100000c)
    const found = await packageInfo(ipaFile({ info: infoPlist, executable }), 'ipa')
    assert.deepEqual(found.architectures, ['armv7', 'arm64v8'])
  })

  test('reads a zipped macOS application', async () => {
    const info = xmlPlist(`<dict><key>CFBundleName</key><string>Quay</string>
      <key>CFBundleExecutable</key><string>quay</string>
      <key>CFBundleShortVersionString</key><string>5.6</string><key>CFBundleVersion</key><string>560</string>
      <key>CFBundleIconFile</key><string>Quay.icns</string>
      <key>LSMinimumSystemVersion</key><string>13.0</string></dict>`)
    const icon = writePng(32, 32, Buffer.alloc(32 * 32 * 4, 0x7f))
    const helper = xmlPlist('<dict><key>CFBundleName</key><string>Helper</string></dict>')
    const zip = zipFile([
      { name: 'dist/Quay.app/Contents/Frameworks/Helper.app/Contents/Info.plist', data: helper },
      { name: 'dist/Quay.app/Contents/Info.plist', data: info, isDeflated: true },
      { name: 'dist/Quay.app/Contents/MacOS/quay', data: universalExecutable(0x01000007, 0x0100000c) },
      { name: 'dist/Quay.app/Contents/Resources/Quay.icns', data: icnsFile(Buffer.alloc(100), icon) },
    ])
    const found = await inspectBytes(zip, 'zip')
    assert.deepEqual(found.icon, { media_type: 'image/png', base64: icon.toString('base64') })
    assert.deepEqual(found.file_info, {
      format: 'app',
      name: 'Quay',
      version: '5.6',
      build_number: '560',
      publisher: null,
      minimum_os: '13.0',
      signer: null,
      signature_status: 'unsigned',
      architectures: ['u2b'],
      dependencies: [],
    })
  })
})
