import type { FullRelease } from '@quayside/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useSession } from '../../../api/session.ts'
import { buildQuery } from '../../builds/build.queries.ts'
import { releaseChangesQuery } from '../changes/previous-release.queries.ts'
import { audienceQuery } from '../release.queries.ts'
import { checkRelease, type ChecklistItem } from './check-release.ts'

/** Returns the checklist of a release; undefined while it is loading. */
export function useChecklist(release: FullRelease): { items: ChecklistItem[] | undefined; error: unknown } {
  const { application_id: applicationId, id: releaseId, builds } = release
  const mayReadBuilds = useSession().can('builds:read', applicationId)
  const changes = useQuery({
    ...releaseChangesQuery({ applicationId, releaseId, builds }),
    enabled: mayReadBuilds,
  })
  const audience = useQuery(audienceQuery(applicationId, releaseId))
  const pairs = (changes.data?.pairs ?? []).map(({ build, before }) => ({ id: build.id, before: before?.id }))
  const ids = [...new Set([...builds.map(({ id }) => id), ...pairs.flatMap(({ before }) => before ?? [])])]
  const loaded = useQueries({
    queries: ids.map((id) => ({ ...buildQuery(applicationId, id), enabled: mayReadBuilds })),
  })
  const byId = new Map(loaded.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data] as const])))
  const error = changes.error ?? audience.error
  const isLoading = mayReadBuilds && (changes.isLoading || loaded.some((query) => query.isLoading))
  if (audience.data === undefined || isLoading) return { items: undefined, error }
  const own = builds.flatMap(({ id }) => byId.get(id) ?? [])
  const before = new Map(
    pairs.flatMap(({ id, before: earlier }) => {
      const build = earlier === undefined ? undefined : byId.get(earlier)
      return build === undefined ? [] : [[id, build] as const]
    }),
  )
  const isComplete = own.length === builds.length
  const items = checkRelease({
    release,
    previous: changes.data?.previous,
    builds: isComplete ? own : undefined,
    before: isComplete && changes.data !== undefined ? before : undefined,
    audience: audience.data,
  })
  return { items, error }
}
