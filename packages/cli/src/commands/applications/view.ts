import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandDefinition } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationIdOf } from '../../require-application-id.ts'
import { formatApplication } from './format-application.ts'

export function addApplicationsView(parent: Command, runtime: Runtime): void {
  const definition: CommandDefinition<object> = {
    usage: 'view [application]',
    summary: 'show an application by ID or name',
    result: 'getApplication',
    example: 'quayside applications view "My App"',
    async run(context, [argument]) {
      const application_id = await requireApplicationIdOf(context, argument)
      const { data } = await context.client().getApplication({ application_id }, { signal: context.signal })
      context.output.result(data, () => formatApplication(data))
    },
  }
  addCommand(parent, runtime, definition)
  // The command was formerly named `get`.
  addCommand(parent, runtime, { ...definition, usage: 'get [application]', hidden: true })
}
