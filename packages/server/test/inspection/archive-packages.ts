import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createCertificate, run } from './programs.ts'
import { zipFile, type ZipEntry } from './zip-file.ts'

/** Writes files below a folder. */
export function writeFiles(path: (name: string) => string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), content)
  }
}

export const appxManifest = `<?xml version="1.0" encoding="utf-8"?>
<Package xmlns="http://schemas.microsoft.com/appx/manifest/foundation/windows10"
    xmlns:uap="http://schemas.microsoft.com/appx/manifest/uap/windows10">
  <Identity Name="Example.Quay" Publisher="CN=Quay Signer" Version="1.2.3.0" ProcessorArchitecture="x64"/>
  <Properties>
    <DisplayName>Quay &amp; Söhne</DisplayName>
    <PublisherDisplayName>Example Ltd</PublisherDisplayName>
    <Logo>Assets\\Store Logo.png</Logo>
  </Properties>
  <Dependencies>
    <TargetDeviceFamily Name="Windows.Desktop" MinVersion="10.0.17763.0" MaxVersionTested="10.0.22000.0"/>
    <PackageDependency Name="Microsoft.VCLibs.140.00" MinVersion="14.0.0.0" Publisher="CN=Microsoft"/>
  </Dependencies>
  <Applications><Application Id="App" Executable="app.exe"/></Applications>
</Package>`

const contentTypes = `<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="png" ContentType="image/png"/></Types>`

const blockMap = `<?xml version="1.0" encoding="UTF-8"?>
<BlockMap xmlns="http://schemas.microsoft.com/appx/2010/blockmap" HashMethod="http://www.w3.org/2001/04/xmlenc#sha256"/>`

/** Returns an unsigned app package for Windows. */
export const appxFile = (icon: Buffer, manifest = appxManifest): Buffer =>
  zipFile([
    { name: 'Assets/Store%20Logo.scale-100.png', data: icon },
    { name: 'app.exe', data: Buffer.alloc(200_000, 'code'), isDeflated: true },
    { name: 'AppxManifest.xml', data: manifest, isDeflated: true },
    { name: 'AppxBlockMap.xml', data: blockMap, isDeflated: true },
    { name: '[Content_Types].xml', data: contentTypes, isDeflated: true },
  ])

/** Returns an unsigned bundle with packages for two architectures, a resource package, and no stub. */
export const appxBundleFile = (icon: Buffer): Buffer =>
  zipFile([
    { name: 'quay_x64.msix', data: appxFile(icon) },
    {
      name: 'AppxMetadata/AppxBundleManifest.xml',
      data: `<Bundle xmlns="http://schemas.microsoft.com/appx/2013/bundle">
        <Identity Name="Example.Quay" Publisher="CN=Quay Signer" Version="2022.1.0.0"/>
        <Packages>
          <Package Type="resource" Version="1.2.3.0" ResourceId="de" FileName="quay_de.msix"/>
          <Package Type="application" Version="1.2.3.0" Architecture="x64" FileName="quay_x64.msix"/>
          <Package Type="application" Version="1.2.3.0" Architecture="arm64" FileName="quay_arm64.msix"/>
        </Packages></Bundle>`,
    },
    { name: 'AppxBlockMap.xml', data: blockMap },
    // osslsigncode compresses this file without changing its compression method.
    { name: '[Content_Types].xml', data: contentTypes, isDeflated: true },
  ])

/** Signs an app package with osslsigncode, which supports this since version 2.6. Returns undefined for older versions. */
export function signAppx(path: (name: string) => string, bytes: Buffer): Buffer | undefined {
  const { key, certificate } = createCertificate(path, '/CN=Quay Signer')
  writeFileSync(path('unsigned.msix'), bytes)
  const [, major = 0, minor = 0] =
    /osslsigncode (\d+)\.(\d+)/.exec(run('sh', ['-c', 'osslsigncode --version || true']).toString()) ?? []
  if (Number(major) * 100 + Number(minor) < 206) return undefined
  const files = ['-in', path('unsigned.msix'), '-out', path('signed.msix')]
  run('osslsigncode', ['sign', '-h', 'sha256', '-certs', certificate, '-key', key, ...files])
  return readFileSync(path('signed.msix'))
}

/** Returns a Python wheel with native code. */
export const wheelFile = (): Buffer =>
  zipFile([
    {
      name: 'quay-1.dist-info/METADATA',
      data: 'Metadata-Version: 2.1\nName: quay\nVersion: 1\nAuthor: Zoë\nRequires-Dist: attrs>=1\nRequires-Dist: six;\n  extra == "six"\n\nText',
    },
    { name: 'quay-1.dist-info/WHEEL', data: 'Wheel-Version: 1.0\nTag: cp312-cp312-manylinux_2_17_x86_64\n' },
  ])

const nuspec = `<?xml version="1.0"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"><metadata>
  <id>Example.Quay</id><version>1.2.3-rc.1</version><authors>Zoë Example</authors><icon>images\\icon.png</icon>
  <dependencies><group targetFramework="net8.0"><dependency id="Newtonsoft.Json" version="13.0.1" exclude="Build"/></group>
  <group targetFramework="net6.0"><dependency id="Newtonsoft.Json" version="13.0.1"/><dependency id="Serilog" version="[3.0,4.0)"/></group>
  </dependencies></metadata></package>`

const nupkgEntries = (icon: Buffer): ZipEntry[] => [
  { name: 'Example.Quay.nuspec', data: nuspec, isDeflated: true },
  { name: '[Content_Types].xml', data: contentTypes, isDeflated: true },
  { name: 'images/icon.png', data: icon },
  { name: 'lib/net8.0/Example.Quay.dll', data: Buffer.alloc(100_000, 'code'), isDeflated: true },
]

export const nupkgFile = (icon: Buffer): Buffer => zipFile(nupkgEntries(icon))

/** Returns a NuGet package that is signed by openssl: the signed text contains the digest of the unsigned package. */
export function signedNupkg(path: (name: string) => string, icon: Buffer): Buffer {
  const { key, certificate } = createCertificate(path, '/CN=Quay Author')
  const digest = createHash('sha256').update(nupkgFile(icon)).digest('base64')
  const text = `Version:1\n\n2.16.840.1.101.3.4.2.1-Hash:${digest}\n\n`
  const options = ['-sign', '-binary', '-nodetach', '-outform', 'DER', '-md', 'sha256']
  const keys = ['-signer', certificate, '-inkey', key, '-keyform', 'DER']
  const signature = run('openssl', ['cms', ...options, ...keys], text)
  return zipFile([...nupkgEntries(icon), { name: '.signature.p7s', data: signature }])
}
