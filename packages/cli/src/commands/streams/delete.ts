import { QuaysideError } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { Failure } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { withExistingStreams } from './format-stream.ts'

type Options = ConfirmOptions & { moveTo?: string }

export function addStreamsDelete(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'delete <stream>',
    summary: 'delete a stream',
    description:
      'Delete a stream. Its builds are moved to the stream set with --move-to.\n' +
      'Webhooks that are limited to the stream are deleted with it.',
    result: { name: false, deleted: false },
    example: 'quayside streams delete beta --move-to nightlies',
    options: (command) =>
      command
        .option('--move-to <stream>', 'stream that receives the builds, by ID or name')
        .option(...yesOption),
    async run(context, [stream_identifier = ''], { moveTo, ...options }) {
      const application_id = await requireApplicationId(context)
      const moving = moveTo === undefined ? '' : ` Its builds move to ${moveTo}.`
      await confirmDeletion(context, options, `Delete the stream ${stream_identifier}?${moving}`)
      const params = {
        application_id,
        stream_identifier,
        ...(moveTo === undefined ? {} : { move_to: moveTo }),
      }
      const response = context.client().deleteStream(params, { signal: context.signal })
      const { message } = await withExistingStreams(
        context,
        application_id,
        stream_identifier,
        response.catch(explainInUse),
      )
      context.output.result({ name: stream_identifier, deleted: true }, () => message)
    },
  })
}

function explainInUse(error: unknown): never {
  if (error instanceof QuaysideError && error.code === 'stream.in_use')
    // The message refers to the API parameter, which is replaced with the corresponding option.
    throw new Failure(
      'failed',
      error.message
        .replace('Set `move_to` to', 'Use --move-to to specify')
        .replace('set `move_to` to', 'use --move-to to specify'),
    )
  throw error
}
