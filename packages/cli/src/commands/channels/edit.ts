import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { channelFields, withChannelOptions } from './channel-options.ts'
import type { ChannelOptions } from './channel-options.ts'
import { formatChannel } from './format-channel.ts'
import { requireChannelParams } from './select-channel.ts'

type Options = ChannelOptions & { name?: string }

export function addChannelsEdit(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'edit <channel>',
    summary: 'change a channel',
    description:
      'Change the name, source, formats or access of a channel. --format replaces all of its formats.',
    result: 'updateChannel',
    example: 'quayside channels edit Stable --access read-keys',
    options: (command) => withChannelOptions(command.option('--name <name>', 'new name')),
    async run(context, [channel = ''], options) {
      const body = {
        ...(options.name === undefined ? {} : { name: options.name }),
        ...channelFields(options),
      }
      if (Object.keys(body).length === 0)
        throw new Failure('usage', 'Nothing to change. Add --name, --stream, --format or --access.')
      const params = await requireChannelParams(context, channel)
      const { data } = await context.client().updateChannel({ ...params, body }, { signal: context.signal })
      context.output.result(data, () => formatChannel(data))
    },
  })
}
