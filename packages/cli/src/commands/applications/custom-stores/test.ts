import type { Command } from 'commander'
import { addCommand } from '../../../add-command.ts'
import type { Runtime } from '../../../command-context.ts'
import { Failure } from '../../../failure.ts'
import { requireApplicationIdOf } from '../../../require-application-id.ts'
import { formatReport } from './format-store.ts'
import { describesStore, storeInput, withStoreOptions, type StoreOptions } from './store-options.ts'

export function addStorageTest(parent: Command, runtime: Runtime): void {
  addCommand<StoreOptions>(parent, runtime, {
    usage: 'test [application]',
    summary: 'test the bucket of an application, or another one',
    description: 'Test the bucket of an application or, with --bucket, another one. Nothing is saved.',
    result: 'testCustomStore',
    example: 'quayside applications storage test "My App"',
    options: withStoreOptions,
    async run(context, [argument], options) {
      const isDescribed = describesStore(options)
      const application_id = await requireApplicationIdOf(context, argument)
      const body = isDescribed ? await storeInput(context, options) : {}
      const { data } = await context
        .client()
        .testCustomStore({ application_id, body }, { signal: context.signal })
      context.output.result(data, () => formatReport(data))
      if (!data.passed) throw new Failure('failed', 'The store cannot be used. Correct the failed steps.')
    },
  })
}
