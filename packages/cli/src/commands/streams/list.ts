import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatList } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatRetention } from './format-stream.ts'

export function addStreamsList(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'list',
    summary: 'list streams',
    result: 'listStreams',
    example: 'quayside streams list --application "My App"',
    async run(context) {
      const application_id = await requireApplicationId(context)
      const { data } = await context.client().listStreams({ application_id }, { signal: context.signal })
      context.output.result(data, (columns) =>
        formatList(
          data,
          {
            noun: 'streams',
            headings: ['ID', 'NAME', 'RETENTION', 'DESCRIPTION'],
            row: (stream) => [stream.id, stream.name, formatRetention(stream), stream.description],
          },
          columns,
        ),
      )
    },
  })
}
