import type { Db } from '../../database/transaction.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { listFilesOfBuilds } from '../builds/files/file.db.ts'
import { filesByRole } from '../builds/files/file.ts'

export type BuildWithFiles = Awaited<ReturnType<typeof listBuildsWithFiles>>[number]

/** Returns the builds with the files that a visitor can download. */
export async function listBuildsWithFiles(db: Db, builds: readonly BuildRow[]) {
  const ids = builds.map(({ id }) => id)
  const files = Map.groupBy(await listFilesOfBuilds(db, ids), ({ build_id }) => build_id)
  return builds.map((build) => ({ build, ...filesByRole(build.id, files.get(build.id) ?? []) }))
}

/** Returns the files of a build in the order in which pages list them. */
export const filesOf = ({ primary, expansions, universalApk }: BuildWithFiles) => [
  primary,
  ...(universalApk === undefined ? [] : [universalApk]),
  ...expansions,
]
