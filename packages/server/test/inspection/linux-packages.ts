import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
