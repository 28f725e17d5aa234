import type { ListBuildsParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { parseTimestamp } from '../../option-parsers.ts'
import { formatTime } from '../../output/format.ts'
import { printPage, withPageOptions } from '../../page-options.ts'
import type { PageOptions } from '../../page-options.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatBranch } from './format-build.ts'

type Options = PageOptions & {
  stream?: string
  platform?: string
  label?: string
  architecture?: string
  branch?: string
  source?: string
  customTarget?: string
  search?: string
  createdAfter?: string
  createdBefore?: string
  kept?: boolean
  trashed?: boolean
  sortBy: NonNullable<ListBuildsParams['sort_by']>
  sort: 'asc' | 'desc'
}

const sortFields = ['version', 'version_short', 'size_total_bytes', 'built_at', 'created_at']

export function addBuildsList(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'list',
    summary: 'list builds',
    example: 'quayside builds list --stream nightlies --platform android --per-page 50',
    options: (command) =>
      withPageOptions(
        command
          .option('--stream <names>', 'only builds in these streams (comma-separated)')
          .option('--platform <slugs>', 'only builds for these platforms (comma-separated)')
          .option('--label <names>', 'only builds with these labels (comma-separated)')
          .option('--architecture <ids>', 'only builds for these architectures (comma-separated)')
          .option('--branch <names>', 'only builds from these branches (comma-separated)')
          .option('--source <slugs>', 'only builds from these upload sources (comma-separated)')
          .option('--custom-target <names>', 'only builds for these custom targets (comma-separated)')
          .option('--search <text>', 'search version, build number, notes, branch, commit and file name')
          .option('--created-after <time>', 'only builds created at or after this time', parseTimestamp)
          .option('--created-before <time>', 'only builds created before this time', parseTimestamp)
          .option('--kept', 'only builds that are exempt from retention')
          .option('--trashed', 'list the builds in the trash')
          .addOption(
            new Option('--sort-by <field>', 'field to sort by').choices(sortFields).default('created_at'),
          )
          .addOption(
            new Option('--sort <direction>', 'sort direction').choices(['asc', 'desc']).default('desc'),
          ),
        'builds',
      ),
    async run(context, _arguments, options) {
      const application_id = await requireApplicationId(context)
      const client = context.client()
      const filter: ListBuildsParams = {
        application_id,
        sort_by: options.sortBy,
        sort: options.sort,
      }
      if (options.stream !== undefined) filter.streams = options.stream
      if (options.platform !== undefined) filter.platforms = options.platform
      if (options.label !== undefined) filter.labels = options.label
      if (options.architecture !== undefined) filter.architectures = options.architecture
      if (options.branch !== undefined) filter.branches = options.branch
      if (options.source !== undefined) filter.sources = options.source
      if (options.customTarget !== undefined) filter.custom_targets = options.customTarget
      if (options.search !== undefined) filter.search = options.search
      if (options.createdAfter !== undefined) filter.created_after = options.createdAfter
      if (options.createdBefore !== undefined) filter.created_before = options.createdBefore
      if (options.kept !== undefined) filter.kept = options.kept
      if (options.trashed !== undefined) filter.trashed = options.trashed
      await printPage(context, options, {
        noun: 'builds',
        fetchPage: (page, per_page) =>
          client.listBuilds({ ...filter, page, per_page }, { signal: context.signal }),
        headings: ['ID', 'VERSION', 'NUMBER', 'PLATFORM', 'STREAM', 'BRANCH', 'SIZE', 'CREATED'],
        row: (build) => [
          build.id,
          build.version,
          build.build_number,
          build.platform.short_name,
          build.stream.name,
          formatBranch(build),
          build.size_total_string,
          formatTime(build.created_at),
        ],
      })
    },
  })
}
