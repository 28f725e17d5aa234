import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { withNotFoundMessage } from '../../failure.ts'
import {
  memberNotFound,
  requireMemberId,
  selectMemberApplicationId,
  workspaceMembersOption,
} from './select-members.ts'
import type { MemberLevelOptions } from './select-members.ts'

type Options = MemberLevelOptions & ConfirmOptions

export function addMembersRemove(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'remove <member>',
    summary: 'remove a member',
    description:
      'Remove a member, by ID or email address, from the workspace or, with --application, from an application.',
    result: { id: false, removed: false },
    example: 'quayside members remove ada@example.com',
    options: (command) => command.option(...workspaceMembersOption).option(...yesOption),
    async run(context, [selected = ''], options) {
      const application_id = await selectMemberApplicationId(context, options)
      const user_id = await requireMemberId(context, application_id, selected)
      const from = application_id === undefined ? 'the workspace' : 'the application'
      await confirmDeletion(context, options, `Remove ${selected} from ${from}?`)
      const client = context.client()
      const call = { signal: context.signal }
      const { message } = await withNotFoundMessage(
        application_id === undefined
          ? client.deleteWorkspaceMember({ user_id }, call)
          : client.deleteApplicationMember({ application_id, user_id }, call),
        memberNotFound(selected),
      )
      context.output.result({ id: user_id, removed: true }, () => message)
    },
  })
}
