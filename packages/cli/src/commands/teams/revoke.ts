import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { requireTeamOf } from './select-team.ts'

export function addTeamsRevoke(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'revoke <team>',
    summary: 'remove a team from an application',
    description: 'Remove the role of a team in an application.',
    result: { id: false, removed: false },
    example: 'quayside teams revoke Testers --application "My App"',
    async run(context, [selected = '']) {
      const application_id = await requireApplicationId(context)
      const { id: team_id, name } = await requireTeamOf(context, selected)
      const { message } = await withNotFoundMessage(
        context.client().deleteApplicationTeam({ application_id, team_id }, { signal: context.signal }),
        `The team ${name} has no role in this application.`,
      )
      context.output.result({ id: team_id, removed: true }, () => message)
    },
  })
}
