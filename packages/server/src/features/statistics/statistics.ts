import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { channels } from '../builds/files/download.ts'
import { Platform } from '../platforms/platform.ts'
import { bytesPerDay, countsPerDay, DailyBytes, DailyCounts, Days, daysOf, sumOf } from './daily-series.ts'
import type {
  listByteChanges,
  listDailyCounts,
  listDailyDownloadsByVersion,
  Period,
} from './statistics.db.ts'
import { StorageForecast, storageForecast } from './storage-forecast.ts'

const total = Type.Integer({ minimum: 0 })

const CountsByPlatform = Type.Object(
  {
    total,
    by_platform: Type.Array(Type.Object({ platform: Platform, total, counts: DailyCounts }), {
      description: 'Platforms with at least one, most first.',
    }),
  },
  { title: 'CountsByPlatform' },
)

const CountsOfBytes = (description: string) => Type.Object({ total, counts: DailyCounts }, { description })

export const ApplicationStatistics = Type.Object(
  {
    days: Days,
    uploads: CountsByPlatform,
    upload_bytes: Type.Object({
      sent: CountsOfBytes('Bytes of builds that were sent.'),
      reused: CountsOfBytes('Bytes that uploads took from earlier builds.'),
    }),
    downloads: CountsByPlatform,
    versions: Type.Array(
      Type.Object({
        version: Nullable(
          Type.String({ description: 'Full semantic version; `null` for all other versions together.' }),
        ),
        total,
        counts: DailyCounts,
      }),
      { description: 'Downloads of the eight most downloaded versions, most first, and of all others.' },
    ),
    channels: Type.Array(Type.Object({ channel: Type.Enum([...channels]), total, counts: DailyCounts }), {
      description: 'Downloads by channel, most first.',
    }),
    storage: Type.Object({
      stored_bytes: Type.Integer({ minimum: 0, description: 'Bytes stored now.' }),
      by_stream: Type.Array(
        Type.Object({
          stream: Nullable(
            Type.Object(
              { id: Type.String(), name: Type.String() },
              { description: '`null` for all deleted streams together.' },
            ),
          ),
          bytes: DailyBytes,
        }),
      ),
      forecast: StorageForecast,
    }),
  },
  { title: 'ApplicationStatistics' },
)

type Rows = {
  counts: Awaited<ReturnType<typeof listDailyCounts>>
  versions: Awaited<ReturnType<typeof listDailyDownloadsByVersion>>
  byteChanges: Awaited<ReturnType<typeof listByteChanges>>
}

export function applicationStatistics(
  { counts, versions, byteChanges }: Rows,
  period: Period,
): Static<typeof ApplicationStatistics> {
  const ofKind = (wanted: CountRow['kind']) => counts.filter(({ kind }) => kind === wanted)
  const downloads = ofKind('downloads')
  const byStream = seriesOf(byteChanges, ({ stream }) => stream?.id)
    .map(([{ stream }, changes]) => ({ stream, bytes: bytesPerDay(changes, period) }))
    .filter(({ bytes }) => sumOf(bytes) > 0)
  return {
    days: daysOf(period),
    uploads: countsByPlatform(ofKind('uploads'), period),
    upload_bytes: {
      sent: countsOf(ofKind('sent_bytes'), period),
      reused: countsOf(ofKind('reused_bytes'), period),
    },
    downloads: countsByPlatform(downloads, period),
    versions: seriesOf(versions, ({ version }) => version)
      .map(([{ version }, rows]) => ({ version, ...countsOf(rows, period) }))
      .toSorted((a, b) => Number(a.version === null) - Number(b.version === null) || b.total - a.total),
    channels: countsBy(downloads, period, ({ channel }) => channel as (typeof channels)[number]).map(
      ([channel, series]) => ({ channel, ...series }),
    ),
    storage: {
      stored_bytes: sumOf(byStream.map(({ bytes }) => bytes.at(-1) ?? 0)),
      by_stream: byStream,
      forecast: storageForecast(bytesPerDay(byteChanges, period), period.today),
    },
  }
}

type CountRow = Rows['counts'][number]

function countsByPlatform(rows: readonly CountRow[], period: Period): Static<typeof CountsByPlatform> {
  const series = countsBy(rows, period, ({ platform }) => platform ?? '')
  return {
    total: sumOf(series.map(([, one]) => one.total)),
    by_platform: series.map(([slug, one]) => ({ platform: platformResource(slug), ...one })),
  }
}

/** Returns the counts of each value, those with the highest total first. */
const countsBy = <Value extends string>(
  rows: readonly CountRow[],
  period: Period,
  valueOf: (row: CountRow) => Value,
) =>
  [...Map.groupBy(rows, valueOf)]
    .map(([value, group]) => [value, countsOf(group, period)] as const)
    .filter(([, series]) => series.total > 0)
    .toSorted(([a, one], [b, other]) => other.total - one.total || (a < b ? -1 : 1))

function countsOf(rows: readonly { days_ago: number; amount: number }[], period: Period) {
  const counts = countsPerDay(rows, period)
  return { total: sumOf(counts), counts }
}

/** Groups rows by key, in order of their first row. Each group comes with its first row. */
const seriesOf = <Row>(rows: readonly Row[], keyOf: (row: Row) => unknown): [Row, Row[]][] =>
  [...Map.groupBy(rows, keyOf).values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [[first, group] satisfies [Row, Row[]]]
  })
