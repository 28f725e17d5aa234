import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readImage } from '../../src/inspection/images/image.ts'
import { inspectBytes, inspectPath, packageInfo } from './inspect-bytes.ts'
import { createCertificate, missing, run, runText, succeeds, temporaryFolder } from './programs.ts'
import { buildInstaller, publishedExecutables } from './windows-packages.ts'

/** Returns the metadata that exiftool reads from an executable. */
function exif(path: string) {
  const [found] = JSON.parse(runText('exiftool', ['-json', path])) as [
    Record<string, string | number | undefined>,
  ]
  const text = (name: string) => found[name]?.toString() ?? null
  const machine = text('MachineType')
  return {
    name: text('ProductName'),
    version: text('ProductVersion'),
    build_number: text('FileVersion'),
    publisher: text('CompanyName'),
    minimum_os: Number(text('SubsystemVersion')).toFixed(1),
    architectures: [machine?.includes('AMD64') === true ? 'x64' : 'x86'],
  }
}

/** Returns the libraries that an executable imports according to objdump. */
const importsOf = (path: string): string[] =>
  [...runText('objdump', ['--private-headers', path]).matchAll(/^\s+DLL Name: (.*)$/gm)].map(
    ([, name = '']) => name,
  )

/** Returns the common name of the signer according to osslsigncode. */
function signerOf(path: string): string | undefined {
  const output = runText('sh', ['-c', 'osslsigncode verify -in "$0" || true', path])
  return /Signer #0:\s+Subject: .*CN=([^/\n]+)/.exec(output)?.[1]
}

/** Returns whether osslsigncode verifies a file with the certificate of its signer as trusted. */
function isVerified(bytes: Buffer, path: string, certificate: string): boolean {
  writeFileSync(path, bytes)
  return succeeds('osslsigncode', ['verify', '-CAfile', certificate, '-in', path])
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe('Windows executables', { skip: missing('exiftool', 'objdump', 'osslsigncode', 'openssl') }, () => {
  for (const path of Object.values(publishedExecutables)) {
    test(`agrees with exiftool and osslsigncode on ${path.split('/').at(-1)}`, async () => {
      const { file_info: info } = await inspectPath(path, 'exe')
      assert.deepEqual(info, {
        format: 'pe',
        ...exif(path),
        dependencies: importsOf(path),
        signer: signerOf(path),
        signature_status: 'valid',
      })
    })
  }

  test('reads the signer of a newly signed executable', async () => {
    using folder = temporaryFolder()
    const { key, certificate } = createCertificate(folder.path, '/O=Example Ltd/CN=Käthe Signer')
    const keys = ['-certs', certificate, '-key', key]
    run('osslsigncode', [
      'sign',
      ...keys,
      '-in',
      publishedExecutables.signtool,
      '-out',
      folder.path('signed.exe'),
    ])
    const signed = readFileSync(folder.path('signed.exe'))
    const info = await packageInfo(signed, 'exe')
    assert.deepEqual([info.signer, info.signature_status], ['Käthe Signer', 'valid'])

    const certificateOffset = signed.readUInt32LE(signed.readUInt32LE(0x3c) + 24 + 112 + 32)
    const verify = (bytes: Buffer) => isVerified(bytes, folder.path('changed.exe'), certificate)
    for (const [name, changed] of [
      ['unchanged', signed],
      ['changed code', flipped(signed, 5000)],
      ['changed checksum', flipped(signed, signed.readUInt32LE(0x3c) + 24 + 64)],
      ['changed digest', flipped(signed, certificateOffset + 100)],
      ['changed signature', flipped(signed, signed.length - 40)],
      ['added bytes', Buffer.concat([signed, Buffer.alloc(8)])],
    ] as const) {
      const { signer, signature_status: status } = await packageInfo(changed, 'exe')
      const expected = verify(changed) ? ['valid', 'Käthe Signer'] : ['invalid', null]
      assert.deepEqual([status, signer], expected, name)
    }
  })

  test('converts the icon to PNG', async () => {
    const { icon } = await inspectPath(publishedExecutables.snoretoast, 'exe')
    assert.equal(icon?.media_type, 'image/png')
    assert.deepEqual(readImage(Buffer.from(icon.base64, 'base64')), {
      type: 'image/png',
      width: 256,
      height: 256,
    })
  })

  test('returns nothing for a DOS executable', async () => {
    const dos = Buffer.alloc(100)
    dos.write('MZ')
    assert.equal((await inspectBytes(dos, 'exe')).file_info, null)
  })
})

describe('Windows installers', { skip: missing('wixl', 'msiinfo', 'osslsigncode', 'openssl') }, () => {
  test('returns the same metadata as msiinfo', async () => {
    using folder = temporaryFolder()
    const info = await packageInfo(buildInstaller(folder.path, 'Quay &amp; Söhne'), 'msi')
    const msi = folder.path('sample.msi')
    const rows = runText('msiinfo', ['export', msi, 'Property']).split(/\r?\n/)
    const property = (name: string) => rows.find((row) => row.startsWith(`${name}\t`))?.split('\t')[1]
    const [, template] = /^Template: ([^;]*);/m.exec(runText('msiinfo', ['suminfo', msi])) ?? []
    assert.deepEqual(
      [info.name, info.version, info.publisher, info.architectures, info.signature_status],
      [...['ProductName', 'ProductVersion', 'Manufacturer'].map(property), [template], 'unsigned'],
    )
  })

  for (const options of [[], ['-add-msi-dse']]) {
    test(`agrees with osslsigncode on a signed installer ${options.join()}`.trim(), async () => {
      using folder = temporaryFolder()
      buildInstaller(folder.path, 'Quay')
      const { key, certificate } = createCertificate(folder.path, '/CN=Installer Signer')
      const output = ['-in', folder.path('sample.msi'), '-out', folder.path('signed.msi')]
      run('osslsigncode', ['sign', '-certs', certificate, '-key', key, ...options, ...output])
      const signed = readFileSync(folder.path('signed.msi'))
      const verify = (bytes: Buffer) => isVerified(bytes, folder.path('changed.msi'), certificate)
      const entry = (name: string) => signed.indexOf(Buffer.from(name, 'utf16le'))
      for (const [name, changed] of [
        ['unchanged', signed],
        ['changed name of the product', flipped(signed, signed.indexOf('Quay'))],
        ['changed class', flipped(signed, entry('Root Entry') + 80)],
        ['changed time of a stream', flipped(signed, entry('\u0005SummaryInformation') + 100)],
        ['changed certificate', flipped(signed, signed.indexOf('Installer Signer'))],
      ] as const) {
        const { signer, signature_status: status } = await packageInfo(changed, 'msi')
        const expected = verify(changed) ? ['valid', 'Installer Signer'] : ['invalid', null]
        assert.deepEqual([status, signer], expected, name)
      }
    })
  }
})
