import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { buildNotFound, formatBuild } from './format-build.ts'

export function addBuildsGet(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'get <build>',
    summary: 'show a build with its files and checksums',
    example: 'quayside builds get 7k2m9p4r3t',
    async run(context, [build_id = '']) {
      const application_id = await requireApplicationId(context)
      const { data } = await withNotFoundMessage(
        context.client().getBuild({ application_id, build_id }, { signal: context.signal }),
        buildNotFound(build_id),
      )
      context.output.result(data, () => formatBuild(data))
    },
  })
}
