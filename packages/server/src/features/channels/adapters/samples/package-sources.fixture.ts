import type { FormatFixture, SampleBuild } from './feed.fixture.ts'

const dmg = (version: string): SampleBuild => ({
  platform: 'macos',
  filename: `Harbor-${version}.dmg`,
  package: { format: 'dmg', name: 'Harbor' },
})
const zip = (version: string): SampleBuild => ({ platform: 'windows', filename: `harbor-${version}.zip` })

/** Reads the strings of a cask as Ruby does. `renderCask` writes no other kind of literal. */
export function readCaskTexts(body: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of body.split('\n')) {
    const [, stanza = '', rest = ''] = /^ *(\w+) (.*)$/.exec(line) ?? []
    const texts = [...rest.matchAll(/"((?:\\u\{[0-9a-f]+\}|[^"\\#])*)"/gu)].map(([, text = '']) =>
      text.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) =>
        String.fromCodePoint(Number.parseInt(hex, 16)),
      ),
    )
    found.set(stanza, [...(found.get(stanza) ?? []), ...texts])
  }
  return found
}

export const packageSourceFixtures = {
  gitea: {
    builds: (version: string): SampleBuild[] => [{ platform: 'android', filename: `harbor-${version}.apk` }],
    incomplete: () => [],
    missing: /Upload a build/,
    request: () => ({ path: 'api/v1/repos/quayside/harbor/releases' }),
    saysNoUpdate: false,
    read(body) {
      const releases = JSON.parse(body) as {
        tag_name: string
        name: string
        body: string
        assets: { browser_download_url: string }[]
      }[]
      return {
        versions: releases.map(({ tag_name }) => tag_name),
        urls: releases.flatMap(({ assets }) => assets.map(({ browser_download_url: url }) => url)),
        title: releases[0]?.name,
        notes: releases[0]?.body,
      }
    },
    unknown: [
      'api/v1',
      'api/v1/repos/a/b',
      'api/v1/repos/a/b/releases/tags/9.9.9',
      'api/v1/repos//b/releases',
    ],
  },
  homebrew: {
    builds: (version) => [dmg(version)],
    incomplete: (version) => [{ platform: 'macos', filename: `Harbor-${version}.dmg` }],
    missing: /\.cask\.json/,
    request: () => ({ path: 'cask.rb' }),
    saysNoUpdate: false,
    read(body) {
      const texts = readCaskTexts(body)
      return { versions: texts.get('version') ?? [], urls: texts.get('url') ?? [] }
    },
    unknown: ['tap.git', 'tap.git/objects/info/alternates', 'x/cask.rb', 'other.rb'],
  },
  scoop: {
    builds: (version) => [
      { ...zip(version), artifacts: { [`harbor-${version}.zip.scoop.json`]: '{"bin":"harbor.exe"}' } },
    ],
    incomplete: (version) => [zip(version)],
    missing: /\.scoop\.json/,
    request: () => ({ path: 'manifest.json' }),
    saysNoUpdate: false,
    read(body) {
      const { version, url } = JSON.parse(body) as { version: string; url: string }
      return { versions: [version], urls: [url] }
    },
    unknown: ['bucket.git', 'bucket.git/objects/xx/yy', 'x/manifest.json', 'other.json'],
  },
  nuget: {
    builds: (version) => [
      {
        platform: 'generic',
        filename: `Harbor.Client.${version}.nupkg`,
        package: { format: 'nupkg', name: 'Harbor.Client', version, publisher: 'Harbor' },
      },
    ],
    incomplete: (version) => [{ platform: 'generic', filename: `Harbor-${version}-full.nupkg` }],
    missing: /dotnet pack/,
    request: () => ({ path: 'registration/harbor.client/index.json' }),
    saysNoUpdate: false,
    read(body) {
      const { items } = JSON.parse(body) as {
        items: {
          items: {
            packageContent: string
            catalogEntry: { version: string; title: string; description: string }
          }[]
        }[]
      }
      const leaves = (items[0]?.items ?? []).toReversed()
      return {
        versions: leaves.map(({ catalogEntry }) => catalogEntry.version),
        urls: leaves.map(({ packageContent }) => packageContent),
        title: leaves[0]?.catalogEntry.title,
        notes: leaves[0]?.catalogEntry.description,
      }
    },
    unknown: [
      'registration/Harbor.Client/index.json',
      'flat/other/index.json',
      'flat/harbor.client',
      'index',
    ],
  },
  winget: {
    builds: (version) => [
      {
        platform: 'windows',
        filename: `harbor-${version}.msi`,
        package: { format: 'msi', publisher: 'Fabrikam' },
        artifacts: { [`harbor-${version}.msi.winget.json`]: '{"PackageIdentifier":"Fabrikam.Harbor"}' },
      },
    ],
    incomplete: (version) => [{ platform: 'windows', filename: `harbor-${version}-setup.exe` }],
    missing: /InstallerType/,
    request: () => ({ path: 'packageManifests/Fabrikam.Harbor' }),
    saysNoUpdate: false,
    read(body) {
      const { Data } = JSON.parse(body) as {
        Data: {
          Versions: {
            PackageVersion: string
            DefaultLocale: { ReleaseNotes?: string }
            Installers: { InstallerUrl: string }[]
          }[]
        }
      }
      return {
        versions: Data.Versions.map(({ PackageVersion }) => PackageVersion),
        urls: Data.Versions.flatMap(({ Installers }) => Installers.map(({ InstallerUrl }) => InstallerUrl)),
        notes: Data.Versions[0]?.DefaultLocale.ReleaseNotes,
      }
    },
    unknown: ['', 'packageManifests', 'information/x', 'manifestSearch'],
  },
  altstore: {
    builds: (version) => [
      {
        platform: 'ios',
        filename: `Harbor-${version}.ipa`,
        package: { format: 'ipa', name: 'Harbor', version, bundleId: 'com.example.harbor' },
      },
    ],
    incomplete: (version) => [{ platform: 'ios', filename: `Harbor-${version}.ipa` }],
    missing: /bundle identifier/,
    request: () => ({ path: 'source.json' }),
    saysNoUpdate: false,
    read(body) {
      const { apps } = JSON.parse(body) as {
        apps: { versions: { version: string; downloadURL: string; localizedDescription?: string }[] }[]
      }
      const versions = apps[0]?.versions ?? []
      return {
        versions: versions.map(({ version }) => version),
        urls: versions.map(({ downloadURL }) => downloadURL),
        notes: versions[0]?.localizedDescription,
      }
    },
    unknown: ['source', 'x/source.json', ''],
  },
} satisfies Record<string, FormatFixture>
