import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { requireApplicationIdOf } from '../../require-application-id.ts'
import { formatApplication } from './format-application.ts'

type Options = { name?: string; description?: string }

export function addApplicationsEdit(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'edit [application]',
    summary: 'change the name or description of an application',
    result: 'updateApplication',
    example: 'quayside applications edit "My App" --name "My Game"',
    options: (command) =>
      command
        .option('--name <name>', 'new name')
        .option('--description <text>', 'new description ("" removes it)'),
    async run(context, [argument], { name, description }) {
      if (name === undefined && description === undefined)
        throw new Failure('usage', 'Nothing to change. Add --name or --description.')
      const application_id = await requireApplicationIdOf(context, argument)
      const body = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description: description || null }),
      }
      const { data } = await context
        .client()
        .updateApplication({ application_id, body }, { signal: context.signal })
      context.output.result(data, () => formatApplication(data))
    },
  })
}
