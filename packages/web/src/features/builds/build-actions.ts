import type { GroupedBuild, ListedBuild, ListBuildsResponse, UpdateBuildsParams } from '@quayside/sdk'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'
import { plural } from '../../ui/format/bytes.ts'
import { showFailure, showUndo } from '../../ui/toast.tsx'

type Body = Omit<UpdateBuildsParams['body'], 'build_ids'>

export type BuildAction = {
  body: Body
  /** What is reported when it is done, such as "moved to stable". */
  done: string
  /** The action that takes it back. */
  undo: Body | undefined
  /** Returns whether it changes the build. Undo must not take a label from a build that had it before. */
  changes: (build: ListedBuild) => boolean
  /** How the list shows a build at once, before the server has responded; undefined removes it from the list. */
  preview: (build: ListedBuild) => ListedBuild | undefined
}

const maxBatch = 100

/**
 * Returns a function that applies an action to builds. The list shows the result at once; if the server refuses it for
 * some builds, the list is loaded again and the first reason is shown.
 */
export function useBuildAction(applicationId: string) {
  const queryClient = useQueryClient()
  const listKey = applicationKey(applicationId, 'builds')

  /** Returns the builds for which it was done, and the first reason why the server refused it for others. */
  async function send(buildIds: readonly string[], body: Body): Promise<{ done: string[]; refused?: Error }> {
    const done: string[] = []
    let refused: Error | undefined
    for (let start = 0; start < buildIds.length; start += maxBatch) {
      const batch = buildIds.slice(start, start + maxBatch)
      const { data } = await api.updateBuilds({
        application_id: applicationId,
        body: { ...body, build_ids: batch },
      })
      done.push(...data.filter((result) => result.done).map(({ build_id: id }) => id))
      const first = data.find((result) => !result.done)
      if (first !== undefined) refused ??= new Error(first.message)
    }
    return { done, ...(refused && { refused }) }
  }

  async function takeBack(buildIds: readonly string[], body: Body): Promise<void> {
    const { refused } = await send(buildIds, body).finally(refresh)
    if (refused !== undefined) throw refused
  }

  return async function run(
    builds: readonly ListedBuild[],
    { body, done, undo, changes, preview }: BuildAction,
  ): Promise<void> {
    const ids = builds.filter(changes).map(({ id }) => id)
    if (ids.length === 0) return refresh()
    await queryClient.cancelQueries({ queryKey: listKey })
    previewInLists(queryClient, applicationId, new Set(ids), preview)
    try {
      const { done: changed, refused } = await send(ids, body)
      if (refused !== undefined) showFailure(refused)
      if (changed.length > 0)
        showUndo(`${plural(changed.length, 'build')} ${done}.`, undo && (() => takeBack(changed, undo)))
    } catch (error) {
      showFailure(error)
    } finally {
      void refresh()
    }
  }

  function refresh(): Promise<void> {
    return queryClient.invalidateQueries({ queryKey: listKey })
  }
}

function previewInLists(
  queryClient: QueryClient,
  applicationId: string,
  ids: ReadonlySet<string>,
  preview: BuildAction['preview'],
): void {
  queryClient.setQueriesData<ListBuildsResponse>(
    { queryKey: applicationKey(applicationId, 'builds', 'list') },
    (page) =>
      page && {
        ...page,
        data: page.data.flatMap(
          (row) => previewInRow(row, (build) => (ids.has(build.id) ? preview(build) : build)) ?? [],
        ),
      },
  )
}

/** Changes the builds of a row. If the newest leaves the list, the next takes its place. */
function previewInRow(row: GroupedBuild, preview: BuildAction['preview']): GroupedBuild | undefined {
  const { group, ...newest } = row
  if (group === undefined) return preview(newest)
  const [first, ...others] = [newest, ...group.builds].flatMap((build) => preview(build) ?? [])
  const removed = group.builds.length - others.length
  return first && { ...first, group: { size: group.size - removed, builds: others } }
}
