import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatStream, withExistingStreams } from './format-stream.ts'
import { streamFields, withStreamOptions } from './stream-options.ts'
import type { StreamOptions } from './stream-options.ts'

type Options = StreamOptions & { name?: string }

export function addStreamsEdit(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'edit <stream>',
    summary: 'change the name, description or retention of a stream',
    result: 'updateStream',
    example: 'quayside streams edit nightlies --retention 14',
    options: (command) => withStreamOptions(command.option('--name <name>', 'new name')),
    async run(context, [stream_identifier = ''], options) {
      const body = {
        ...(options.name === undefined ? {} : { name: options.name }),
        ...streamFields(options),
      }
      if (Object.keys(body).length === 0)
        throw new Failure('usage', 'Nothing to change. Add --name, --description or --retention.')
      const application_id = await requireApplicationId(context)
      const response = context
        .client()
        .updateStream({ application_id, stream_identifier, body }, { signal: context.signal })
      const { data } = await withExistingStreams(context, application_id, stream_identifier, response)
      context.output.result(data, () => formatStream(data))
    },
  })
}
