import type { CreateInvitationParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import { applicationRoles } from '../../application-roles.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { collect } from '../../option-parsers.ts'
import { formatFields } from '../../output/format.ts'
import { requireApplicationIdOf } from '../../require-application-id.ts'
import { selectMemberApplicationId, workspaceMembersOption } from './select-members.ts'
import type { MemberLevelOptions } from './select-members.ts'

type Role = CreateInvitationParams['body']['role']
type Access = NonNullable<CreateInvitationParams['body']['applications']>[number]
type Options = MemberLevelOptions & { role: Role; access?: string[] }

const roles: Role[] = ['owner', 'admin', 'member', 'developer', 'qa', 'readonly']

export function addMembersInvite(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'invite <email>',
    summary: 'invite a user by email',
    description:
      'Invite a user to the workspace (roles: owner, admin, member) or, with --application, to an application\n' +
      '(roles: admin, developer, qa, readonly). With --access, a new member of the workspace can work in several applications.',
    result: 'createInvitation',
    example: 'quayside members invite ada@example.com --role developer --application "My App"',
    options: (command) =>
      command
        .addOption(new Option('--role <role>', 'role of the user').choices(roles).makeOptionMandatory())
        .option(
          '--access <application=role>',
          'add the member to an application with a role, such as "My App=developer" (repeatable)',
          collect,
        )
        .option(...workspaceMembersOption),
    async run(context, [email = ''], options) {
      const { role, access = [] } = options
      const applications: Access[] = []
      for (const text of access) applications.push(await readAccess(context, text))
      const application_id =
        applications.length === 0 ? await selectMemberApplicationId(context, options) : undefined
      const body = {
        email,
        role,
        ...(application_id === undefined ? {} : { application_id }),
        ...(applications.length === 0 ? {} : { applications }),
      }
      const { data } = await context.client().createInvitation({ body }, { signal: context.signal })
      context.output.result(data, () =>
        formatFields([
          ['Invitation', data.id],
          ['Email', data.email],
          ['Role', data.role],
          ['Applications', applications.length === 0 ? null : access.join(', ')],
          ['Expires', data.expires_at],
          ['URL', data.url],
        ]),
      )
    },
  })
}

/** Reads an application, by ID or name, and a role from a text such as `My App=developer`. */
async function readAccess(context: CommandContext, text: string): Promise<Access> {
  const separator = text.lastIndexOf('=')
  const role = applicationRoles.find((each) => each === text.slice(separator + 1))
  if (separator < 1 || role === undefined)
    throw new Failure(
      'usage',
      `--access requires an application and a role (${applicationRoles.join(', ')}), such as "My App=developer".`,
    )
  return { application_id: await requireApplicationIdOf(context, text.slice(0, separator)), role }
}
