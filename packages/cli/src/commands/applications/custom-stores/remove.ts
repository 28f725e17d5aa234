import type { Command } from 'commander'
import { addCommand } from '../../../add-command.ts'
import type { Runtime } from '../../../command-context.ts'
import { confirmDeletion, yesOption } from '../../../confirm.ts'
import type { ConfirmOptions } from '../../../confirm.ts'
import { requireApplicationIdOf } from '../../../require-application-id.ts'

export function addStorageRemove(parent: Command, runtime: Runtime): void {
  addCommand<ConfirmOptions>(parent, runtime, {
    usage: 'remove [application]',
    summary: 'remove the bucket from the settings of an application',
    description:
      'Store new uploads in the service again and remove the bucket from the settings. Files in the bucket stay there\n' +
      'and can still be downloaded.',
    result: { id: false, removed: false },
    example: 'quayside applications storage remove "My App"',
    options: (command) => command.option(...yesOption),
    async run(context, [argument], options) {
      const application_id = await requireApplicationIdOf(context, argument)
      await confirmDeletion(context, options, 'This removes the bucket from the settings of the application.')
      const { message } = await context
        .client()
        .deleteCustomStore({ application_id }, { signal: context.signal })
      context.output.result({ id: application_id, removed: true }, () => message)
    },
  })
}
