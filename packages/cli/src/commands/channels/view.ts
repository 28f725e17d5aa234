import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatChannel } from './format-channel.ts'
import { requireChannel } from './select-channel.ts'

export function addChannelsView(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'view <channel>',
    summary: 'show a channel by ID or name',
    result: 'getChannel',
    example: 'quayside channels view Stable',
    async run(context, [channel = '']) {
      const data = await requireChannel(context, channel)
      context.output.result(data, () => formatChannel(data))
    },
  })
}
