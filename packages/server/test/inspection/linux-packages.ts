import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { run, runText } from './programs.ts'

const control = `Package: quay-sample
Version: 1:2.3-4~rc1
Architecture: arm64
Maintainer: Zoë Example <zoe@example.com>
Installed-Size: 1234
Depends: libc6 (>= 2.36), libssl3 | libssl1.1
Provides: quay (= 2.3)
Conflicts: quay-old (<< 2)
Section: net
Priority: optional
Description: Sample
 Architecture: not a field
 .
 The second paragraph.
`

/** Builds a Debian package with dpkg-deb. */
export function buildDeb(path: (name: string) => string, compression: string): Buffer {
  mkdirSync(path('root/DEBIAN'), { recursive: true })
  writeFileSync(path('root/DEBIAN/control'), control)
  const options = ['--root-owner-group', '--uniform-compression', `-Z${compression}`]
  run('dpkg-deb', [...options, '--build', path('root'), path('sample.deb')])
  return readFileSync(path('sample.deb'))
}

const spec = `Name: quay-sample
Version: 1.2.3
Release: 4
Epoch: 2
Summary: Sample
License: MIT
Vendor: Zoë Example
URL: https://example.com/quay
Group: Applications/Internet
Requires: openssl-libs >= 3.0
Requires(post): /bin/sh
Conflicts: quay-old < 2
Obsoletes: quayd
Recommends: quay-docs
Suggests: quay-extra = 1:2
%description
Sample
with two lines.
%install
mkdir -p %{buildroot}/usr/bin %{buildroot}/etc %{buildroot}/usr/share/quay
touch %{buildroot}/usr/bin/quay %{buildroot}/etc/quay.conf %{buildroot}/usr/share/quay/data
%files
/usr/bin/quay
/etc/quay.conf
/usr/share/quay/data
`

/** Builds an RPM package with rpmbuild and returns its path. */
export function buildRpm(path: (name: string) => string): string {
  writeFileSync(path('sample.spec'), spec)
  run('rpmbuild', ['--quiet', '-bb', '--define', `_topdir ${path('.')}`, path('sample.spec')])
  return runText('find', [path('RPMS'), '-name', '*.rpm']).split('\n')[0] ?? ''
}

/** Builds an AppImage with mksquashfs. Its desktop file and icon are symbolic links, as in most AppImages. */
export function buildAppImage(path: (name: string) => string, compression: string, icon: Buffer): Buffer {
  rmSync(path('AppDir'), { recursive: true, force: true })
  mkdirSync(path('AppDir/usr/share/applications'), { recursive: true })
  mkdirSync(path('AppDir/usr/share/icons'), { recursive: true })
  const desktop =
    '[Desktop Entry]\nName=Quay Sample\nName[de]=Beispiel\nIcon=quay\nX-AppImage-Version=7.8.9\n'
  writeFileSync(
    path('AppDir/usr/share/applications/quay.desktop'),
    `${desktop}[Desktop Action new]\nName=New\n`,
  )
  writeFileSync(path('AppDir/usr/share/icons/quay.png'), icon)
  symlinkSync('usr/share/applications/quay.desktop', path('AppDir/quay.desktop'))
  symlinkSync('usr/share/icons/../icons/quay.png', path('AppDir/.DirIcon'))
  // Many files make the metadata span several blocks.
  for (let index = 0; index < 500; index++) writeFileSync(path(`AppDir/usr/share/${index}`), String(index))
  const output = ['-comp', compression, '-noappend', '-quiet', '-no-progress', '-processors', '1']
  run('mksquashfs', [path('AppDir'), path('sample.squashfs'), ...output])
  return Buffer.concat([appImageRuntime(), readFileSync(path('sample.squashfs'))])
}

/** Returns an executable with the magic bytes of a type 2 AppImage. */
export function appImageRuntime(): Buffer {
  const runtime = readFileSync('/bin/true')
  runtime.write('AI\u0002', 8, 'latin1')
  return runtime
}

/** Builds a snap with mksquashfs and the options of snapcraft. */
export function buildSnap(path: (name: string) => string, compression: string, icon: Buffer): Buffer {
  rmSync(path('snap'), { recursive: true, force: true })
  mkdirSync(path('snap/meta/gui'), { recursive: true })
  writeFileSync(path('snap/meta/snap.yaml'), snapManifest)
  writeFileSync(path('snap/meta/gui/icon.png'), icon)
  const options = ['-comp', compression, '-noappend', '-quiet', '-no-progress', '-all-root', '-no-fragments']
  run('mksquashfs', [path('snap'), path('quay.snap'), ...options, '-processors', '1'])
  return readFileSync(path('quay.snap'))
}

const snapManifest = `# A comment
name: quay-sample
title: 'Quay''s Sample'
version: '1.2.3' # quoted, because it could be a number
summary: Sample
description: |
  version: 9.9
  - not an item
architectures:
- amd64
- arm64
base: core22
apps:
  quay:
    command: bin/quay
    architectures: [s390x]
confinement: strict
`

const appdata = `<?xml version="1.0"?><component type="desktop-application"><id>org.example.Quay</id>
<name xml:lang="de">Beispiel</name><name>Quay Sample</name><developer id="org.example"><name>Example Ltd</name></developer>
<releases><release version="4.5.6" date="2026-11-01"/><release version="4.5.5" date="2026-10-01"/></releases></component>`

/** Builds a Flatpak bundle with the commands of flatpak. */
export function buildFlatpak(path: (name: string) => string, icon: Buffer): Buffer {
  const appId = 'org.example.Quay'
  const files = {
    [`app/metadata`]: `[Application]\nname=${appId}\nruntime=org.example.Platform/x86_64/23.08\nsdk=org.example.Sdk/x86_64/23.08\n`,
    [`app/export/share/applications/${appId}.desktop`]: '[Desktop Entry]\nName=Quay\n',
    'app/files/share/app-info/xmls/quay': '',
    [`app/files/share/app-info/icons/flatpak/64x64/${appId}.png`]: icon,
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path(name.slice(0, name.lastIndexOf('/'))), { recursive: true })
    writeFileSync(path(name), content)
  }
  const xml = `<components>${appdata.replace(/<\?.*?\?>/, '')}</components>`
  writeFileSync(path(`app/files/share/app-info/xmls/${appId}.xml.gz`), run('gzip', ['-c'], xml))
  run('flatpak', ['build-export', '--arch=x86_64', path('repo'), path('app'), 'stable'])
  run('flatpak', ['build-bundle', '--arch=x86_64', path('repo'), path('quay.flatpak'), appId, 'stable'])
  return readFileSync(path('quay.flatpak'))
}
