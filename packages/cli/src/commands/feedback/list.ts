import type { ListFeedbackParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { filterParams, withFilterOptions } from '../../filter-options.ts'
import type { FilterOptions } from '../../filter-options.ts'
import { integerBetween } from '../../option-parsers.ts'
import { formatTime, formatVersion } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'

const textWidth = 60

export function addFeedbackList(parent: Command, runtime: Runtime): void {
  const filters: FilterOptions<ListFeedbackParams> = {
    build_id: new Option('--build <id>', 'only feedback on this build'),
    state: new Option('--state <state>', 'only feedback in this state').choices(['open', 'closed']),
    rating: new Option('--rating <stars>', 'only feedback with this rating').argParser(integerBetween(1, 5)),
    platform: new Option('--platform <slug>', 'only feedback on builds for this platform'),
    search: new Option('--search <text>', 'search text, name, device and operating system'),
  }
  addCommand<PageOptions>(parent, runtime, {
    usage: 'list',
    summary: 'list feedback',
    description:
      'List the feedback of testers, newest first. To export it with all columns, add --all and --json.',
    result: 'listFeedback',
    example: 'quayside feedback list --state open',
    options: (command) => withPageOptions(withFilterOptions(command, filters), 'entries'),
    async run(context, _arguments, options) {
      const application_id = await requireApplicationId(context)
      const client = context.client()
      const params = { application_id, ...filterParams(filters, options), sort: 'desc' as const }
      await printPage(context, options, {
        noun: 'feedback',
        fetchPage: (page, per_page) =>
          client.listFeedback({ ...params, page, per_page }, { signal: context.signal }),
        headings: ['ID', 'STATE', 'RATING', 'BUILD', 'DEVICE', 'TEXT', 'SENT'],
        row: ({ id, state, rating, build, device, os, text, created_at }) => [
          id,
          state,
          rating,
          formatVersion(build),
          [device, os].filter((part) => part !== null).join(', '),
          shorten(text),
          formatTime(created_at),
        ],
      })
    },
  })
}

function shorten(text: string): string {
  const [line = ''] = text.split('\n')
  const characters = Array.from(line)
  const isWhole = characters.length <= textWidth && line === text
  return isWhole ? line : `${characters.slice(0, textWidth - 1).join('')}…`
}
