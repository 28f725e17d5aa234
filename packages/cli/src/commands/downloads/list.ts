import type { ListedDownload } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { filterParams, withFilterOptions } from '../../filter-options.ts'
import { integerBetween } from '../../option-parsers.ts'
import { formatTime, formatVersion } from '../../output/format.ts'
import { formatList } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { downloadFilters } from './download-filters.ts'

type Options = { limit: number; all?: boolean }

const perRequest = 100

export function addDownloadsList(parent: Command, runtime: Runtime): void {
  const filters = downloadFilters()
  addCommand<Options>(parent, runtime, {
    usage: 'list',
    summary: 'list who downloaded which build, latest first',
    description:
      'List who downloaded which build, when and through which channel, latest first. To export them, add --all and --json.',
    result: 'listDownloads',
    example: 'quayside downloads list --version 1.4.0 --all --json',
    options: (command) =>
      withFilterOptions(command, filters)
        .option('--limit <number>', 'maximum number of downloads', integerBetween(1, 1_000_000), 15)
        .option('--all', 'list all downloads'),
    async run(context, _arguments, options) {
      const params = {
        application_id: await requireApplicationId(context),
        ...filterParams(filters, options),
      }
      const limit = options.all === true ? Infinity : options.limit
      const { downloads, hasMore } = await listUpTo(context, params, limit)
      context.output.result(downloads, (columns) =>
        formatList(
          downloads,
          {
            noun: 'downloads',
            headings: ['TIME', 'WHO', 'CHANNEL', 'VERSION', 'PLATFORM', 'FILE'],
            row: (download) => [
              formatTime(download.created_at),
              personOf(download),
              download.is_install ? `${download.channel} (install)` : download.channel,
              formatVersion(download),
              download.platform.identifier,
              download.filename,
            ],
          },
          columns,
        ),
      )
      if (hasMore) context.output.note(`\nThe latest ${limit}. Use --limit or --all to see more.`)
    },
  })
}

type Params = { application_id: string }

async function listUpTo(
  context: CommandContext,
  params: Params,
  limit: number,
): Promise<{ downloads: ListedDownload[]; hasMore: boolean }> {
  const client = context.client()
  const downloads: ListedDownload[] = []
  let cursor: string | null | undefined
  while (cursor !== null && downloads.length < limit) {
    const { data, cursor: next } = await client.listDownloads(
      {
        ...params,
        limit: Math.min(perRequest, limit - downloads.length),
        ...(cursor === undefined ? {} : { after: cursor }),
      },
      { signal: context.signal },
    )
    downloads.push(...data)
    cursor = next
  }
  return { downloads, hasMore: cursor !== null }
}

/** Returns who downloaded, if it is known. */
const personOf = ({ email, user_name, api_key, address }: ListedDownload): string | null =>
  email ?? user_name ?? api_key?.name ?? address
