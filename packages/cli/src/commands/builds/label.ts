import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { collectList } from '../../option-parsers.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { changeBuilds, printBuildResults } from './change-builds.ts'
import { requireBuildIds, withLatestOptions } from './select-build.ts'
import type { LatestOptions } from './select-build.ts'

type Options = LatestOptions & { add?: string[]; remove?: string[] }

export function addBuildsLabel(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'label <build...>',
    summary: 'add or remove labels of builds',
    description:
      'Add or remove labels of builds, by ID or `latest`. Labels to add are created if they do not exist.',
    result: 'updateBuilds',
    example: 'quayside builds label 7k2m9p4r3t --add approved --remove smoke',
    options: (command) =>
      withLatestOptions(command)
        .option('--add <name>', 'label to add (repeatable)', collectList)
        .option('--remove <name>', 'label to remove (repeatable)', collectList),
    async run(context, selected, options) {
      const { add = [], remove = [] } = options
      if (add.length === 0 && remove.length === 0)
        throw new Failure('usage', 'Nothing to change. Specify labels with --add or --remove.')
      const application_id = await requireApplicationId(context)
      const buildIds = await requireBuildIds(context, application_id, selected, options)
      // Labels are removed first, because a build can have only ten.
      const results = await changeBuilds(context, application_id, buildIds, [
        ...(remove.length > 0 ? [{ action: 'unlabel' as const, labels: remove }] : []),
        ...(add.length > 0 ? [{ action: 'label' as const, labels: add }] : []),
      ])
      printBuildResults(context, results, 'labels changed')
    },
  })
}
