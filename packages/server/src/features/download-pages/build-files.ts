import { architecturesOf, platformSlugs } from '../../catalog/platforms.ts'
import type { Db } from '../../database/transaction.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { listFilesOfBuilds } from '../builds/files/file.db.ts'
import { filesByRole } from '../builds/files/file.ts'

export type BuildWithFiles = Awaited<ReturnType<typeof listBuildsWithFiles>>[number]

/** Returns the builds with the files that a visitor can download, in the order in which pages list them. */
export async function listBuildsWithFiles(db: Db, builds: readonly BuildRow[]) {
  const ids = builds.map(({ id }) => id)
  const files = Map.groupBy(await listFilesOfBuilds(db, ids), ({ build_id }) => build_id)
  return builds
    .map((build) => ({ build, ...filesByRole(build.id, files.get(build.id) ?? []) }))
    .toSorted(compareBuilds)
}

const fileNames = new Intl.Collator('en', { numeric: true })

type Listed = { build: BuildRow; primary: { filename: string } }

/** Compares builds by platform, with those for no platform last, then by architecture and by file name. */
function compareBuilds(one: Listed, other: Listed): number {
  const [platform, architecture] = positionOf(one.build)
  const [otherPlatform, otherArchitecture] = positionOf(other.build)
  return (
    platform - otherPlatform ||
    architecture - otherArchitecture ||
    fileNames.compare(one.primary.filename, other.primary.filename)
  )
}

function positionOf({ platform, architectures: [first = ''] }: BuildRow): [platform: number, arch: number] {
  const position = platform === 'generic' ? platformSlugs.length : platformSlugs.indexOf(platform)
  return [position, architecturesOf(platform).indexOf(first)]
}

/** Returns the files of a build in the order in which pages list them. */
export const filesOf = ({ primary, expansions, universalApk }: BuildWithFiles) => [
  primary,
  ...(universalApk === undefined ? [] : [universalApk]),
  ...expansions,
]
