import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { changeBuilds, printBuildResults } from './change-builds.ts'
import { requireBuildIds, withLatestOptions } from './select-build.ts'
import type { LatestOptions } from './select-build.ts'

type Options = ConfirmOptions & LatestOptions & { force?: boolean }

export function addBuildsDelete(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'delete <build...>',
    summary: 'move builds to the trash',
    description:
      'Move builds, by ID or `latest`, to the trash. Until they are purged, `quayside builds restore` restores them.\n' +
      'A build in a release or with a usable share link is deleted only with --force.',
    result: 'updateBuilds',
    example: 'quayside builds delete 7k2m9p4r3t --yes',
    options: (command) =>
      withLatestOptions(command)
        .option('-f, --force', 'delete builds even if they are in a release or have a usable share link')
        .option(...yesOption),
    async run(context, selected, options) {
      const application_id = await requireApplicationId(context)
      const buildIds = await requireBuildIds(context, application_id, selected, options)
      const what = buildIds.length === 1 ? `build ${buildIds[0]}` : `${buildIds.length} builds`
      await confirmDeletion(context, options, `Move ${what} to the trash?`)
      const action = { action: 'delete' as const, force: options.force === true }
      const results = await changeBuilds(context, application_id, buildIds, [action])
      printBuildResults(context, results, 'moved to the trash')
    },
  })
}
