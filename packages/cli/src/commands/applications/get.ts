import type { GetApplicationResponse } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatFields } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'

export function addApplicationsGet(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'get [application]',
    summary: 'show an application by ID or name',
    example: 'quayside applications get "My App"',
    async run(context, [argument]) {
      const settings = { ...context.settings, ...(argument === undefined ? {} : { application: argument }) }
      const application_id = await requireApplicationId({ ...context, settings })
      const { data } = await context.client().getApplication({ application_id }, { signal: context.signal })
      context.output.result(data, () => formatApplication(data))
    },
  })
}

/** Formats an application as a list of fields. */
export function formatApplication(application: GetApplicationResponse['data']): string {
  return formatFields([
    ['Application', application.id],
    ['Name', application.name],
    ['Description', application.description],
    ['Builds', application.build_count],
    ['Storage', application.storage_usage.total_string],
    ['Created', application.created_at],
  ])
}
