import { generateKeyPairSync, sign } from 'node:crypto'
import { parse } from 'yaml'
import { childNamed, descendantsNamed, readXmlDocument } from '../../../../inspection/xml-document.ts'
import type { FormatId } from '../formats.ts'
import type { FormatFixture, ReadDocument, SampleBuild } from './feed.fixture.ts'
import { packageSourceFixtures } from './package-sources.fixture.ts'
import { packageFixtures } from './packages.fixture.ts'

const { privateKey } = generateKeyPairSync('ed25519')
/** A signature as `sign_update` prints it. */
export const edSignature = (text: string): string =>
  sign(null, Buffer.from(text), privateKey).toString('base64')
/** A file as `tauri signer` writes it. Tests with minisign use real ones. */
const minisignature = Buffer.from('untrusted comment: signature\nRUQ=\n').toString('base64')

function readAppcast(body: string): ReadDocument {
  const channel = childNamed(readXmlDocument(Buffer.from(body), 'damaged'), 'channel')
  const items = [...descendantsNamed(channel, 'item')]
  const [first] = items
  return {
    versions: items.map((item) => childNamed(item, 'shortVersionString')?.text ?? ''),
    urls: items.flatMap((item) =>
      [...descendantsNamed(item, 'enclosure')].map(({ attributes }) => attributes.get('url') ?? ''),
    ),
    notes: childNamed(first, 'description')?.text,
    title: childNamed(first, 'title')?.text,
  }
}

function readReleases(body: string): ReadDocument {
  const lines = body.trim().split('\n')
  const found = lines.map((line) => {
    // The expression of Squirrel.Windows.
    const [match, , url = ''] =
      /^([0-9a-fA-F]{40})\s+(\S+)\s+(\d+)[\r]*$/.exec(line.replace(/ # \d+%$/, '')) ?? []
    if (match === undefined) throw new Error(line)
    return { url, version: /-(\d+\.\d+\.\d+)-/.exec(url)?.[1] ?? '' }
  })
  return { versions: found.map(({ version }) => version).toReversed(), urls: found.map(({ url }) => url) }
}

const readMac = (body: string): ReadDocument => {
  const { url, name, notes, version } = JSON.parse(body) as Record<
    'url' | 'name' | 'notes' | 'version',
    string
  >
  return { versions: [version], urls: [url], title: name, notes }
}

const macZip = (version: string): SampleBuild => ({
  platform: 'macos',
  filename: `Harbor-${version}.zip`,
  buildNumber: version,
})
const archive = (): SampleBuild => ({ platform: 'linux', filename: 'harbor.tar.bz2' })
const package_ = (version: string): SampleBuild => ({
  platform: 'windows',
  filename: `Harbor-${version}-full.nupkg`,
})

export const formatFixtures: Record<FormatId, FormatFixture> = {
  sparkle: {
    builds: (version) => [
      { ...macZip(version), artifacts: { [`Harbor-${version}.zip.sig`]: edSignature(version) } },
    ],
    incomplete: (version) => [macZip(version)],
    missing: /sign_update/,
    request: () => ({ path: 'appcast.xml' }),
    saysNoUpdate: false,
    read: readAppcast,
    unknown: ['appcast', 'x/appcast.xml', ''],
  },
  winsparkle: {
    builds: (version) => [
      {
        platform: 'windows',
        architectures: ['x64'],
        filename: `harbor-${version}-setup.exe`,
        artifacts: { [`harbor-${version}-setup.exe.sig`]: edSignature(version) },
      },
    ],
    incomplete: (version) => [{ platform: 'windows', filename: `harbor-${version}-setup.exe` }],
    missing: /Ed25519 signature/,
    request: () => ({ path: 'appcast.xml' }),
    saysNoUpdate: false,
    read: readAppcast,
    unknown: ['appcast'],
  },
  electron: {
    builds: (version) => [{ platform: 'windows', filename: `Harbor Setup ${version}.exe` }],
    incomplete: () => [archive()],
    missing: /electron-builder/,
    request: () => ({ path: 'latest.yml' }),
    saysNoUpdate: false,
    read(body) {
      const { version, files, releaseNotes, releaseName } = parse(body) as {
        version: string
        files: { url: string }[]
        releaseNotes?: string
        releaseName: string
      }
      return {
        versions: [version],
        urls: files.map(({ url }) => url),
        notes: releaseNotes,
        title: releaseName,
      }
    },
    unknown: ['latest.json', 'latest-beos.yml.x', 'x/latest.yml', '../latest.yml'],
  },
  tauri: {
    builds: (version) => [
      {
        platform: 'linux',
        filename: `harbor_${version}_amd64.AppImage`,
        artifacts: { [`harbor_${version}_amd64.AppImage.sig`]: minisignature },
      },
    ],
    incomplete: (version) => [{ platform: 'linux', filename: `harbor_${version}_amd64.AppImage` }],
    missing: /createUpdaterArtifacts/,
    request: (current) => ({ path: `linux/x86_64/${current}/appimage` }),
    saysNoUpdate: true,
    read(body) {
      const { version, url, notes } = JSON.parse(body) as { version: string; url: string; notes?: string }
      return { versions: [version], urls: [url], notes }
    },
    unknown: ['linux', 'linux/x86_64', 'a/b/c/d/e'],
  },
  velopack: {
    builds: (version) => [package_(version)],
    incomplete: () => [archive()],
    missing: /vpk pack/,
    request: (current) => ({ path: 'releases.win.json', query: { localVersion: current } }),
    saysNoUpdate: false,
    read(body) {
      const { Assets } = JSON.parse(body) as {
        Assets: { Version: string; FileName: string; NotesMarkdown?: string }[]
      }
      return {
        versions: Assets.map(({ Version }) => Version),
        urls: Assets.map(({ FileName }) => FileName),
        notes: Assets[0]?.NotesMarkdown,
      }
    },
    unknown: ['releases.json', 'x/releases.win.json', 'RELEASES'],
  },
  'squirrel-mac': {
    builds: (version) => [macZip(version)],
    incomplete: () => [archive()],
    missing: /macOS as \.zip/,
    request: (current) => ({ path: `arm64/${current}` }),
    saysNoUpdate: true,
    read: readMac,
    unknown: ['arm64', 'sparc/1.0.0', 'a/b/c'],
  },
  'squirrel-windows': {
    builds: (version) => [package_(version)],
    incomplete: () => [archive()],
    missing: /complete package/,
    request: (current) => ({ path: 'RELEASES', query: { localVersion: current } }),
    saysNoUpdate: false,
    read: readReleases,
    unknown: ['releases', 'x/RELEASES'],
  },
  appimage: {
    builds: (version) => [
      {
        platform: 'linux',
        architectures: ['x64'],
        filename: `Harbor-${version}.AppImage`,
        artifacts: {
          [`Harbor-${version}.AppImage.zsync`]: `zsync: 0.6.2\nFilename: x\nURL: elsewhere\nSHA-1: ${version}\n\n\0\u0001`,
        },
      },
    ],
    incomplete: () => [archive()],
    missing: /AppImage/,
    request: () => ({ path: 'latest-x86_64.AppImage.zsync' }),
    saysNoUpdate: false,
    read(body) {
      const header = body.slice(0, body.indexOf('\n\n')).split('\n')
      const valueOf = (name: string) =>
        header.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2))
      return { versions: valueOf('SHA-1'), urls: valueOf('URL') }
    },
    unknown: ['latest-pdp11.AppImage', 'latest.AppImage'],
  },
  json: {
    builds: (version) => [
      {
        platform: 'linux',
        architectures: ['x64'],
        filename: `harbor-${version}.tar.gz`,
        artifacts: { [`harbor-${version}.tar.gz.minisig`]: 'untrusted comment' },
      },
    ],
    incomplete: () => [],
    missing: /Upload a build/,
    request: (current) => ({
      path: 'latest.json',
      query: { version: current, platform: 'linux', arch: 'x86_64' },
    }),
    saysNoUpdate: true,
    read(body) {
      const { version, files, notes, title } = JSON.parse(body) as {
        version: string
        files: { url: string }[]
        notes: string
        title: string
      }
      return { versions: [version], urls: files.map(({ url }) => url), notes, title }
    },
    unknown: ['latest', 'x/latest.json'],
  },
  hazel: {
    builds: (version) => [macZip(version)],
    incomplete: () => [{ platform: 'linux', filename: 'harbor.7z' }],
    missing: /Squirrel\.Windows/,
    request: (current) => ({ path: `update/darwin/${current}` }),
    saysNoUpdate: true,
    read: readMac,
    unknown: ['update', 'update/darwin', 'update/beos/1.0.0', 'download/beos'],
  },
  'electron-release-server': {
    builds: (version) => [macZip(version)],
    incomplete: () => [{ platform: 'linux', filename: 'harbor.7z' }],
    missing: /Squirrel\.Windows/,
    request: (current) => ({ path: `update/flavor/default/osx_64/${current}/stable` }),
    saysNoUpdate: true,
    read: readMac,
    unknown: ['update', 'update/osx_64', 'download/9.9.9/osx_64', 'notes/9.9.9'],
  },
  ...packageFixtures,
  ...packageSourceFixtures,
}
