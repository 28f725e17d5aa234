import type { Member, WorkspaceMember } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { selectMemberApplicationId, workspaceMembersOption } from './select-members.ts'
import type { MemberLevelOptions } from './select-members.ts'

type Listed = Member | WorkspaceMember
type Options = PageOptions & MemberLevelOptions & { search?: string }

export function addMembersList(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'list',
    summary: 'list members',
    description: 'List the members of the workspace or, with --application, of an application.',
    result: ['listApplicationMembers', 'listWorkspaceMembers'],
    example: 'quayside members list --application "My App"',
    options: (command) =>
      withPageOptions(
        command.option('--search <text>', 'search name and email address').option(...workspaceMembersOption),
        'members',
      ),
    async run(context, _arguments, options) {
      const client = context.client()
      const call = { signal: context.signal }
      const search = options.search === undefined ? {} : { search: options.search }
      const application_id = await selectMemberApplicationId(context, options)
      await printPage<Listed>(context, options, {
        noun: 'members',
        fetchPage: (page, per_page) =>
          application_id === undefined
            ? client.listWorkspaceMembers({ ...search, page, per_page }, call)
            : client.listApplicationMembers({ application_id, ...search, page, per_page }, call),
        headings: ['ID', 'NAME', 'EMAIL', 'ROLE'],
        row: ({ id, name, email, role }) => [id, name, email, role],
      })
    },
  })
}
