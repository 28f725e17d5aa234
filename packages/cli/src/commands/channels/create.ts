import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { channelFields, withChannelOptions } from './channel-options.ts'
import type { ChannelOptions } from './channel-options.ts'
import { formatChannel } from './format-channel.ts'

export function addChannelsCreate(parent: Command, runtime: Runtime): void {
  addCommand<ChannelOptions>(parent, runtime, {
    usage: 'create <name>',
    summary: 'create a channel',
    description: 'Create a channel, from which installed copies of the application update themselves.',
    result: 'createChannel',
    example: 'quayside channels create Stable --format electron --format sparkle',
    options: withChannelOptions,
    async run(context, [name = ''], options) {
      const { formats, ...fields } = channelFields(options)
      if (formats === undefined)
        throw new Failure('usage', 'Add --format for each format that the channel serves.')
      const application_id = await requireApplicationId(context)
      const body = { name, formats, ...fields }
      const { data } = await context
        .client()
        .createChannel({ application_id, body }, { signal: context.signal })
      context.output.result(data, () => formatChannel(data))
    },
  })
}
