import type { Command } from 'commander'
import { addCommand } from '../../../add-command.ts'
import type { Runtime } from '../../../command-context.ts'
import { Failure } from '../../../failure.ts'
import { requireApplicationIdOf } from '../../../require-application-id.ts'
import { formatReport, formatStores } from './format-store.ts'
import {
  bucketRequired,
  describesStore,
  storeInput,
  withStoreOptions,
  type StoreOptions,
} from './store-options.ts'

export function addStorageSet(parent: Command, runtime: Runtime): void {
  addCommand<StoreOptions>(parent, runtime, {
    usage: 'set [application]',
    summary: 'store new uploads of an application in a bucket',
    description:
      'Test a bucket, save it and store new uploads of the application there. Nothing is saved if a step of the test\n' +
      'fails. Files that were uploaded before stay where they are.',
    result: ['replaceCustomStore', 'testCustomStore'],
    example:
      'quayside applications storage set "My App" --bucket builds --region eu-central-1 --access-key-id AKIAEXAMPLE',
    options: withStoreOptions,
    async run(context, [argument], options) {
      if (!describesStore(options)) throw bucketRequired()
      const application_id = await requireApplicationIdOf(context, argument)
      const body = await storeInput(context, options)
      const client = context.client()
      const call = { signal: context.signal }
      const { data: report } = await client.testCustomStore({ application_id, body }, call)
      if (!report.passed) {
        context.output.result(report, () => formatReport(report))
        throw new Failure(
          'failed',
          'The store was not saved. Correct the failed steps and rerun the command.',
        )
      }
      const { data } = await client.replaceCustomStore({ application_id, body }, call)
      context.output.result(data, () => `${formatReport(report)}\n\n${formatStores(data)}`)
    },
  })
}
