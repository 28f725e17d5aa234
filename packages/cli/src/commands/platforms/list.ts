import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatPlatforms } from './change-platforms.ts'

export function addPlatformsList(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'list',
    summary: 'list the platforms that an application supports',
    result: 'listPlatforms',
    example: 'quayside platforms list --application "My App"',
    async run(context) {
      const application_id = await requireApplicationId(context)
      const { data } = await context.client().listPlatforms({ application_id }, { signal: context.signal })
      context.output.result(data, () => formatPlatforms(data))
    },
  })
}
