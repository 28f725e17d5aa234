import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { requireChannel } from './select-channel.ts'

export function addChannelsDelete(parent: Command, runtime: Runtime): void {
  addCommand<ConfirmOptions>(parent, runtime, {
    usage: 'delete <channel>',
    summary: 'delete a channel',
    description: 'Delete a channel. Installed copies that use it no longer find updates.',
    result: { id: false, deleted: false },
    example: 'quayside channels delete Stable',
    options: (command) => command.option(...yesOption),
    async run(context, [selected = ''], options) {
      const { application_id, id, name } = await requireChannel(context, selected)
      const question = `Delete the channel ${name}? Installed copies that use it no longer find updates.`
      await confirmDeletion(context, options, question)
      const { message } = await context
        .client()
        .deleteChannel({ application_id, channel_id: id }, { signal: context.signal })
      context.output.result({ id, deleted: true }, () => message)
    },
  })
}
