import type { Command } from 'commander'
import { addCommand } from '../../../add-command.ts'
import type { Runtime } from '../../../command-context.ts'
import { requireApplicationIdOf } from '../../../require-application-id.ts'
import { formatStores } from './format-store.ts'

export function addStorageView(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'view [application]',
    summary: 'show where the files of an application are stored',
    result: 'getCustomStore',
    example: 'quayside applications storage view "My App"',
    async run(context, [argument]) {
      const application_id = await requireApplicationIdOf(context, argument)
      const { data } = await context.client().getCustomStore({ application_id }, { signal: context.signal })
      context.output.result(data, () => formatStores(data))
    },
  })
}
