import type { CreateInvitationParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatFields } from '../../output/format.ts'
import { selectMemberApplicationId, workspaceMembersOption } from './select-members.ts'
import type { MemberLevelOptions } from './select-members.ts'

type Role = CreateInvitationParams['body']['role']
type Options = MemberLevelOptions & { role: Role }

const roles: Role[] = ['owner', 'admin', 'member', 'developer', 'qa', 'readonly']

export function addMembersInvite(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'invite <email>',
    summary: 'invite a user by email',
    description:
      'Invite a user to the workspace (roles: owner, admin, member) or, with --application, to an application\n' +
      '(roles: admin, developer, qa, readonly).',
    example: 'quayside members invite ada@example.com --role developer --application "My App"',
    options: (command) =>
      command
        .addOption(new Option('--role <role>', 'role of the user').choices(roles).makeOptionMandatory())
        .option(...workspaceMembersOption),
    async run(context, [email = ''], options) {
      const application_id = await selectMemberApplicationId(context, options)
      const body = {
        email,
        role: options.role,
        ...(application_id === undefined ? {} : { application_id }),
      }
      const { data } = await context.client().createInvitation({ body }, { signal: context.signal })
      context.output.result(data, () =>
        formatFields([
          ['Invitation', data.id],
          ['Email', data.email],
          ['Role', data.role],
          ['Expires', data.expires_at],
          ['URL', data.url],
        ]),
      )
    },
  })
}
