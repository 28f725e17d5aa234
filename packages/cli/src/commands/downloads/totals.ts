import type { GetDownloadTotalsParams } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { filterParams, withFilterOptions } from '../../filter-options.ts'
import type { FilterOptions } from '../../filter-options.ts'
import { formatTable, formatTime } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { downloadFilters } from './download-filters.ts'

const groupings = [
  'person',
  'channel',
  'platform',
  'version',
  'build',
  'share_link',
  'distribution_group',
  'portal',
]

export function addDownloadsTotals(parent: Command, runtime: Runtime): void {
  const filters: FilterOptions<GetDownloadTotalsParams> = {
    ...downloadFilters(),
    by: new Option('--by <grouping>', 'what the downloads are grouped by')
      .choices(groupings)
      .default('channel'),
  }
  addCommand(parent, runtime, {
    usage: 'totals',
    summary: 'count downloads by person, version, platform or channel',
    result: 'getDownloadTotals',
    example: 'quayside downloads totals --by person --version 1.4.0',
    options: (command) => withFilterOptions(command, filters),
    async run(context, _arguments, options) {
      const application_id = await requireApplicationId(context)
      const { data } = await context
        .client()
        .getDownloadTotals({ application_id, ...filterParams(filters, options) }, { signal: context.signal })
      const { download_count: downloads, install_count: installs, groups, group_count: count } = data
      context.output.result(data, (columns) => {
        const summary = `Downloads: ${downloads}, of which ${installs} installs`
        if (groups.length === 0) return summary
        const rows = groups.map((group) => [
          group.name ?? group.value,
          group.download_count,
          group.install_count,
          formatTime(group.latest_at),
        ])
        return `${formatTable(['NAME', 'DOWNLOADS', 'INSTALLS', 'LATEST'], rows, columns)}\n\n${summary}`
      })
      if (count > groups.length) context.output.note(`The first ${groups.length} of ${count}.`)
    },
  })
}
