import { allItems } from '@quayside/sdk'
import type { Build, ListBuildsParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { integerBetween } from '../../option-parsers.ts'
import { formatTable } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { formatBranch } from './format-build.ts'

type Options = {
  stream?: string
  platform?: string
  label?: string
  search?: string
  sortBy: NonNullable<ListBuildsParams['sort_by']>
  sort: 'asc' | 'desc'
  page: number
  perPage: number
  all?: boolean
}

const sortFields = ['version', 'version_short', 'size_total_bytes', 'built_at', 'created_at']

export function addBuildsList(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'list',
    summary: 'list builds',
    example: 'quayside builds list --stream nightlies --platform android --per-page 50',
    options: (command) =>
      command
        .option('--stream <names>', 'only builds in these streams (comma-separated)')
        .option('--platform <slugs>', 'only builds for these platforms (comma-separated)')
        .option('--label <names>', 'only builds with these labels (comma-separated)')
        .option('--search <text>', 'search version, build number, notes, branch, commit and file name')
        .addOption(
          new Option('--sort-by <field>', 'field to sort by').choices(sortFields).default('created_at'),
        )
        .addOption(
          new Option('--sort <direction>', 'sort direction').choices(['asc', 'desc']).default('desc'),
        )
        .option('--page <number>', 'page number', integerBetween(1, 1_000_000), 1)
        .option('--per-page <number>', 'builds per page, up to 100', integerBetween(1, 100), 15)
        .option('--all', 'list all builds, not only one page'),
    async run(context, _arguments, options) {
      const application_id = await requireApplicationId(context)
      const client = context.client()
      const filter: ListBuildsParams = {
        application_id,
        sort_by: options.sortBy,
        sort: options.sort,
        ...(options.stream === undefined ? {} : { streams: options.stream }),
        ...(options.platform === undefined ? {} : { platforms: options.platform }),
        ...(options.label === undefined ? {} : { labels: options.label }),
        ...(options.search === undefined ? {} : { search: options.search }),
      }
      const fetchPage = (page: number, per_page: number) =>
        client.listBuilds({ ...filter, page, per_page }, { signal: context.signal })
      if (options.all === true) {
        const builds = await allItems((page) => fetchPage(page, 100))
        context.output.result(builds, () => formatBuilds(builds))
        return
      }
      const { data, pagination } = await fetchPage(options.page, options.perPage)
      context.output.result(data, () => formatBuilds(data))
      const { total, last_page, from, to } = pagination
      if (options.page > Math.max(last_page, 1))
        context.output.note(`Page ${options.page} is past the last page (${last_page}).`)
      else if (last_page > 1)
        context.output.note(
          `\nBuilds ${from} to ${to} of ${total}.${options.page < last_page ? ' Use --page or --all to see more.' : ''}`,
        )
    },
  })
}

function formatBuilds(builds: Build[]): string {
  if (builds.length === 0) return 'No builds found.'
  return formatTable(
    ['ID', 'VERSION', 'NUMBER', 'PLATFORM', 'STREAM', 'BRANCH', 'SIZE', 'CREATED'],
    builds.map((build) => [
      build.id,
      build.version,
      build.build_number,
      build.platform.short_name,
      build.stream.name,
      formatBranch(build),
      build.size_total_string,
      build.created_at.slice(0, 16).replace('T', ' '),
    ]),
  )
}
