import { allItems } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatTable } from '../../output/format.ts'

type Options = { search?: string; platform?: string }

export function addApplicationsList(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'list',
    summary: 'list applications',
    example: 'quayside applications list --search game',
    options: (command) =>
      command
        .option('--search <text>', 'search name, description and ID')
        .option('--platform <slug>', 'only applications that support the platform'),
    async run({ client, output, signal }, _arguments, { search, platform }) {
      const filter = {
        ...(search === undefined ? {} : { search }),
        ...(platform === undefined ? {} : { platform }),
      }
      const applications = await allItems((page) =>
        client().listApplications({ ...filter, page, per_page: 100 }, { signal }),
      )
      output.result(applications, () =>
        applications.length === 0
          ? 'No applications found.'
          : formatTable(
              ['ID', 'NAME', 'STORAGE', 'CREATED'],
              applications.map(({ id, name, storage_usage, created_at }) => [
                id,
                name,
                storage_usage.total_string,
                created_at.slice(0, 10),
              ]),
            ),
      )
    },
  })
}
