import type { ListReleasesParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { formatTime } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatReleaseStatus } from './format-release.ts'

type Options = PageOptions & {
  search?: string
  label?: string
  platform?: string
  status?: string
  sortBy: NonNullable<ListReleasesParams['sort_by']>
  sort: 'asc' | 'desc'
}

const sortFields = ['version', 'version_short', 'title', 'created_at']

export function addReleasesList(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'list',
    summary: 'list releases',
    example: 'quayside releases list --platform android',
    options: (command) =>
      withPageOptions(
        command
          .option('--search <text>', 'search title, ID and version')
          .option('--label <names>', 'only releases with these labels (comma-separated)')
          .option('--platform <slugs>', 'only releases with builds for these platforms (comma-separated)')
          .option('--status <statuses>', 'only releases with these statuses (comma-separated)')
          .addOption(
            new Option('--sort-by <field>', 'field to sort by').choices(sortFields).default('created_at'),
          )
          .addOption(
            new Option('--sort <direction>', 'sort direction').choices(['asc', 'desc']).default('desc'),
          ),
        'releases',
      ),
    async run(context, _arguments, options) {
      const client = context.client()
      const filter: ListReleasesParams = {
        application_id: await requireApplicationId(context),
        sort_by: options.sortBy,
        sort: options.sort,
      }
      if (options.search !== undefined) filter.search = options.search
      if (options.label !== undefined) filter.labels = options.label
      if (options.platform !== undefined) filter.platforms = options.platform
      if (options.status !== undefined) filter.statuses = options.status
      await printPage(context, options, {
        noun: 'releases',
        fetchPage: (page, per_page) =>
          client.listReleases({ ...filter, page, per_page }, { signal: context.signal }),
        headings: ['ID', 'VERSION', 'TITLE', 'STATUS', 'BUILDS', 'LABELS', 'CREATED'],
        row: (release) => [
          release.id,
          release.version,
          release.title,
          formatReleaseStatus(release),
          release.build_count,
          release.labels.map(({ name }) => name).join(','),
          formatTime(release.created_at),
        ],
      })
    },
  })
}
