import type { ListBuildsParams, ListBuildsResponse } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { filterParams, sortOptions, timeOption, withFilterOptions } from '../../filter-options.ts'
import type { FilterOptions } from '../../filter-options.ts'
import { integerBetween } from '../../option-parsers.ts'
import { formatTime } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatBranch } from './format-build.ts'

export function addBuildsList(parent: Command, runtime: Runtime): void {
  const only = (flags: string, what: string) => new Option(flags, `only builds ${what}`)
  const filters: FilterOptions<ListBuildsParams> = {
    streams: only('--stream <names>', 'in these streams (comma-separated)'),
    platforms: only('--platform <slugs>', 'for these platforms (comma-separated)'),
    labels: only('--label <names>', 'with these labels (comma-separated)'),
    architectures: only('--architecture <ids>', 'for these architectures (comma-separated)'),
    branches: only('--branch <names>', 'from these branches (comma-separated)'),
    sources: only('--source <slugs>', 'from these upload sources (comma-separated)'),
    processing: only(
      '--processing <states>',
      'whose metadata is in these states (comma-separated): none, queued, waiting, done, failed',
    ),
    custom_targets: only('--custom-target <names>', 'for these custom targets (comma-separated)'),
    search: new Option(
      '--search <text>',
      'search version, build number, notes, branch, commit and file name',
    ),
    created_after: timeOption('--created-after <time>', 'only builds created at or after this time'),
    created_before: timeOption('--created-before <time>', 'only builds created before this time'),
    created_within_days: only('--last-days <days>', 'of the last days').argParser(integerBetween(1, 3650)),
    kept: only('--kept', 'that are exempt from retention'),
    trashed: new Option('--trashed', 'list the builds in the trash'),
    group_by: new Option(
      '--group-by <kind>',
      'list each group of builds once: those of one version and commit, one CI run or one branch',
    ).choices(['version', 'run', 'branch']),
    ...sortOptions(['version', 'version_short', 'size_total_bytes', 'built_at', 'created_at']),
  }
  addCommand<PageOptions>(parent, runtime, {
    usage: 'list',
    summary: 'list builds',
    result: 'listBuilds',
    example: 'quayside builds list --stream nightlies --platform android --per-page 50',
    options: (command) => withPageOptions(withFilterOptions(command, filters), 'builds'),
    async run(context, _arguments, options) {
      const application_id = await requireApplicationId(context)
      const client = context.client()
      const params = { application_id, ...filterParams(filters, options) }
      await printPage(context, options, {
        noun: 'builds',
        fetchPage: (page, per_page) =>
          client.listBuilds({ ...params, page, per_page }, { signal: context.signal }),
        headings: ['ID', 'VERSION', 'NUMBER', 'PLATFORM', 'STREAM', 'BRANCH', 'SIZE', 'CREATED'],
        row: (build) => [
          build.id,
          build.version,
          build.build_number,
          platformsOf(build),
          build.stream.name,
          formatBranch(build),
          build.size_total_string,
          formatTime(build.created_at),
        ],
      })
    },
  })
}

/** Returns the platforms of a build and of the others in its group, each once. */
const platformsOf = ({ platform, group }: ListBuildsResponse['data'][number]): string =>
  [
    ...new Set(
      [platform, ...(group?.builds ?? []).map((build) => build.platform)].map((each) => each.short_name),
    ),
  ].join(', ')
