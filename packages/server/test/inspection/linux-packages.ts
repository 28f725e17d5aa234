import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { run, runText } from './programs.ts'

const control = `Package: quay-sample
Version: 1:2.3-4~rc1
Architecture: arm64
Maintainer: Zoë Example <zoe@example.com>
Description: Sample
 Architecture: not a field
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
%description
Sample
%files
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
