import { QuaysideError } from '@quayside/sdk'
import type { ChangeEvent, FullBuild } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { formatColumns, formatTime } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatBranch } from './format-build.ts'

export type WatchOptions = { stream?: string; platform?: string; cursor?: string }

const widths = [16, 7, 10, 14, 8, 12, 20]

/** Prints the changes of builds until the command is interrupted. */
export async function runWatch(context: CommandContext, options: WatchOptions): Promise<void> {
  const application_id = await requireApplicationId(context)
  const { output, signal } = context
  const isSelected = createFilter(options)
  for (let after = options.cursor; ; after = undefined) {
    const params = { application_id, ...(after === undefined ? {} : { after }) }
    try {
      for await (const { event, data } of context.client().watchEvents(params, { signal })) {
        if (event === 'ready') output.note('Watching builds. Press Ctrl-C to stop.')
        else if (data.type === 'build') await report(context, application_id, data, isSelected)
      }
    } catch (error) {
      // With --cursor, the user has to decide what to do. Otherwise, the database was probably restored from a backup.
      if (!(error instanceof QuaysideError) || error.status !== 410 || after !== undefined) throw error
      output.note(`${error.message} Watching new changes; some may be missing.`)
    }
  }
}

async function report(
  context: CommandContext,
  application_id: string,
  { action, id, changed_at, cursor }: ChangeEvent,
  isSelected: Filter,
): Promise<void> {
  const build = action === 'deleted' ? null : await findBuild(context, application_id, id)
  // If the build has been deleted since the change, a later event reports the deletion.
  if (build === undefined || !isSelected(id, build)) return
  context.output.item({ action, id, changed_at, cursor, build }, () =>
    formatColumns(
      [
        formatTime(changed_at),
        action,
        id,
        ...(build === null
          ? []
          : [
              build.version,
              build.platform.short_name,
              build.stream.name,
              formatBranch(build),
              build.size_total_string,
            ]),
      ],
      widths,
    ),
  )
}

async function findBuild({ client, signal }: CommandContext, application_id: string, build_id: string) {
  try {
    return (await client().getBuild({ application_id, build_id }, { signal })).data
  } catch (error) {
    if (error instanceof QuaysideError && error.status === 404) return undefined
    throw error
  }
}

type Filter = (id: string, build: FullBuild | null) => boolean

/**
 * Returns a function that selects builds by stream and platform, ignoring case. The function selects a deleted build,
 * whose stream and platform are unknown, only if it selected the build before.
 */
function createFilter({ stream, platform }: WatchOptions): Filter {
  if (stream === undefined && platform === undefined) return () => true
  const isListed = (list: string | undefined, ...names: string[]) =>
    list === undefined ||
    list.split(',').some((each) => names.some((name) => name.toLowerCase() === each.trim().toLowerCase()))
  const selected = new Set<string>()
  return (id, build) => {
    if (build === null) return selected.delete(id)
    const isSelected =
      isListed(stream, build.stream.name, build.stream.id) &&
      isListed(platform, build.platform.identifier, build.platform.short_name)
    if (isSelected) selected.add(id)
    return isSelected
  }
}
