import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandDefinition } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { buildNotFound, formatBuild } from './format-build.ts'
import { requireBuildId, withLatestOptions } from './select-build.ts'
import type { LatestOptions } from './select-build.ts'

export function addBuildsView(parent: Command, runtime: Runtime): void {
  const definition: CommandDefinition<LatestOptions> = {
    usage: 'view <build>',
    summary: 'show a build with its files and checksums',
    description: 'Show a build with its files and checksums. The build is an ID or "latest".',
    result: 'getBuild',
    example: 'quayside builds view latest --stream stable --platform android',
    options: withLatestOptions,
    async run(context, [selected = ''], options) {
      const application_id = await requireApplicationId(context)
      const build_id = await requireBuildId(context, application_id, selected, options)
      const { data } = await withNotFoundMessage(
        context.client().getBuild({ application_id, build_id }, { signal: context.signal }),
        buildNotFound(build_id),
      )
      context.output.result(data, () => formatBuild(data))
    },
  }
  addCommand(parent, runtime, definition)
  // The command was formerly named `get`.
  addCommand(parent, runtime, { ...definition, usage: 'get <build>', hidden: true })
}
