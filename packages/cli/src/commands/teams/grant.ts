import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import { applicationRoles, type ApplicationRole } from '../../application-roles.ts'
import type { Runtime } from '../../command-context.ts'
import { formatFields } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { requireTeamOf } from './select-team.ts'

export function addTeamsGrant(parent: Command, runtime: Runtime): void {
  addCommand<{ role: ApplicationRole }>(parent, runtime, {
    usage: 'grant <team>',
    summary: 'give a team a role in an application',
    description: 'Give the members of a team a role in an application, or change the role of the team.',
    result: 'replaceApplicationTeam',
    example: 'quayside teams grant Testers --role qa --application "My App"',
    options: (command) =>
      command.addOption(
        new Option('--role <role>', 'role in the application')
          .choices(applicationRoles)
          .makeOptionMandatory(),
      ),
    async run(context, [selected = ''], { role }) {
      const application_id = await requireApplicationId(context)
      const { id: team_id } = await requireTeamOf(context, selected)
      const params = { application_id, team_id, body: { role } }
      const { data } = await context.client().replaceApplicationTeam(params, { signal: context.signal })
      context.output.result(data, () =>
        formatFields([
          ['Team', data.name],
          ['Role', data.role],
          ['Members', data.member_count],
        ]),
      )
    },
  })
}
