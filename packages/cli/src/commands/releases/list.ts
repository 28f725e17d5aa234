import type { ListReleasesParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { filterParams, sortOptions, withFilterOptions } from '../../filter-options.ts'
import type { FilterOptions } from '../../filter-options.ts'
import { formatTime } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatReleaseStatus } from './format-release.ts'

export function addReleasesList(parent: Command, runtime: Runtime): void {
  const filters: FilterOptions<ListReleasesParams> = {
    search: new Option('--search <text>', 'search title, ID and version'),
    labels: new Option('--label <names>', 'only releases with these labels (comma-separated)'),
    platforms: new Option(
      '--platform <slugs>',
      'only releases with builds for these platforms (comma-separated)',
    ),
    statuses: new Option('--status <statuses>', 'only releases with these statuses (comma-separated)'),
    ...sortOptions(['version', 'version_short', 'title', 'created_at']),
  }
  addCommand<PageOptions>(parent, runtime, {
    usage: 'list',
    summary: 'list releases',
    result: 'listReleases',
    example: 'quayside releases list --platform android',
    options: (command) => withPageOptions(withFilterOptions(command, filters), 'releases'),
    async run(context, _arguments, options) {
      const application_id = await requireApplicationId(context)
      const client = context.client()
      const params = { application_id, ...filterParams(filters, options) }
      await printPage(context, options, {
        noun: 'releases',
        fetchPage: (page, per_page) =>
          client.listReleases({ ...params, page, per_page }, { signal: context.signal }),
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
