import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { requireTeamOf } from './select-team.ts'

export function addTeamsDelete(parent: Command, runtime: Runtime): void {
  addCommand<ConfirmOptions>(parent, runtime, {
    usage: 'delete <team>',
    summary: 'delete a team',
    description: 'Delete a team, by ID or name. Its members stay in the workspace.',
    result: { id: false, deleted: false },
    example: 'quayside teams delete Testers',
    options: (command) => command.option(...yesOption),
    async run(context, [selected = ''], options) {
      const team = await requireTeamOf(context, selected)
      const question = `Delete the team ${team.name}? Its ${team.member_count} members lose the access that they only have through it.`
      await confirmDeletion(context, options, question)
      const { message } = await context.client().deleteTeam({ team_id: team.id }, { signal: context.signal })
      context.output.result({ id: team.id, deleted: true }, () => message)
    },
  })
}
