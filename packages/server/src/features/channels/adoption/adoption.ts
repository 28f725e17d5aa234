import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from '../../../http/endpoint/fields.ts'
import type { ClientSystem } from '../adapters/adapter.ts'
import { formatIds, type FormatId } from '../adapters/formats.ts'
import type { Processor } from '../adapters/published-files.ts'
import type { ClientRow, HealthRow, Period, VersionDay } from './adoption.db.ts'
import { other } from './client-facts.ts'

/** The versions that are listed one by one. */
const maxVersions = 20

const number = Type.Integer({ minimum: 0 })
const dayMs = 24 * 60 * 60 * 1000
const format = Nullable(
  Type.Enum([...formatIds], { description: '`null` for all formats that the channel does not serve.' }),
)

const VersionAdoption = Type.Object(
  {
    version: Nullable(
      Type.String({ description: 'The version of a client; `null` unless `kind` is `published`.' }),
    ),
    kind: Type.Enum(['published', 'other', 'unspecified'], {
      description: `\`published\`: a version that the channel publishes or has published. \`other\`: versions that it has never published, and those after the ${maxVersions} most frequent ones. \`unspecified\`: the client did not send its version.`,
    }),
    checks: number,
    counts: Type.Array(number, { description: 'Checks per day.' }),
    downloads: Type.Integer({ minimum: 0, description: 'Downloads of complete files of this version.' }),
  },
  { title: 'VersionAdoption' },
)

const ClientAdoption = Type.Object(
  {
    format,
    platform: Nullable(
      Type.Enum(['macos', 'windows', 'linux', 'android', 'ios'], {
        description: '`null` if the requests do not name it.',
      }),
    ),
    architecture: Nullable(
      Type.Enum(['x64', 'x86', 'arm64', 'armv7'], { description: '`null` if the requests do not name it.' }),
    ),
    checks: number,
    documents: Type.Integer({ minimum: 0, description: 'Checks that were answered with a document.' }),
    no_updates: Type.Integer({ minimum: 0, description: 'Checks that were answered with 204: no update.' }),
    unchanged: Type.Integer({
      minimum: 0,
      description: 'Checks that were answered with 304: the client already has the document.',
    }),
    errors: number,
    downloads: number,
  },
  { title: 'ClientAdoption' },
)

const FormatHealth = Type.Object(
  {
    format,
    last_request_at: Nullable(Timestamp),
    last_error: Nullable(
      Type.Object({
        at: Timestamp,
        status: Type.Integer(),
        path: Type.String({
          description:
            'Path below the format, without read keys. `{version}` and `*` replace what the service does not know.',
        }),
      }),
    ),
    requests_last_24_hours: Type.Integer({ minimum: 0, description: 'Including requests of files.' }),
    errors_last_24_hours: number,
  },
  { title: 'FormatHealth' },
)

export const ChannelAdoption = Type.Object(
  {
    days: Type.Array(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-21'] }), {
      description: 'The days in UTC, oldest first.',
    }),
    checks: Type.Integer({ minimum: 0, description: 'Number in the period.' }),
    versions: Type.Array(VersionAdoption, {
      description: 'Checks by the version of the client, most first, followed by `other` and `unspecified`.',
    }),
    clients: Type.Array(ClientAdoption, {
      description: 'Checks by format, platform and architecture, most first.',
    }),
    health: Type.Array(FormatHealth, { description: 'The state of each format of the channel.' }),
  },
  { title: 'ChannelAdoption' },
)

type Rows = {
  versionDays: readonly VersionDay[]
  clients: readonly ClientRow[]
  health: readonly HealthRow[]
}

export function channelAdoption(
  { versionDays, clients, health }: Rows,
  formats: readonly string[],
  period: Period,
): Static<typeof ChannelAdoption> {
  const days = listDays(period)
  return {
    days,
    checks: sum(versionDays.map(({ checks }) => checks)),
    versions: describeVersions(versionDays, days),
    clients: clients.map(describeClient),
    health: describeHealth(health, formats),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** Returns the days of a period, oldest first. */
const listDays = ({ today, days }: Period): string[] =>
  Array.from({ length: days }, (_, index) =>
    new Date(Date.parse(today) - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  )

type Kind = Static<typeof VersionAdoption>['kind']

function describeVersions(
  rows: readonly VersionDay[],
  days: readonly string[],
): Static<typeof VersionAdoption>[] {
  const published = Map.groupBy(
    rows.filter(({ version }) => version !== '' && version !== other),
    ({ version }) => version,
  )
  const byChecks = [...published]
    .map(([version, ofVersion]) => describe({ version, kind: 'published' }, ofVersion, days))
    .toSorted((a, b) => b.checks - a.checks || b.downloads - a.downloads)
  const shown = new Set(byChecks.slice(0, maxVersions).map(({ version }) => version))
  const rest: [Kind, VersionDay[]][] = [
    ['other', rows.filter(({ version }) => version !== '' && !shown.has(version))],
    ['unspecified', rows.filter(({ version }) => version === '')],
  ]
  return [
    ...byChecks.slice(0, maxVersions),
    ...rest
      .filter(([, ofKind]) => ofKind.length > 0)
      .map(([kind, ofKind]) => describe({ version: null, kind }, ofKind, days)),
  ]
}

function describe(
  named: { version: string | null; kind: Kind },
  rows: readonly VersionDay[],
  days: readonly string[],
): Static<typeof VersionAdoption> {
  const counts = days.map(() => 0)
  for (const { days_ago, checks } of rows) {
    const position = counts.length - 1 - days_ago
    counts[position] = (counts[position] ?? 0) + checks
  }
  return { ...named, checks: sum(counts), counts, downloads: sum(rows.map(({ downloads }) => downloads)) }
}

const formatOf = (text: string): FormatId | null => formatIds.find((id) => id === text) ?? null

const describeClient = ({
  format: id,
  platform,
  architecture,
  ...numbers
}: ClientRow): Static<typeof ClientAdoption> => ({
  format: formatOf(id),
  platform: platform === '' ? null : (platform as ClientSystem),
  architecture: architecture === '' ? null : (architecture as Processor),
  checks: numbers.documents + numbers.no_updates + numbers.unchanged,
  ...numbers,
})

/** Lists every format of the channel, and requests of others at the end. */
function describeHealth(
  rows: readonly HealthRow[],
  formats: readonly string[],
): Static<typeof FormatHealth>[] {
  const byFormat = new Map(rows.map((row) => [row.format, row]))
  return [...formats, ...(byFormat.has(other) ? [other] : [])].map((id) => {
    const row = byFormat.get(id)
    return {
      format: formatOf(id),
      last_request_at: row?.last_request_at ?? null,
      last_error:
        row === undefined || row.last_error_at === null
          ? null
          : { at: row.last_error_at, status: row.last_error_status ?? 0, path: row.last_error_path ?? '' },
      requests_last_24_hours: row?.requests ?? 0,
      errors_last_24_hours: row?.errors ?? 0,
    }
  })
}
