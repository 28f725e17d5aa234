import { allItems } from '@quayside/sdk'
import type { Build, ListBuildsParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { requireApplicationId } from '../../application-of.ts'
import type { World } from '../../command-context.ts'
import { wholeNumber } from '../../option-values.ts'
import { tableText } from '../../output/table.ts'
import { addVerb } from '../../verb.ts'
import { branchAndCommit } from './build-facts.ts'

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

const sortKeys = ['version', 'version_short', 'size_total_bytes', 'built_at', 'created_at']

export function addBuildsList(parent: Command, world: World): void {
  addVerb<Options>(parent, world, {
    usage: 'list',
    summary: 'list builds, the newest first',
    example: 'quayside builds list --stream nightlies --platform android --per-page 50',
    options: (command) =>
      command
        .option('--stream <names>', 'only these streams, with commas between')
        .option('--platform <slugs>', 'only these platforms, with commas between')
        .option('--label <names>', 'only these labels, with commas between')
        .option('--search <text>', 'part of version, build number, notes, branch, commit or file name')
        .addOption(new Option('--sort-by <key>', 'sort key').choices(sortKeys).default('created_at'))
        .addOption(new Option('--sort <direction>', 'direction').choices(['asc', 'desc']).default('desc'))
        .option('--page <number>', 'which page', wholeNumber(1, 1_000_000), 1)
        .option('--per-page <number>', 'builds on a page, at most 100', wholeNumber(1, 100), 15)
        .option('--all', 'every page'),
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
        context.output.result(builds, () => buildTable(builds))
        return
      }
      const { data, pagination } = await fetchPage(options.page, options.perPage)
      context.output.result(data, () => buildTable(data))
      const { total, last_page, from, to } = pagination
      if (last_page > 1)
        context.output.note(`\nBuilds ${from ?? 0} to ${to ?? 0} of ${total}; --page or --all for more.`)
    },
  })
}

function buildTable(builds: Build[]): string {
  if (builds.length === 0) return 'No builds.'
  return tableText(
    ['ID', 'VERSION', 'NUMBER', 'PLATFORM', 'STREAM', 'BRANCH', 'SIZE', 'CREATED'],
    builds.map((build) => [
      build.id,
      build.version,
      build.build_number,
      build.platform.short_name,
      build.stream.name,
      branchAndCommit(build),
      build.size_total_string,
      build.created_at.slice(0, 16).replace('T', ' '),
    ]),
  )
}
