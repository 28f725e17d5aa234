import type { Build, FullRelease, Release } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { applicationKey } from '../../../api/query-keys.ts'

/** The builds that were created since the previous release, and those of both releases that belong together. */
export type ReleaseChanges = {
  previous: FullRelease | undefined
  pairs: readonly BuildPair[]
  /** Each commit once, newest first, without those of the previous release. */
  builds: readonly Build[]
}

export type BuildPair = { build: Build; before: Build | undefined }

type Current = { applicationId: string; releaseId: string | undefined; builds: readonly Build[] }

const maxReleases = 100
const maxBuilds = 100

/** What changed since the release that was published before, for a release or for the builds of a new one. */
export const releaseChangesQuery = (current: Current) =>
  queryOptions({
    queryKey: applicationKey(
      current.applicationId,
      'releases',
      'changes',
      current.releaseId,
      current.builds.map(({ id }) => id),
    ),
    queryFn: ({ signal }) => findChanges(current, signal),
  })

async function findChanges(current: Current, signal: AbortSignal): Promise<ReleaseChanges> {
  const { applicationId, builds } = current
  const previous = await findPrevious(current, signal)
  const byPlatform = builds.toSorted((a, b) => a.platform.name.localeCompare(b.platform.name))
  const pairs = byPlatform.map((build) => ({ build, before: counterpartOf(build, previous?.builds ?? []) }))
  const found = await Promise.all(pairs.map((pair) => listBetween(applicationId, pair, signal)))
  return { previous, pairs, builds: oncePerCommit(found.flat(), previous?.builds ?? []) }
}

async function findPrevious(
  { applicationId, releaseId, builds }: Current,
  signal: AbortSignal,
): Promise<FullRelease | undefined> {
  const application = { application_id: applicationId }
  const published = { statuses: 'published', sort_by: 'created_at', sort: 'desc' } as const
  const { data } = await api.listReleases({ ...application, ...published, per_page: maxReleases }, { signal })
  const own = data.find(({ id }) => id === releaseId)?.published_at
  const platforms = new Set(builds.map(({ platform }) => platform.identifier))
  const isEarlier = ({ id, published_at: time, platforms: others }: Release) =>
    id !== releaseId &&
    time !== null &&
    (own === undefined || own === null || time < own) &&
    others.some(({ identifier }) => platforms.has(identifier))
  const [latest] = data
    .filter(isEarlier)
    .toSorted((a, b) => (b.published_at ?? '').localeCompare(a.published_at ?? ''))
  if (latest === undefined) return undefined
  return (await api.getRelease({ ...application, release_id: latest.id }, { signal })).data
}

/** Returns the build for the same platform, preferably of the same stream and the same kind of device. */
function counterpartOf(build: Build, candidates: readonly Build[]): Build | undefined {
  const rank = ({ stream, custom_target: target }: Build) =>
    (stream.id === build.stream.id ? 0 : 1) + (target?.id === build.custom_target?.id ? 0 : 2)
  return candidates
    .filter(({ platform }) => platform.identifier === build.platform.identifier)
    .toSorted((a, b) => rank(a) - rank(b))[0]
}

async function listBetween(
  applicationId: string,
  { build, before }: BuildPair,
  signal: AbortSignal,
): Promise<Build[]> {
  if (before === undefined || before.created_at >= build.created_at) return [build]
  const { data } = await api.listBuilds(
    {
      application_id: applicationId,
      platforms: build.platform.identifier,
      streams: build.stream.id,
      created_after: before.created_at,
      // Builds that are newer than the release must not take the places of its own.
      created_before: build.created_at,
      sort_by: 'created_at',
      sort: 'desc',
      per_page: maxBuilds,
    },
    { signal },
  )
  return [build, ...data.filter(({ id }) => id !== before.id)]
}

/** Builds of one commit for several platforms, or of a commit that was built again, count once. */
function oncePerCommit(builds: readonly Build[], previous: readonly Build[]): Build[] {
  const commitOf = ({ id, scm }: Build) => scm.scm_commit_sha ?? id
  const seen = new Set(previous.map(commitOf))
  const newestFirst = builds.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  return newestFirst.filter((build) => !seen.has(commitOf(build)) && seen.add(commitOf(build)))
}
