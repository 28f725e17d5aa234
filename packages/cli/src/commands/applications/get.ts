import type { Command } from 'commander'
import { requireApplicationId } from '../../application-of.ts'
import type { World } from '../../command-context.ts'
import { addVerb } from '../../verb.ts'
import { applicationFacts } from './application-facts.ts'

export function addApplicationsGet(parent: Command, world: World): void {
  addVerb(parent, world, {
    usage: 'get [application]',
    summary: 'show an application, by id or name',
    example: 'quayside applications get "My App"',
    async run(context, [named]) {
      const settings = { ...context.settings, ...(named === undefined ? {} : { application: named }) }
      const application_id = await requireApplicationId({ ...context, settings })
      const { data } = await context.client().getApplication({ application_id }, { signal: context.signal })
      context.output.result(data, () => applicationFacts(data))
    },
  })
}
