import type { BulkResult, UpdateBuildsParams } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { formatWrappedTable } from '../../output/format.ts'
import { buildNotFound } from './format-build.ts'

type Action = Omit<UpdateBuildsParams['body'], 'build_ids'>

const maxBuildsPerCall = 100

/**
 * Applies the actions to each build in order. If an action fails for a build, skips the remaining actions for that
 * build. Returns the result of the last applied action for each build.
 */
export async function changeBuilds(
  { client, signal }: CommandContext,
  application_id: string,
  buildIds: string[],
  actions: Action[],
): Promise<BulkResult[]> {
  const results = new Map<string, BulkResult>()
  for (const action of actions) {
    const remaining = [...new Set(buildIds)].filter((id) => results.get(id)?.done !== false)
    for (let start = 0; start < remaining.length; start += maxBuildsPerCall) {
      const body = { ...action, build_ids: remaining.slice(start, start + maxBuildsPerCall) }
      const { data } = await client().updateBuilds({ application_id, body }, { signal })
      for (const result of data) results.set(result.build_id, result)
    }
  }
  return [...results.values()]
}

/** Prints the results. Throws if the change failed for any build. */
export function printBuildResults(
  { output }: CommandContext,
  results: BulkResult[],
  participle: string,
): void {
  const done = results.filter((result) => result.done)
  const failed = results.filter((result) => !result.done)
  if (done.length > 0 || failed.length > 1) {
    output.result(results, (columns) =>
      formatWrappedTable(
        ['BUILD', 'RESULT'],
        results.map((result) => [result.build_id, result.done ? participle : describeFailure(result)]),
        { wrapped: 1, maxWidth: columns },
      ),
    )
  }
  const [first] = failed
  if (!first) return
  throw new Failure(
    'failed',
    results.length === 1
      ? describeFailure(first)
      : `${failed.length} of ${results.length} builds could not be changed.`,
  )
}

function describeFailure({ build_id, code, message }: BulkResult): string {
  if (code === 'resource.not_found') return buildNotFound(build_id)
  // The message names the API parameter, which is replaced with the corresponding option.
  return message.replace('set `force`', 'use --force')
}
