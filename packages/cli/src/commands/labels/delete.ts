import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { selectLabelApplicationId, withExistingLabels, workspaceLabelsOption } from './select-labels.ts'
import type { LabelLevelOptions } from './select-labels.ts'

export function addLabelsDelete(parent: Command, runtime: Runtime): void {
  addCommand<LabelLevelOptions & ConfirmOptions>(parent, runtime, {
    usage: 'delete <label>',
    summary: 'delete a label',
    description: 'Delete a label and remove it from all builds and releases.',
    result: { name: false, deleted: false },
    example: 'quayside labels delete smoke',
    options: (command) => command.option(...workspaceLabelsOption).option(...yesOption),
    async run(context, [label_identifier = ''], options) {
      const application_id = await selectLabelApplicationId(context, options)
      await confirmDeletion(
        context,
        options,
        `Delete the label ${label_identifier} and remove it from all builds and releases?`,
      )
      const client = context.client()
      const call = { signal: context.signal }
      const response =
        application_id === undefined
          ? client.deleteWorkspaceLabel({ label_identifier }, call)
          : client.deleteLabel({ application_id, label_identifier }, call)
      const { message } = await withExistingLabels(context, application_id, label_identifier, response)
      context.output.result({ name: label_identifier, deleted: true }, () => message)
    },
  })
}
