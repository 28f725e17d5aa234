import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatLabel, selectLabelApplicationId, workspaceLabelsOption } from './select-labels.ts'
import type { LabelLevelOptions } from './select-labels.ts'

type Options = LabelLevelOptions & { description?: string; color?: string }

export function addLabelsCreate(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'create <name>',
    summary: 'create a label',
    result: ['createLabel', 'createWorkspaceLabel'],
    example: 'quayside labels create approved --color "#30a46c"',
    options: (command) =>
      command
        .option('--description <text>', 'description of the label')
        .option('--color <color>', 'color such as "#30a46c" (default: derived from the name)')
        .option(...workspaceLabelsOption),
    async run(context, [name = ''], options) {
      const { description, color } = options
      const body = {
        name,
        ...(description === undefined ? {} : { description }),
        ...(color === undefined ? {} : { color }),
      }
      const application_id = await selectLabelApplicationId(context, options)
      const client = context.client()
      const call = { signal: context.signal }
      const { data } =
        application_id === undefined
          ? await client.createWorkspaceLabel({ body }, call)
          : await client.createLabel({ application_id, body }, call)
      context.output.result(data, () => formatLabel(data))
    },
  })
}
