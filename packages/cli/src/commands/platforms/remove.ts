import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { changePlatforms } from './change-platforms.ts'

export function addPlatformsRemove(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'remove <platform...>',
    summary: 'remove platforms from an application',
    description: 'Remove platforms from an application. A platform that has builds cannot be removed.',
    result: 'replacePlatforms',
    example: 'quayside platforms remove generic --application "My App"',
    async run(context, removed) {
      await changePlatforms(context, (current) => {
        const unknown = removed.find((platform) => !current.includes(platform))
        if (unknown !== undefined)
          throw new Failure(
            'failed',
            `The application does not have the platform ${unknown}. Its platforms: ${current.join(', ')}.`,
          )
        const kept = current.filter((platform) => !removed.includes(platform))
        if (kept.length === 0)
          throw new Failure('failed', 'An application needs at least one platform. Add another one first.')
        return kept
      })
    },
  })
}
