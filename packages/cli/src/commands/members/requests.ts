import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatTime } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'

export function addMembersRequests(parent: Command, runtime: Runtime): void {
  addCommand<PageOptions>(parent, runtime, {
    usage: 'requests',
    summary: 'list access requests',
    description:
      'List the members of the workspace who request access to the application, the oldest request first.',
    result: 'listAccessRequests',
    example: 'quayside members requests --application "My App"',
    options: (command) => withPageOptions(command, 'requests'),
    async run(context, _arguments, options) {
      const application_id = await requireApplicationId(context)
      await printPage(context, options, {
        noun: 'requests',
        fetchPage: (page, per_page) =>
          context.client().listAccessRequests({ application_id, page, per_page }, { signal: context.signal }),
        headings: ['ID', 'NAME', 'EMAIL', 'REQUESTED', 'MESSAGE'],
        row: ({ id, user, created_at, message }) => [
          id,
          user.name,
          user.email,
          formatTime(created_at),
          message,
        ],
      })
    },
  })
}
