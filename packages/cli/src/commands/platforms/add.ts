import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { changePlatforms } from './change-platforms.ts'

export function addPlatformsAdd(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'add <platform...>',
    summary: 'add platforms to an application',
    description: 'Add platforms, such as android or windows, to an application.',
    result: 'replacePlatforms',
    example: 'quayside platforms add android ios --application "My App"',
    async run(context, added) {
      await changePlatforms(context, (current) => [...new Set([...current, ...added])])
    },
  })
}
