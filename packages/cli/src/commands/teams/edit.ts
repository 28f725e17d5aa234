import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { formatTeam, requireTeamOf } from './select-team.ts'

type Options = { name?: string; description?: string; ssoGroup?: string | false }

export function addTeamsEdit(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'edit <team>',
    summary: 'change the name, description or single sign-on group of a team',
    description:
      'Change the name or description of a team, or the group at the identity provider whose members join it when they sign in.',
    result: 'updateTeam',
    example: 'quayside teams edit Testers --sso-group games-qa',
    options: (command) =>
      command
        .option('--name <name>', 'new name')
        .option('--description <text>', 'new description')
        .option('--sso-group <name>', 'group at the identity provider whose members join the team')
        .option('--no-sso-group', 'no longer add members by a group; those in the team stay'),
    async run(context, [selected = ''], { name, description, ssoGroup }) {
      const body = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(ssoGroup === undefined ? {} : { sso_group: ssoGroup === false ? null : ssoGroup }),
      }
      if (Object.keys(body).length === 0)
        throw new Failure('usage', 'Nothing to change. Add --name, --description or --sso-group.')
      const { id: team_id } = await requireTeamOf(context, selected)
      const { data } = await context.client().updateTeam({ team_id, body }, { signal: context.signal })
      context.output.result(data, () => formatTeam(data))
    },
  })
}
