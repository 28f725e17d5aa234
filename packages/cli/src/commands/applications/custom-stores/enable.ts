import type { Command } from 'commander'
import { addCommand } from '../../../add-command.ts'
import type { Runtime } from '../../../command-context.ts'
import { requireApplicationIdOf } from '../../../require-application-id.ts'
import { formatStores } from './format-store.ts'

export function addStorageEnable(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'enable [application]',
    summary: 'store new uploads in the saved bucket again',
    result: 'getCustomStore',
    example: 'quayside applications storage enable "My App"',
    async run(context, [argument]) {
      const application_id = await requireApplicationIdOf(context, argument)
      const client = context.client()
      const call = { signal: context.signal }
      await client.updateApplication({ application_id, body: { custom_store_enabled: true } }, call)
      const { data } = await client.getCustomStore({ application_id }, call)
      context.output.result(data, () => formatStores(data))
    },
  })
}
