import type { RpmHeader } from '../../../../inspection/inspection.ts'
import { childNamed, descendantsNamed, readXmlDocument } from '../../../../inspection/xml-document.ts'
import type { PackageDetails } from '../adapter.ts'
import type { FormatFixture, SampleBuild } from './feed.fixture.ts'

const debianPackage = (version: string): SampleBuild => ({
  platform: 'linux',
  filename: `harbor_${version}_amd64.deb`,
  details: {
    debControl: [
      { name: 'Package', value: 'harbor' },
      { name: 'Version', value: version },
      { name: 'Architecture', value: 'amd64' },
      { name: 'Depends', value: 'libc6 (>= 2.36)' },
    ],
  },
})

const noRelations = { provides: [], requires: [], conflicts: [], obsoletes: [], recommends: [] }

/** The header of an RPM package, with other values of some fields. */
export const rpmHeader = (fields: Partial<RpmHeader>): RpmHeader => ({
  name: 'harbor',
  epoch: null,
  version: '1.0.0',
  release: '1',
  architecture: 'noarch',
  summary: 'A harbor',
  description: 'A harbor',
  license: 'MIT',
  group: null,
  url: null,
  vendor: null,
  packager: null,
  build_host: null,
  build_time: 1,
  source_rpm: null,
  installed_size: 1,
  archive_size: 1,
  header_start: 1,
  header_end: 2,
  ...noRelations,
  suggests: [],
  supplements: [],
  enhances: [],
  files: [],
  ...fields,
})

const rpmPackage = (version: string): SampleBuild => ({
  platform: 'linux',
  filename: `harbor-${version}.rpm`,
  details: { rpmHeader: rpmHeader({ version }) },
})

/** Reads the stanzas of an index as strictly as apt does. */
export const readStanzas = (text: string): Map<string, string>[] =>
  text
    .split(/\n\n+/)
    .filter((stanza) => stanza.trim() !== '')
    .map((stanza) => {
      const fields = new Map<string, string>()
      let last = ''
      for (const line of stanza.trimEnd().split('\n')) {
        const [, name, value = ''] = /^([^\s:#-][^\s:]*):(?: (.*))?$/.exec(line) ?? []
        if (name !== undefined && !fields.has(name)) fields.set((last = name), value)
        else if (/^[ \t]+[^ \t]/.test(line)) fields.set(last, `${fields.get(last)}\n${line}`)
        else throw new Error(line)
      }
      return fields
    })

const pacmanPackage = (version: string): SampleBuild => ({
  platform: 'arch',
  filename: `harbor-${version}-1-x86_64.pkg.tar.zst`,
  details: {
    pacmanInfo: [
      { name: 'pkgname', value: 'harbor' },
      { name: 'pkgver', value: `${version}-1` },
      { name: 'arch', value: 'x86_64' },
    ],
  },
})

/** Reads the sections of a description of a pacman database as libalpm does. */
export const readSections = (text: string): Map<string, string[]> =>
  new Map(
    text
      .split('\n\n')
      .filter((section) => section !== '')
      .map((section) => {
        const [head = '', ...lines] = section.split('\n')
        const name = /^%([A-Z0-9]+)%$/.exec(head)?.[1]
        if (name === undefined) throw new Error(head)
        return [name, lines]
      }),
  )

/** What the inspection reads from an APK, with other values of some fields. */
export const androidInfo = (
  fields: Partial<NonNullable<PackageDetails['androidInfo']>>,
): NonNullable<PackageDetails['androidInfo']> => ({
  package_name: 'com.example.harbor',
  minimum_api: 24,
  target_api: 35,
  version_name: '1.0.0',
  version_code: 1,
  is_debuggable: false,
  package_signed: true,
  signing_cert_sha256: 'a'.repeat(64),
  permissions: ['android.permission.INTERNET'],
  architectures: ['arm64v8'],
  ...fields,
})

const androidPackage = (version: string): SampleBuild => ({
  platform: 'android',
  filename: `harbor-${version}.apk`,
  details: { androidInfo: androidInfo({ version_name: version }) },
})

/** What F-Droid reads in an index. */
export type FdroidIndex = {
  repo: { name: Record<string, string>; address: string; timestamp: number }
  packages: Record<
    string,
    {
      metadata: {
        name: Record<string, string>
        added: number
        lastUpdated: number
        preferredSigner: string
        icon?: Record<string, { name: string; sha256: string; size: number }>
      }
      versions: Record<
        string,
        {
          file: { name: string; sha256: string; size: number }
          manifest: {
            versionName: string
            versionCode: number
            usesSdk: { minSdkVersion: number; targetSdkVersion: number }
            signer: { sha256: string[] }
            usesPermission: { name: string }[]
            nativecode: string[]
          }
          whatsNew?: Record<string, string>
        }
      >
    }
  >
}

/** The fixtures of package repositories. */
export const packageFixtures: Record<'apt' | 'rpm' | 'pacman' | 'fdroid', FormatFixture> = {
  apt: {
    builds: (version) => [debianPackage(version)],
    incomplete: (version) => [{ ...debianPackage(version), details: {} }],
    missing: /has not been read/,
    request: () => ({ path: 'dists/stable/main/binary-amd64/Packages.gz' }),
    saysNoUpdate: false,
    read(body) {
      const stanzas = readStanzas(body)
      return {
        versions: stanzas.map((stanza) => stanza.get('Version') ?? ''),
        // Clients resolve them against the root of the repository.
        urls: stanzas.map((stanza) => `../../../../${stanza.get('Filename') ?? ''}`),
      }
    },
    unknown: ['dists', 'dists/stable/main/binary-sparc/Packages.gz', 'pool/x/harbor.deb'],
  },
  rpm: {
    builds: (version) => [rpmPackage(version)],
    incomplete: (version) => [{ ...rpmPackage(version), details: {} }],
    missing: /has not been read/,
    request: () => ({ path: 'repodata/*-primary.xml.gz' }),
    saysNoUpdate: false,
    read(body) {
      const packages = [...descendantsNamed(readXmlDocument(Buffer.from(body), 'damaged'), 'package')]
      return {
        versions: packages.map((found) => childNamed(found, 'version')?.attributes.get('ver') ?? ''),
        urls: packages.map((found) => `../${childNamed(found, 'location')?.attributes.get('href') ?? ''}`),
      }
    },
    unknown: ['repodata', 'repodata/primary.xml.gz', 'other.repo', 'pool/x/harbor.rpm'],
  },
  pacman: {
    builds: (version) => [pacmanPackage(version)],
    incomplete: (version) => [{ ...pacmanPackage(version), details: {} }],
    missing: /has not been read/,
    request: () => ({ path: 'x86_64/packages.db' }),
    saysNoUpdate: false,
    read(body) {
      const valuesOf = (section: string) =>
        [...body.matchAll(new RegExp(`%${section}%\n(.*)\n`, 'g'))].map(([, value = '']) => value)
      return {
        versions: valuesOf('VERSION').map((version) => version.replace(/-1$/, '')),
        urls: valuesOf('FILENAME'),
      }
    },
    unknown: ['x86_64', 'sparc/packages.db', 'x86_64/harbor-1.0.0-1-x86_64.pkg.tar.zst'],
  },
  fdroid: {
    builds: (version) => [androidPackage(version)],
    incomplete: (version) => [{ ...androidPackage(version), details: {} }],
    missing: /has not been read/,
    request: () => ({ path: 'repo/index-v2.json' }),
    saysNoUpdate: false,
    read(body) {
      const { packages } = JSON.parse(body) as FdroidIndex
      const versions = Object.values(packages).flatMap((found) => Object.values(found.versions))
      return {
        versions: versions.map(({ manifest }) => manifest.versionName),
        // Clients append them to the address of the repository.
        urls: versions.map(({ file }) => file.name.slice(1)),
        notes: versions[0]?.whatsNew?.['en-US'],
      }
    },
    unknown: ['repo', 'repo/entry.json', 'index-v2.json', 'repo/pool/x/harbor.apk'],
  },
}
