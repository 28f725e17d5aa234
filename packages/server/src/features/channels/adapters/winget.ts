import type { Adapter, Entry, Feed, PublishedFile } from './adapter.ts'
import { missingDescription, pick, readDescription, textIn, type JsonObject } from './companion-json.ts'
import { findCompanion, isProgram, listVerifiable, pathOf, processorsOf } from './published-files.ts'
import { json, shortText } from './text.ts'
import { matchesSearch, readSearch, unsupportedFields } from './winget-search.ts'

const endings = ['.msi', '.msix', '.msixbundle', '.appx', '.appxbundle', '.exe', '.zip'] as const
const description = '.winget.json'
const apiVersions = ['1.0.0', '1.1.0', '1.4.0', '1.5.0', '1.6.0', '1.7.0', '1.9.0', '1.10.0']
/** The number of versions that clients are shown. */
const maxVersions = 200

/** What the uploader may state about an installer. */
const ofInstaller = [
  'AppsAndFeaturesEntries',
  'Commands',
  'ElevationRequirement',
  'InstallModes',
  'InstallerSuccessCodes',
  'InstallerSwitches',
  'MinimumOSVersion',
  'NestedInstallerFiles',
  'NestedInstallerType',
  'PackageFamilyName',
  'ProductCode',
  'Scope',
  'UpgradeBehavior',
]

type Installer = { file: PublishedFile; type: string; described: JsonObject }
type Package = { id: string; name: string; publisher: string; versions: Version[] }
type Version = { entry: Entry; installers: Installer[] }

/** A REST source of winget with one package. */
export const winget: Adapter = {
  name: 'winget',
  rollout: 'client_id',
  system: 'windows',
  paths: [''],
  setUp: ({ base, token }) => [
    {
      title: 'Add the source',
      code: `winget source add --name ${token} --arg ${base} --type Microsoft.Rest`,
    },
  ],
  query: ['Version'],
  listMissing(entry) {
    const files = listFiles(entry)
    if (files.length === 0) return [{ message: 'Upload a build for Windows as .msix, .msi, .exe or .zip.' }]
    return files
      .filter((file) => typeOf(file) === undefined && findCompanion(entry, file, description) === undefined)
      .map((file) =>
        missingDescription(
          file,
          description,
          'the kind of the installer, such as {"InstallerType": "nullsoft"}, or for .zip what it contains: {"NestedInstallerType": "portable", "NestedInstallerFiles": [{"RelativeFilePath": "harbor.exe"}]}.',
        ),
      )
  },
  async answer({ path: [kind = '', id, ...rest], query, base }, feed) {
    if (rest.length > 0) return undefined
    if (kind === 'information' && id === undefined) return information()
    if (kind !== 'packageManifests' || id === undefined) return undefined
    const found = await readPackage(feed)
    if (found === undefined || found.id.toLowerCase() !== id.toLowerCase()) return 'no update'
    const only = query.get('Version')
    const versions = found.versions.filter(({ entry }) => only === null || entry.version === only)
    if (versions.length === 0) return 'no update'
    return json({
      Data: {
        PackageIdentifier: found.id,
        Versions: versions.map((version) => describeVersion(version, found, { base, feed })),
      },
    })
  },
  async answerPost({ path: [kind, ...rest], body }, feed) {
    if (kind !== 'manifestSearch' || rest.length > 0) return undefined
    const search = readSearch(body)
    const found = await readPackage(feed)
    if (search === undefined || found === undefined) return 'no update'
    const values = {
      PackageIdentifier: found.id,
      PackageName: found.name,
      ProductCode: codesOf(found, 'ProductCode'),
      PackageFamilyName: codesOf(found, 'PackageFamilyName'),
    }
    if (!matchesSearch(search, values)) return 'no update'
    return json({
      Data: [
        {
          PackageIdentifier: found.id,
          PackageName: found.name,
          Publisher: found.publisher,
          Versions: found.versions.map((version) => ({
            PackageVersion: version.entry.version,
            ProductCodes: codesOf({ versions: [version] }, 'ProductCode'),
            PackageFamilyNames: codesOf({ versions: [version] }, 'PackageFamilyName'),
          })),
        },
      ],
      RequiredPackageMatchFields: [],
      UnsupportedPackageMatchFields: unsupportedFields,
    })
  },
}

const information = () =>
  json({
    Data: {
      SourceIdentifier: 'Quayside',
      ServerSupportedVersions: apiVersions,
      UnsupportedPackageMatchFields: unsupportedFields,
      RequiredPackageMatchFields: [],
      UnsupportedQueryParameters: ['Market', 'Channel'],
      RequiredQueryParameters: [],
    },
  })

const listFiles = (entry: Entry): PublishedFile[] => listVerifiable(entry, endings, 'windows')

/** Returns the type of an installer that its name states. A setup can be made with one of several tools. */
function typeOf(file: PublishedFile): string | undefined {
  const { filename } = file
  if (/\.msi$/i.test(filename)) return 'msi'
  if (/\.msix(bundle)?$/i.test(filename)) return 'msix'
  if (/\.appx(bundle)?$/i.test(filename)) return 'appx'
  return isProgram(file) ? 'portable' : undefined
}

async function readPackage(feed: Feed): Promise<Package | undefined> {
  const versions: Version[] = []
  for (const entry of feed.offers()) {
    if (versions.length >= maxVersions) break
    const installers = await listInstallers(entry, feed)
    if (installers.length > 0) versions.push({ entry, installers })
  }
  const [newest] = versions
  if (newest === undefined) return undefined
  const { described, file } = newest.installers[0] ?? { described: {}, file: undefined }
  const name = textIn(described, 'PackageName') ?? shortText(feed.applicationName)
  const publisher = textIn(described, 'Publisher') ?? shortText(file?.build.package?.publisher ?? name)
  const id = textIn(described, 'PackageIdentifier') ?? `${segmentOf(publisher)}.${segmentOf(name)}`
  return { id, name: shortText(name), publisher: shortText(publisher), versions }
}

async function listInstallers(entry: Entry, feed: Pick<Feed, 'read'>): Promise<Installer[]> {
  const found: Installer[] = []
  for (const file of listFiles(entry)) {
    const described = await readDescription(entry, file, description, feed)
    const isArchive = /\.zip$/i.test(file.filename)
    const isNested = isArchive && Object.hasOwn(described, 'NestedInstallerFiles')
    const type = textIn(described, 'InstallerType') ?? (isNested ? 'zip' : typeOf(file))
    if (type !== undefined && (!isArchive || isNested)) found.push({ file, type, described })
  }
  return found
}

/** Returns a segment of an identifier, which has at most 32 characters and none that paths cannot contain. */
const segmentOf = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\p{L}\p{N}_-]/gu, '')
    .slice(0, 32)
    .toWellFormed() || 'Application'

const codesOf = ({ versions }: Pick<Package, 'versions'>, name: string): string[] => [
  ...new Set(
    versions.flatMap(({ installers }) =>
      installers.flatMap(({ described }) => textIn(described, name) ?? []),
    ),
  ),
]

function describeVersion(
  { entry, installers }: Version,
  { name, publisher }: Package,
  { base, feed }: { base: string; feed: Feed },
) {
  const { described } = installers[0] ?? { described: {} }
  return {
    PackageVersion: entry.version,
    DefaultLocale: {
      PackageLocale: 'en-US',
      Publisher: publisher,
      PackageName: name,
      License: textIn(described, 'License') ?? 'Proprietary',
      ShortDescription: textIn(described, 'ShortDescription') ?? name,
      PackageUrl: textIn(described, 'PackageUrl') ?? feed.channelUrl,
      ...(entry.notes === null ? {} : { ReleaseNotes: entry.notes.slice(0, 10_000).toWellFormed() }),
    },
    Installers: installers.flatMap(({ file, type, described: stated }) =>
      architecturesOf(file).map((architecture) => ({
        InstallerIdentifier: `${file.id}-${architecture}`,
        Architecture: architecture,
        InstallerType: type,
        InstallerUrl: `${base}/${pathOf(entry, file)}`,
        InstallerSha256: file.sha256?.toUpperCase(),
        ...pick(stated, ofInstaller),
      })),
    ),
  }
}

function architecturesOf(file: PublishedFile): string[] {
  const processors = processorsOf(file)
  return processors.length === 4
    ? ['neutral']
    : processors.map((processor) => (processor === 'armv7' ? 'arm' : processor))
}
