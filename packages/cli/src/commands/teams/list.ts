import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'

type Options = PageOptions & { search?: string }

export function addTeamsList(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'list',
    summary: 'list teams',
    description: 'List the teams of the workspace.',
    result: 'listTeams',
    example: 'quayside teams list --search testers',
    options: (command) =>
      withPageOptions(command.option('--search <text>', 'search name and description'), 'teams'),
    async run(context, _arguments, options) {
      const search = options.search === undefined ? {} : { search: options.search }
      await printPage(context, options, {
        noun: 'teams',
        fetchPage: (page, per_page) =>
          context.client().listTeams({ ...search, page, per_page }, { signal: context.signal }),
        headings: ['ID', 'NAME', 'MEMBERS', 'APPLICATIONS'],
        row: ({ id, name, member_count, application_count }) => [id, name, member_count, application_count],
      })
    },
  })
}
