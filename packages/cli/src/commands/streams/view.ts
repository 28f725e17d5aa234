import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatStream, withExistingStreams } from './format-stream.ts'

export function addStreamsView(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'view <stream>',
    summary: 'show a stream by ID or name',
    result: 'getStream',
    example: 'quayside streams view nightlies',
    async run(context, [stream_identifier = '']) {
      const application_id = await requireApplicationId(context)
      const response = context
        .client()
        .getStream({ application_id, stream_identifier }, { signal: context.signal })
      const { data } = await withExistingStreams(context, application_id, stream_identifier, response)
      context.output.result(data, () => formatStream(data))
    },
  })
}
