import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatList } from '../../page-options.ts'
import { formatAccess, formatSource } from './format-channel.ts'
import { listChannels } from './select-channel.ts'

export function addChannelsList(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'list',
    summary: 'list channels',
    result: 'listChannels',
    example: 'quayside channels list --application "My App"',
    async run(context) {
      const data = await listChannels(context)
      context.output.result(data, (columns) =>
        formatList(
          data,
          {
            noun: 'channels',
            headings: ['ID', 'NAME', 'PUBLISHES', 'FORMATS', 'ACCESS'],
            row: (channel) => [
              channel.id,
              channel.name,
              formatSource(channel),
              channel.formats.join(', '),
              formatAccess(channel),
            ],
          },
          columns,
        ),
      )
    },
  })
}
