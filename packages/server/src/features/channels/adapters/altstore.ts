import type { Adapter, Entry, Feed, PublishedFile } from './adapter.ts'
import { pick, readDescription, textIn } from './companion-json.ts'
import { pathOf, withEnding } from './published-files.ts'
import { json } from './text.ts'

const description = '.altstore.json'
/** The number of versions that clients are shown. */
const maxVersions = 100
/** What the uploader may state about the application. */
const ofApp = [
  'appPermissions',
  'category',
  'iconURL',
  'marketplaceID',
  'screenshots',
  'subtitle',
  'tintColor',
]

type App = { entry: Entry; file: PublishedFile; bundleId: string }

/** A source of AltStore, which SideStore reads too. */
export const altstore: Adapter = {
  name: 'AltStore',
  rollout: 'client_id',
  system: 'ios',
  paths: ['source.json'],
  setUp: ({ base }) => [{ title: 'Add the source', code: `altstore://source?url=${base}/source.json` }],
  listMissing(entry) {
    const files = listFiles(entry)
    if (files.length === 0) return [{ message: 'Upload a build for iOS as .ipa.' }]
    return files
      .filter(({ build }) => !build.package?.bundleId)
      .map(({ filename, build }) => ({
        message: build.isPending ? `${filename} is being read.` : `${filename} has no bundle identifier.`,
        build_id: build.id,
        filename,
      }))
  },
  async answer({ path, base }, feed) {
    if (path.length !== 1 || path[0] !== 'source.json') return undefined
    const found = feed.offers().flatMap(appsOf)
    if (found.length === 0) return undefined
    const byId = [...Map.groupBy(found, ({ bundleId }) => bundleId).values()]
    const apps = await Promise.all(byId.map(async (versions) => describeApp(versions, { base, feed })))
    return json({ name: feed.applicationName, apps: apps.flat(), news: [] })
  },
}

const listFiles = (entry: Entry): PublishedFile[] =>
  withEnding(entry, ['.ipa']).filter((file) => file === file.build.files[0])

const appsOf = (entry: Entry): App[] =>
  listFiles(entry).flatMap((file) => {
    const bundleId = file.build.package?.bundleId
    return bundleId && file.sha256 !== null ? [{ entry, file, bundleId }] : []
  })

async function describeApp(versions: readonly App[], { base, feed }: { base: string; feed: Feed }) {
  const [newest] = versions
  if (newest === undefined) return []
  const { entry, file, bundleId } = newest
  const described = await readDescription(entry, file, description, feed)
  return {
    name: textIn(described, 'name') ?? file.build.package?.name ?? feed.applicationName,
    bundleIdentifier: bundleId,
    developerName:
      textIn(described, 'developerName') ?? file.build.package?.publisher ?? feed.applicationName,
    localizedDescription: textIn(described, 'localizedDescription') ?? feed.applicationName,
    iconURL: '',
    appPermissions: { entitlements: [], privacy: {} },
    ...pick(described, ofApp),
    // AltStore installs the first version that the device supports.
    versions: versions.slice(0, maxVersions).map((each) => describeVersion(each, base)),
  }
}

function describeVersion({ entry, file }: App, base: string) {
  const { build } = file
  // AltStore compares both with the Info.plist of the application.
  const minimumOs = /^\d+(\.\d+)*$/.exec(build.minimumOs ?? '')?.[0]
  return {
    version: build.package?.version ?? entry.version,
    ...(build.buildNumber === null ? {} : { buildVersion: build.buildNumber }),
    date: entry.publishedAt.toISOString(),
    downloadURL: `${base}/${pathOf(entry, file)}`,
    size: file.sizeBytes,
    sha256: file.sha256,
    ...(minimumOs === undefined ? {} : { minOSVersion: minimumOs }),
    ...(entry.notes === null ? {} : { localizedDescription: entry.notes }),
  }
}
