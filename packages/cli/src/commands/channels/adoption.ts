import type { ChannelAdoption, FormatHealth, VersionAdoption } from '@quayside/sdk'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { integerBetween } from '../../option-parsers.ts'
import { formatTable, formatTime } from '../../output/format.ts'
import { requireChannelParams } from './select-channel.ts'

type Options = { days: number }

export function addChannelsAdoption(parent: Command, runtime: Runtime): void {
  addCommand<Options>(parent, runtime, {
    usage: 'adoption <channel>',
    summary: 'show which versions clients have, and the health of each format',
    description:
      'Show how often clients checked for updates, by version, platform and format, and how each format is answered. Clients are not identified, so the numbers are checks, not installations.',
    result: 'getChannelAdoption',
    example: 'quayside channels adoption Stable --days 7',
    options: (command) =>
      command.option('--days <number>', 'number of days, up to 90', integerBetween(1, 90), 30),
    async run(context, [selected = ''], { days }) {
      const params = await requireChannelParams(context, selected)
      const { data } = await context
        .client()
        .getChannelAdoption({ ...params, days }, { signal: context.signal })
      context.output.result(data, (columns) => formatAdoption(data, columns))
    },
  })
}

const kindTexts = { published: '', other: 'other versions', unspecified: 'not sent' } as const

const formatAdoption = (adoption: ChannelAdoption, columns: number | undefined): string =>
  [
    ...(adoption.checks === 0
      ? [`No checks in the last ${adoption.days.length} days.`]
      : [formatVersions(adoption, columns), formatClients(adoption, columns)]),
    formatHealth(adoption.health, columns),
  ].join('\n\n')

const formatVersions = ({ versions, checks }: ChannelAdoption, columns: number | undefined): string =>
  formatTable(
    ['VERSION', 'CHECKS', 'SHARE', 'DOWNLOADS'],
    versions.map((each) => [nameOf(each), each.checks, shareOf(each.checks, checks), each.downloads]),
    columns,
  )

const nameOf = ({ version, kind }: VersionAdoption): string => version ?? kindTexts[kind]

const shareOf = (part: number, total: number): string =>
  total === 0 ? '' : `${((part / total) * 100).toFixed(1)} %`

const formatClients = ({ clients }: ChannelAdoption, columns: number | undefined): string =>
  formatTable(
    [
      'FORMAT',
      'PLATFORM',
      'ARCHITECTURE',
      'CHECKS',
      'DOCUMENTS',
      'NO UPDATE',
      'UNCHANGED',
      'ERRORS',
      'DOWNLOADS',
    ],
    clients.map((each) => [
      each.format ?? 'other',
      each.platform ?? 'not sent',
      each.architecture ?? 'not sent',
      each.checks,
      each.documents,
      each.no_updates,
      each.unchanged,
      each.errors,
      each.downloads,
    ]),
    columns,
  )

const formatHealth = (health: readonly FormatHealth[], columns: number | undefined): string =>
  formatTable(
    ['FORMAT', 'LAST REQUEST', 'REQUESTS (24 H)', 'ERRORS (24 H)', 'LAST ERROR'],
    health.map(({ format, last_request_at: last, last_error: error, ...each }) => [
      format ?? 'other',
      last === null ? 'never' : formatTime(last),
      each.requests_last_24_hours,
      each.errors_last_24_hours,
      error === null ? '' : `${error.status} ${error.path}, ${formatTime(error.at)}`,
    ]),
    columns,
  )
