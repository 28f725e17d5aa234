import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import {
  formatLabel,
  selectLabelApplicationId,
  withExistingLabels,
  workspaceLabelsOption,
} from './select-labels.ts'
import type { LabelLevelOptions } from './select-labels.ts'

type Options = LabelLevelOptions & { name?: string; description?: string; color?: string }

export function addLabelsEdit(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'edit <label>',
    summary: 'change the name, description or color of a label',
    result: ['updateLabel', 'updateWorkspaceLabel'],
    example: 'quayside labels edit approved --name released',
    options: (command) =>
      command
        .option('--name <name>', 'new name')
        .option('--description <text>', 'new description ("" removes it)')
        .option('--color <color>', 'new color such as "#30a46c"')
        .option(...workspaceLabelsOption),
    async run(context, [label_identifier = ''], options) {
      const { name, description, color } = options
      const body = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description: description || null }),
        ...(color === undefined ? {} : { color }),
      }
      if (Object.keys(body).length === 0)
        throw new Failure('usage', 'Nothing to change. Add --name, --description or --color.')
      const application_id = await selectLabelApplicationId(context, options)
      const client = context.client()
      const call = { signal: context.signal }
      const response =
        application_id === undefined
          ? client.updateWorkspaceLabel({ label_identifier, body }, call)
          : client.updateLabel({ application_id, label_identifier, body }, call)
      const { data } = await withExistingLabels(context, application_id, label_identifier, response)
      context.output.result(data, () => formatLabel(data))
    },
  })
}
