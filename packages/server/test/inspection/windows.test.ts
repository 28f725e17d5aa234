import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readImage } from '../../src/formats/image.ts'
import { inspectBytes, inspectPath, packageInfo } from './inspect-bytes.ts'
import { createCertificate, missing, run, runText, temporaryFolder } from './programs.ts'
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

/** Returns the common name of the signer according to osslsigncode. */
function signerOf(path: string): string | undefined {
  const output = runText('sh', ['-c', 'osslsigncode verify -in "$0" || true', path])
  return /Signer #0:\s+Subject: .*CN=([^/\n]+)/.exec(output)?.[1]
}

describe('Windows executables', { skip: missing('exiftool', 'osslsigncode', 'openssl') }, () => {
  for (const path of Object.values(publishedExecutables)) {
    test(`agrees with exiftool and osslsigncode on ${path.split('/').at(-1)}`, async () => {
      const { file_info: info } = await inspectPath(path, 'exe')
      assert.deepEqual(info, { format: 'pe', ...exif(path), signer: signerOf(path) })
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
    const { file_info: info } = await inspectPath(folder.path('signed.exe'), 'exe')
    assert.equal(info?.signer, 'Käthe Signer')
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
  test('returns the same metadata as msiinfo and osslsigncode', async () => {
    using folder = temporaryFolder()
    const info = await packageInfo(buildInstaller(folder.path, 'Quay &amp; Söhne'), 'msi')
    const msi = folder.path('sample.msi')
    const rows = runText('msiinfo', ['export', msi, 'Property']).split(/\r?\n/)
    const property = (name: string) => rows.find((row) => row.startsWith(`${name}\t`))?.split('\t')[1]
    const [, template] = /^Template: ([^;]*);/m.exec(runText('msiinfo', ['suminfo', msi])) ?? []
    assert.deepEqual(
      [info.name, info.version, info.publisher, info.architectures, info.signer],
      [...['ProductName', 'ProductVersion', 'Manufacturer'].map(property), [template], null],
    )

    const { key, certificate } = createCertificate(folder.path, '/CN=Installer Signer')
    const signed = folder.path('signed.msi')
    run('osslsigncode', ['sign', '-certs', certificate, '-key', key, '-in', msi, '-out', signed])
    assert.equal((await packageInfo(readFileSync(signed), 'msi')).signer, 'Installer Signer')
  })
})
