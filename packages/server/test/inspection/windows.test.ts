import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readImage } from '../../src/formats/image.ts'
import { inspectBytes, inspectPath, packageInfo } from './inspect-bytes.ts'
import { createCertificate, missing, packageFile, run, runText, temporaryFolder } from './programs.ts'

/** Executables from npm that their publishers signed. The second one has an icon and no version resource. */
const published = [
  packageFile('@electron/windows-sign/vendor/signtool.exe'),
  packageFile('node-notifier/vendor/snoreToast/snoretoast-x86.exe'),
] as const

/** Returns what exiftool reads from an executable. */
function exif(path: string) {
  const [found] = JSON.parse(runText('exiftool', ['-json', path])) as [Record<string, string | number | undefined>]
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
  for (const path of published) {
    test(`reads the same from ${path.split('/').at(-1)} as exiftool and osslsigncode`, async () => {
      const { file_info: info } = await inspectPath(path, 'exe')
      assert.deepEqual(info, { format: 'pe', ...exif(path), signer: signerOf(path) })
    })
  }

  test('reads the signer of an executable that is signed again', async () => {
    using folder = temporaryFolder()
    const { key, certificate } = createCertificate(folder.path, '/O=Example Ltd/CN=Käthe Signer')
    const keys = ['-certs', certificate, '-key', key]
    run('osslsigncode', ['sign', ...keys, '-in', published[0], '-out', folder.path('signed.exe')])
    const { file_info: info } = await inspectPath(folder.path('signed.exe'), 'exe')
    assert.equal(info?.signer, 'Käthe Signer')
  })

  test('converts the icon to PNG', async () => {
    const { icon } = await inspectPath(published[1], 'exe')
    assert.equal(icon?.media_type, 'image/png')
    assert.deepEqual(readImage(Buffer.from(icon.base64, 'base64')), { type: 'image/png', width: 256, height: 256 })
  })

  test('returns nothing for a DOS executable', async () => {
    const dos = Buffer.alloc(100)
    dos.write('MZ')
    assert.equal((await inspectBytes(dos, 'exe')).file_info, null)
  })
})

describe('Windows installers', { skip: missing('wixl', 'msiinfo', 'osslsigncode', 'openssl') }, () => {
  const source = (name: string) => `<?xml version="1.0" encoding="utf-8"?>
    <Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
      <Product Id="*" Name="${name}" Language="1033" Version="3.4.5" Manufacturer="Example Ltd"
        UpgradeCode="11111111-2222-3333-4444-555555555555">
        <Package InstallerVersion="200" Compressed="yes"/>
        <Media Id="1" Cabinet="a.cab" EmbedCab="yes"/>
        <Directory Id="TARGETDIR" Name="SourceDir">
          <Component Id="C1" Guid="11111111-2222-3333-4444-555555555556"><File Id="F1" Source="sample.wxs"/></Component>
        </Directory>
        <Feature Id="F"><ComponentRef Id="C1"/></Feature>
      </Product>
    </Wix>`

  test('reads the same as msiinfo', async () => {
    using folder = temporaryFolder()
    writeFileSync(folder.path('sample.wxs'), source('Quay &amp; Söhne'))
    const msi = folder.path('sample.msi')
    run('sh', ['-c', 'cd "$0" && wixl --arch x64 -o sample.msi sample.wxs', folder.path('.')])
    const rows = runText('msiinfo', ['export', msi, 'Property']).split(/\r?\n/)
    const property = (name: string) => rows.find((row) => row.startsWith(`${name}\t`))?.split('\t')[1]
    const [, template] = /^Template: ([^;]*);/m.exec(runText('msiinfo', ['suminfo', msi])) ?? []
    const info = await packageInfo(readFileSync(msi), 'msi')
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
