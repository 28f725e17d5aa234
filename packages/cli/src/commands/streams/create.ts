import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatStream } from './format-stream.ts'
import { streamFields, withStreamOptions } from './stream-options.ts'
import type { StreamOptions } from './stream-options.ts'

export function addStreamsCreate(parent: Command, runtime: Runtime): void {
  addCommand<StreamOptions>(parent, runtime, {
    usage: 'create <name>',
    summary: 'create a stream',
    result: 'createStream',
    example: 'quayside streams create beta --retention 30',
    options: withStreamOptions,
    async run(context, [name = ''], options) {
      const application_id = await requireApplicationId(context)
      const body = { name, ...streamFields(options) }
      const { data } = await context
        .client()
        .createStream({ application_id, body }, { signal: context.signal })
      context.output.result(data, () => formatStream(data))
    },
  })
}
