import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatTeam } from './select-team.ts'

export function addTeamsCreate(parent: Command, runtime: Runtime): void {
  addCommand<{ description?: string; ssoGroup?: string }>(parent, runtime, {
    usage: 'create <name>',
    summary: 'create a team',
    result: 'createTeam',
    example: 'quayside teams create Testers --description "Test every release candidate"',
    options: (command) =>
      command
        .option('--description <text>', 'description of the team')
        .option('--sso-group <name>', 'group at the identity provider whose members join the team'),
    async run(context, [name = ''], { description, ssoGroup }) {
      const body = {
        name,
        ...(description === undefined ? {} : { description }),
        ...(ssoGroup === undefined ? {} : { sso_group: ssoGroup }),
      }
      const { data } = await context.client().createTeam({ body }, { signal: context.signal })
      context.output.result(data, () => formatTeam(data))
    },
  })
}
