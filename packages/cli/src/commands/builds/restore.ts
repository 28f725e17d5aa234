import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { changeBuilds, printBuildResults } from './change-builds.ts'

export function addBuildsRestore(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'restore <build...>',
    summary: 'restore builds from the trash',
    description: 'Restore builds from the trash. `quayside builds list --trashed` lists them.',
    result: 'updateBuilds',
    example: 'quayside builds restore 7k2m9p4r3t',
    async run(context, buildIds) {
      const application_id = await requireApplicationId(context)
      const results = await changeBuilds(context, application_id, buildIds, [{ action: 'restore' }])
      printBuildResults(context, results, 'restored')
    },
  })
}
