import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { requireMemberId } from '../members/select-members.ts'
import { requireTeamOf } from './select-team.ts'

export function addTeamsAdd(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'add <team> <member...>',
    summary: 'add members to a team',
    description: 'Add members of the workspace, by ID or email address, to a team.',
    result: 'createTeamMembers',
    example: 'quayside teams add Testers ada@example.com bo@example.com',
    async run(context, [selected = '', ...members]) {
      const params = await readParams(context, selected, members)
      const { data, message } = await context.client().createTeamMembers(params, { signal: context.signal })
      context.output.result(data, () => message)
    },
  })
}

export function addTeamsRemove(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'remove <team> <member...>',
    summary: 'remove members from a team',
    description: 'Remove members, by ID or email address, from a team. They stay in the workspace.',
    result: 'removeTeamMembers',
    example: 'quayside teams remove Testers ada@example.com',
    async run(context, [selected = '', ...members]) {
      const params = await readParams(context, selected, members)
      const { data, message } = await context.client().removeTeamMembers(params, { signal: context.signal })
      context.output.result(data, () => message)
    },
  })
}

async function readParams(context: CommandContext, selected: string, members: readonly string[]) {
  const { id } = await requireTeamOf(context, selected)
  const user_ids: string[] = []
  for (const member of members) user_ids.push(await requireMemberId(context, undefined, member))
  return { team_id: id, body: { user_ids } }
}
