import type { Entry, Feed, PackageDetails, PublishedFile } from './adapter.ts'
import { withEnding } from './published-files.ts'

/** A package of a version, with what was read from it. */
export type Package = { entry: Entry; file: PublishedFile; details: PackageDetails }

const noDetails: PackageDetails = { debControl: null, rpmHeader: null }

/** Lists the packages with an ending in the versions, newest versions first. */
export async function listPackages(
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
  for (const { files } of published) {
    const file = files.find((each) => each.kind === 'file' && each.sha256 === sha256)
    if (file !== undefined) return file
  }
  return undefined
}
