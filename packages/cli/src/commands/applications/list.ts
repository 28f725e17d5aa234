import { allItems } from '@quayside/sdk'
import type { Command } from 'commander'
import type { World } from '../../command-context.ts'
import { tableText } from '../../output/table.ts'
import { addVerb } from '../../verb.ts'

type Options = { search?: string; platform?: string }

export function addApplicationsList(parent: Command, world: World): void {
  addVerb<Options>(parent, world, {
    usage: 'list',
    summary: 'list the applications that the key reaches',
    example: 'quayside applications list --search game',
    options: (command) =>
      command
        .option('--search <text>', 'part of name, description or id')
        .option('--platform <slug>', 'only applications with this platform'),
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
          ? 'No applications.'
          : tableText(
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
