import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatList } from '../../page-options.ts'
import { selectLabelApplicationId, workspaceLabelsOption } from './select-labels.ts'
import type { LabelLevelOptions } from './select-labels.ts'

export function addLabelsList(parent: Command, runtime: Runtime): void {
  addCommand<LabelLevelOptions>(parent, runtime, {
    usage: 'list',
    summary: 'list labels',
    description: 'List the labels of an application, which include those of its workspace.',
    result: ['listLabels', 'listWorkspaceLabels'],
    example: 'quayside labels list --application "My App"',
    options: (command) => command.option(...workspaceLabelsOption),
    async run(context, _arguments, options) {
      const application_id = await selectLabelApplicationId(context, options)
      const client = context.client()
      const call = { signal: context.signal }
      const { data } =
        application_id === undefined
          ? await client.listWorkspaceLabels({}, call)
          : await client.listLabels({ application_id }, call)
      context.output.result(data, (columns) =>
        formatList(
          data,
          {
            noun: 'labels',
            headings: ['ID', 'NAME', 'LEVEL', 'COLOR', 'DESCRIPTION'],
            row: ({ id, name, level, color, description }) => [id, name, level, color, description],
          },
          columns,
        ),
      )
    },
  })
}
