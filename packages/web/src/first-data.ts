import type { QueryClient } from '@tanstack/react-query'
import { isEmbedded } from './api/embedded-responses.ts'
import { recentEntriesQuery } from './features/audit-log/audit-log.queries.ts'
import { buildPageQuery, buildQuery } from './features/builds/build.queries.ts'
import { attentionQuery, workspaceStatisticsQuery } from './features/statistics/statistics.queries.ts'

type Loading<Params> = { context: { queryClient: QueryClient }; params: Params }

/** Loads what the document contains for Home. */
export const loadHome = ({ context: { queryClient } }: Loading<object>): Promise<void> =>
  loadEmbedded([
    ['/api/v1/workspace/statistics', () => queryClient.query(workspaceStatisticsQuery(30))],
    ['/api/v1/workspace/attention', () => queryClient.query(attentionQuery)],
    ['/api/v1/workspace/audit-log', () => queryClient.query(recentEntriesQuery)],
  ])

/** Loads what the document contains for the builds of an application. */
export const loadBuilds = ({
  context: { queryClient },
  params: { applicationId },
}: Loading<{ applicationId: string }>): Promise<void> =>
  loadEmbedded([
    [
      `/api/v1/applications/${applicationId}/builds?`,
      () => queryClient.query(buildPageQuery(applicationId, {}, 1)),
    ],
  ])

/** Loads what the document contains for a build. */
export const loadBuild = ({
  context: { queryClient },
  params: { applicationId, buildId },
}: Loading<{ applicationId: string; buildId: string }>): Promise<void> =>
  loadEmbedded([
    [
      `/api/v1/applications/${applicationId}/builds/${buildId}`,
      () => queryClient.query(buildQuery(applicationId, buildId)),
    ],
  ])

/**
 * Runs the queries whose responses are in the document, by the start of their paths. The page is then rendered once with its
 * content, instead of first with placeholders. Failures are left to the components that use the queries.
 */
async function loadEmbedded(queries: readonly (readonly [string, () => Promise<unknown>])[]): Promise<void> {
  await Promise.allSettled(queries.flatMap(([path, run]) => (isEmbedded(path) ? [run()] : [])))
}
