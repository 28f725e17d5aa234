import type { FullRelease } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { buildNotFound } from '../builds/format-build.ts'
import { requireBuildId } from '../builds/select-build.ts'
import type { LatestOptions } from '../builds/select-build.ts'
import { formatRelease } from './format-release.ts'
import { requireReleaseId } from './select-release.ts'

type Ids = { application_id: string; release_id: string; build_id: string }

/** Calls `change` for each selected build of the application, and prints the resulting release. */
export async function changeReleaseBuilds(
  context: CommandContext,
  [selectedRelease = '', ...selectedBuilds]: string[],
  options: LatestOptions,
  change: (ids: Ids) => Promise<{ data: FullRelease }>,
): Promise<void> {
  const application_id = await requireApplicationId(context)
  const release_id = await requireReleaseId(context, application_id, selectedRelease)
  let release: FullRelease | undefined
  for (const selected of selectedBuilds) {
    const build_id = await requireBuildId(context, application_id, selected, options)
    const response = change({ application_id, release_id, build_id })
    release = (await withNotFoundMessage(response, buildNotFound(build_id))).data
  }
  if (release) context.output.result(release, (columns) => formatRelease(release, columns))
}
