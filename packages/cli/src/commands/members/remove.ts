import { allItems } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { confirmDeletion, yesOption } from '../../confirm.ts'
import type { ConfirmOptions } from '../../confirm.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import { selectMemberApplicationId, workspaceMembersOption } from './select-members.ts'
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

const memberNotFound = (selected: string): string =>
  `Member ${selected} was not found. Run \`quayside members list\` to see the members.`

async function requireMemberId(
  { client, signal }: CommandContext,
  application_id: string | undefined,
  selected: string,
): Promise<string> {
  if (!selected.includes('@')) return selected
  // The API limits a search to 50 characters.
  const search = { search: selected.slice(0, 50), per_page: 100 }
  const members = await allItems<{ id: string; email: string }>((page) =>
    application_id === undefined
      ? client().listWorkspaceMembers({ ...search, page }, { signal })
      : client().listApplicationMembers({ application_id, ...search, page }, { signal }),
  )
  const member = members.find(({ email }) => email.toLowerCase() === selected.toLowerCase())
  if (member) return member.id
  throw new Failure('failed', memberNotFound(selected))
}
