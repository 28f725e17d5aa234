import type { Adapter, Answer, Entry, FeedRequest, PublishedFile } from './adapter.ts'
import { listPackages } from './nuget-packages.ts'
import { pathOf, withEnding } from './published-files.ts'
import { json } from './text.ts'

type NugetPackage = {
  entry: Entry
  file: PublishedFile
  id: string
  version: string
  authors: string
  dependencies: readonly string[]
}

const idPattern = /^\w+(?:[.-]\w+)*$/
const versionPattern =
  /^(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(-[0-9a-z.-]+)?(?:\+[0-9a-z.-]*)?$/i
const maxIdLength = 100
const maxResults = 100
/** The number of versions of a package that clients are shown. */
const maxVersions = 1_000

const resources: readonly (readonly [path: string, types: readonly string[]])[] = [
  ['flat/', ['PackageBaseAddress/3.0.0']],
  [
    'registration/',
    ['', '/3.0.0-beta', '/3.0.0-rc', '/3.4.0', '/3.6.0'].map((each) => `RegistrationsBaseUrl${each}`),
  ],
  ['query', ['', '/3.0.0-beta', '/3.0.0-rc', '/3.5.0'].map((each) => `SearchQueryService${each}`)],
]

/** A package source of NuGet with the packages that are neither of Velopack nor of Squirrel.Windows. */
export const nuget: Adapter = {
  name: 'NuGet',
  rollout: 'client_id',
  paths: ['index.json'],
  setUp: ({ base, token }) => [
    { title: 'Add the source', code: `dotnet nuget add source ${base}/index.json --name ${token}` },
  ],
  query: ['q', 'skip', 'take', 'prerelease'],
  listMissing(entry) {
    const files = listFiles(entry)
    if (files.length === 0) return [{ message: 'Upload the .nupkg that `dotnet pack` writes.' }]
    return files
      .filter((file) => readPackage(entry, file) === undefined)
      .map(({ filename, build }) => ({
        message: build.isPending
          ? `${filename} is being read.`
          : `${filename} has no valid ID and version. Build it with \`dotnet pack\`.`,
        build_id: build.id,
        filename,
      }))
  },
  answer(request, feed) {
    const [kind, id, ...rest] = request.path
    if (kind === 'index.json' && id === undefined) return serviceIndex(request.base)
    const packages = feed.offers().flatMap(packagesOf)
    if (kind === 'query' && id === undefined) return search(packages, request)
    if (id === undefined || id !== id.toLowerCase()) return undefined
    const versions = packages.filter((each) => each.id.toLowerCase() === id)
    if (versions.length === 0) return undefined
    if (kind === 'flat') return flatContainer(versions, rest)
    return kind === 'registration' ? registration(versions, rest, request.base) : undefined
  },
}

const listFiles = (entry: Entry): PublishedFile[] => {
  const ofUpdaters = new Set(listPackages(entry).map(({ file }) => file))
  return withEnding(entry, ['.nupkg']).filter((file) => file.kind === 'file' && !ofUpdaters.has(file))
}

const packagesOf = (entry: Entry): NugetPackage[] =>
  listFiles(entry).flatMap((file) => readPackage(entry, file) ?? [])

function readPackage(entry: Entry, file: PublishedFile): NugetPackage | undefined {
  const read = file === file.build.files[0] ? file.build.package : null
  if (read?.format !== 'nupkg' || read.name === null || read.version === null) return undefined
  const version = normalize(read.version)
  if (version === undefined || read.name.length > maxIdLength || !idPattern.test(read.name)) return undefined
  return {
    entry,
    file,
    id: read.name,
    version,
    authors: read.publisher ?? '',
    dependencies: read.dependencies,
  }
}

/** Returns the version as NuGet writes it in URLs: without leading zeros, a fourth zero and the metadata of the build. */
function normalize(text: string): string | undefined {
  const match = versionPattern.exec(text)
  if (match === null) return undefined
  const [, major, minor, patch = '0', revision = '0', prerelease = ''] = match
  const numbers = [major, minor, patch, ...(Number(revision) === 0 ? [] : [revision])].map(Number)
  return `${numbers.join('.')}${prerelease}`
}

const serviceIndex = (base: string) =>
  json({
    version: '3.0.0',
    resources: resources.flatMap(([path, types]) =>
      types.map((type) => ({ '@id': `${base}/${path}`, '@type': type })),
    ),
  })

/** Clients ask for lowercase IDs and versions, and build the URLs by themselves. */
function flatContainer(
  packages: readonly NugetPackage[],
  [first, name, ...rest]: readonly string[],
): Answer | undefined {
  if (first === 'index.json' && name === undefined)
    return json({ versions: ascending(packages).map(({ version }) => version.toLowerCase()) })
  const found = packages.find(({ version }) => version.toLowerCase() === first)
  if (found === undefined || rest.length > 0) return undefined
  const { id, version, file } = found
  return name === `${id}.${version}.nupkg`.toLowerCase() ? { file } : undefined
}

/** Returns each version once, the oldest first, as clients expect. */
function ascending(packages: readonly NugetPackage[]): NugetPackage[] {
  const known = new Set<string>()
  const newest = packages.filter(({ version }) => {
    const key = version.toLowerCase()
    return !known.has(key) && known.add(key)
  })
  return newest.slice(0, maxVersions).toReversed()
}

function registration(packages: readonly NugetPackage[], [name, ...rest]: readonly string[], base: string) {
  if (rest.length > 0) return undefined
  const leaves = ascending(packages).map((each) => describe(each, base))
  if (name !== 'index.json') {
    const leaf = leaves.find((each) => each['@id'].endsWith(`/${name}`))
    return leaf && json({ ...leaf, catalogEntry: leaf.catalogEntry['@id'], listed: true })
  }
  const versions = leaves.map(({ catalogEntry }) => catalogEntry.version)
  const index = `${base}/registration/${packages[0]?.id.toLowerCase()}/index.json`
  const [lower] = versions
  const page = { '@id': `${index}#page`, count: leaves.length, lower, upper: versions.at(-1), items: leaves }
  return json({ '@id': index, count: 1, items: [page] })
}

function describe({ entry, file, id, version, authors, dependencies }: NugetPackage, base: string) {
  const folder = `${base}/registration/${id.toLowerCase()}`
  const leaf = `${folder}/${encodeURIComponent(version.toLowerCase())}.json`
  return {
    '@id': leaf,
    packageContent: `${base}/${pathOf(entry, file)}`,
    registration: `${folder}/index.json`,
    catalogEntry: {
      '@id': `${leaf}#entry`,
      id,
      version,
      title: entry.title,
      description: entry.notes ?? entry.title,
      authors,
      listed: true,
      published: entry.publishedAt.toISOString(),
      packageContent: `${base}/${pathOf(entry, file)}`,
      // The inspection does not keep the frameworks. Clients that restore packages read the package itself.
      dependencyGroups: dependencies.length === 0 ? [] : [{ dependencies: dependencies.map(dependencyOf) }],
    },
  }
}

function dependencyOf(text: string) {
  const at = text.indexOf(' ')
  return at < 0 ? { id: text, range: '' } : { id: text.slice(0, at), range: text.slice(at + 1) }
}

function search(packages: readonly NugetPackage[], { base, query }: FeedRequest) {
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const includesPrereleases = query.get('prerelease') === 'true'
  const shown = packages.filter(
    ({ id, version, entry }) =>
      (includesPrereleases || !version.includes('-')) &&
      words.every((word) =>
        `${id} ${entry.title}`.toLowerCase().includes(word.replace(/^(?:packageid|id):/, '')),
      ),
  )
  const byId = [...Map.groupBy(shown, ({ id }) => id.toLowerCase()).values()]
  const skip = numberIn(query.get('skip'), 0)
  const take = Math.min(numberIn(query.get('take'), 20), maxResults)
  const data = byId.slice(skip, skip + take).flatMap((group) => {
    const [newest] = group
    if (newest === undefined) return []
    const { catalogEntry, registration: index } = describe(newest, base)
    const { title, description, authors } = catalogEntry
    return {
      '@id': index,
      '@type': 'Package',
      registration: index,
      id: newest.id,
      version: newest.version,
      title,
      description,
      authors: [authors],
      totalDownloads: 0,
      verified: false,
      packageTypes: [{ name: 'Dependency' }],
      versions: ascending(group).map((each) => ({
        '@id': describe(each, base)['@id'],
        version: each.version,
        downloads: 0,
      })),
    }
  })
  return json({ totalHits: byId.length, data })
}

function numberIn(text: string | null, standard: number): number {
  const number = Number(text ?? standard)
  return Number.isInteger(number) && number >= 0 ? number : standard
}
