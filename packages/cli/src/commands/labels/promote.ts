import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatLabel, withExistingLabels } from './select-labels.ts'

export function addLabelsPromote(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'promote <label>',
    summary: 'make a label available in the whole workspace',
    description: 'Move a label from an application to its workspace. Builds and releases keep it.',
    result: 'promoteLabel',
    example: 'quayside labels promote approved --application "My App"',
    async run(context, [label_identifier = '']) {
      const application_id = await requireApplicationId(context)
      const response = context
        .client()
        .promoteLabel({ application_id, label_identifier }, { signal: context.signal })
      const { data } = await withExistingLabels(context, application_id, label_identifier, response)
      context.output.result(data, () => formatLabel(data))
    },
  })
}
