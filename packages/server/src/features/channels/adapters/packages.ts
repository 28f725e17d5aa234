import type { Entry, Feed, Missing, PackageDetails, PublishedFile } from './adapter.ts'
import { findPublished, withEnding } from './published-files.ts'

/** A package of a version, with what was read from it. */
export type Package = { entry: Entry; file: PublishedFile; details: PackageDetails }

const noDetails: PackageDetails = {
  debControl: null,
  rpmHeader: null,
  pacmanInfo: null,
  androidInfo: null,
  iconKey: null,
}

/** What a package manager reads from packages. */
export type PackageKind<Read> = {
  /** The endings of file names, such as `.deb`. */
  endings: readonly string[]
  /** The platform that the packages are for. */
  platform: string
  /** The name of such a package in a sentence. */
  name: string
  /** Where the fields are that identify the package. */
  part: string
  /** These fields. */
  fields: string
  isInspected: (details: PackageDetails) => boolean
  /** Returns why a package whose metadata was read cannot be in the index, unless its fields are invalid. */
  explain?: (found: Package) => string | undefined
  /** Returns what the index states, and what identifies it in the index; undefined if something is unknown or invalid. */
  read: (found: Package) => (Read & { key: string }) | undefined
}

/** Lists the packages in the versions, newest versions first. */
async function listPackages(
  entries: readonly Entry[],
  endings: readonly string[],
  feed: Pick<Feed, 'describePackages'>,
): Promise<Package[]> {
  const found = entries.flatMap((entry) =>
    withEnding(entry, endings)
      .filter(({ kind }) => kind === 'file')
      .map((file) => ({ entry, file })),
  )
  if (found.length === 0) return []
  const details = await feed.describePackages(found.map(({ file }) => file.build))
  return found.map((each) => ({ ...each, details: details.get(each.file.build.id) ?? noDetails }))
}

/**
 * Lists each package, version and architecture once, newest versions first, because package managers cannot choose between
 * two files.
 */
export async function listDistinct<Read>(
  entries: readonly Entry[],
  feed: Pick<Feed, 'describePackages'>,
  { endings, read }: PackageKind<Read>,
): Promise<Read[]> {
  const byKey = new Map<string, Read>()
  for (const found of await listPackages(entries, endings, feed)) {
    const known = read(found)
    if (known !== undefined && !byKey.has(known.key)) byKey.set(known.key, known)
  }
  return [...byKey.values()]
}

/** Lists what a version lacks to have a package in the index. */
export async function listMissingPackages<Read>(
  entry: Entry,
  feed: Pick<Feed, 'describePackages'>,
  { endings, platform, name, part, fields, isInspected, explain, read }: PackageKind<Read>,
): Promise<Missing[]> {
  const packages = await listPackages([entry], endings, feed)
  if (packages.length === 0) return [{ message: `Upload a build for ${platform} as ${endings.join(', ')}.` }]
  if (packages.some((each) => read(each) !== undefined)) return []
  return packages.map((found) => ({
    message: messageFor(found),
    build_id: found.file.build.id,
  }))

  function messageFor(found: Package): string {
    const {
      details,
      file: { filename, sha256 },
    } = found
    if (!isInspected(details))
      return `The ${part} of ${filename} has not been read. Wait until the build is processed, or check that it is ${name}.`
    if (sha256 === null) return `The checksum of ${filename} is being computed.`
    return explain?.(found) ?? `The ${part} of ${filename} has no valid ${fields}.`
  }
}

/** The path of a package contains its checksum, so that it never leads to other bytes than an index states. */
export const poolPath = (sha256: string, filename: string): string => `pool/${sha256}/${filename}`

/** Returns the file of a published version at a path of `poolPath`. */
export function findInPool(
  path: readonly string[],
  { published }: Pick<Feed, 'published'>,
): PublishedFile | undefined {
  const [folder, sha256] = path
  if (folder !== 'pool' || path.length !== 3 || sha256 === undefined || !/^[0-9a-f]{64}$/.test(sha256))
    return undefined
  return findPublished({ published }, (file) => file.kind === 'file' && file.sha256 === sha256)
}
