import { allItems } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatList } from '../../page-options.ts'

type Options = { search?: string; platform?: string; trashed?: boolean }

export function addApplicationsList(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'list',
    summary: 'list applications',
    result: 'listApplications',
    example: 'quayside applications list --search game',
    options: (command) =>
      command
        .option('--search <text>', 'search name, description and ID')
        .option('--platform <slug>', 'only applications that support the platform')
        .option('--trashed', 'list the applications in the trash'),
    async run({ client, output, signal }, _arguments, { search, platform, trashed }) {
      const filter = {
        ...(search === undefined ? {} : { search }),
        ...(platform === undefined ? {} : { platform }),
        ...(trashed === undefined ? {} : { trashed }),
      }
      const applications = await allItems((page) =>
        client().listApplications({ ...filter, page, per_page: 100 }, { signal }),
      )
      output.result(applications, (columns) =>
        formatList(
          applications,
          {
            noun: 'applications',
            headings: ['ID', 'NAME', 'STORAGE', 'CREATED', ...(trashed === true ? ['RESTORABLE UNTIL'] : [])],
            row: ({ id, name, storage_usage, created_at, purge_at }) => [
              id,
              name,
              storage_usage.total_string,
              created_at.slice(0, 10),
              ...(trashed === true ? [purge_at?.slice(0, 10)] : []),
            ],
          },
          columns,
        ),
      )
    },
  })
}
