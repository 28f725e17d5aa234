import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { changeBuilds, printBuildResults } from './change-builds.ts'
import { requireBuildIds, withLatestOptions } from './select-build.ts'
import type { LatestOptions } from './select-build.ts'

export function addBuildsMove(parent: Command, runtime: Runtime): void {
  addCommand<LatestOptions>(parent, runtime, {
    // Commander allows only the last argument to be repeated, so `build...` also contains the stream as its last value.
    usage: 'move <build...>',
    summary: 'move builds to another stream',
    description: 'Move builds, by ID or `latest`, to another stream.',
    result: 'updateBuilds',
    example: 'quayside builds move 7k2m9p4r3t 5n8q2w6x4z stable',
    options: (command) => withLatestOptions(command).usage('[options] <build...> <stream>'),
    async run(context, args, options) {
      const stream = args.at(-1)
      const selected = args.slice(0, -1)
      if (stream === undefined || selected.length === 0)
        throw new Failure('usage', 'Specify at least one build, followed by the stream to move to.')
      const application_id = await requireApplicationId(context)
      const buildIds = await requireBuildIds(context, application_id, selected, options)
      const results = await changeBuilds(context, application_id, buildIds, [{ action: 'move', stream }])
      printBuildResults(context, results, `moved to ${stream}`)
    },
  })
}
