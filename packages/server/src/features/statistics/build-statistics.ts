import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { Platform } from '../platforms/platform.ts'
import { intervals, partAt, Parts, type Interval, type Part } from './build-periods.ts'
import type { BuildDay, BuildSample } from './build-statistics.db.ts'
import { sumOf } from './daily-series.ts'

const Counts = (description: string) => Type.Array(Type.Integer({ minimum: 0 }), { description })

const Durations = (counted: string, description: string) =>
  Type.Object(
    {
      builds: Counts(counted),
      median_seconds: Type.Array(Nullable(Type.Number({ minimum: 0 })), {
        description: '`null` for a period without such a build.',
      }),
      percentile_90_seconds: Type.Array(Nullable(Type.Number({ minimum: 0 }))),
    },
    { description },
  )

export const BuildStatistics = Type.Object(
  {
    interval: Type.Enum([...intervals]),
    periods: Parts,
    uploads: Counts('Uploaded builds per period, including builds that were deleted later.'),
    failures: Counts('Builds uploaded in each period whose metadata could not be read, excluding the trash.'),
    sample: Type.Object(
      {
        max_builds: Type.Integer({ minimum: 1, description: 'Maximum number of builds read per period.' }),
        builds: Counts('Builds read per period, the newest ones first.'),
      },
      { description: 'The builds from which sizes and durations are computed, excluding the trash.' },
    ),
    sizes: Type.Array(
      Type.Object({
        platform: Platform,
        builds: Type.Integer({ minimum: 1, description: 'Number of builds read.' }),
        median_bytes: Type.Array(Nullable(Type.Integer({ minimum: 0 })), {
          description: 'Median size per period; `null` for a period without a build of the platform.',
        }),
      }),
      { description: 'Sizes of the builds of each platform, most builds first.' },
    ),
    first_downloads: Durations(
      'Builds of each period that a person has downloaded.',
      'Time from the upload of a build to its first download in the console or through a share link, distribution group or portal.',
    ),
    build_durations: Durations(
      'Builds of each period with a duration.',
      'Durations of the CI builds, as reported with the upload.',
    ),
  },
  { title: 'BuildStatistics' },
)

type Found = {
  counts: readonly BuildDay[]
  samples: readonly BuildSample[]
  parts: readonly Part[]
  interval: Interval
  maxBuilds: number
}

export function buildStatistics({
  counts,
  samples,
  parts,
  interval,
  maxBuilds,
}: Found): Static<typeof BuildStatistics> {
  const all = new Map(
    samples.filter(({ platform }) => platform === null).map((sample) => [sample.position, sample]),
  )
  const perPart = <Value>(valueOf: (sample: BuildSample | undefined) => Value) =>
    parts.map((_, position) => valueOf(all.get(position)))
  return {
    interval,
    periods: [...parts],
    uploads: countsPerPart(counts, 'uploads', parts, interval),
    failures: countsPerPart(counts, 'failures', parts, interval),
    sample: { max_builds: maxBuilds, builds: perPart((sample) => sample?.builds ?? 0) },
    sizes: sizesByPlatform(samples, parts),
    first_downloads: {
      builds: perPart((sample) => sample?.downloaded ?? 0),
      median_seconds: perPart((sample) => seconds(sample?.download_seconds?.[0])),
      percentile_90_seconds: perPart((sample) => seconds(sample?.download_seconds?.[1])),
    },
    build_durations: {
      builds: perPart((sample) => sample?.timed ?? 0),
      median_seconds: perPart((sample) => seconds(sample?.build_seconds?.[0])),
      percentile_90_seconds: perPart((sample) => seconds(sample?.build_seconds?.[1])),
    },
  }
}

/** Rounds to milliseconds. A download before the upload is due to a change of the clock. */
const seconds = (value: number | undefined): number | null =>
  value === undefined ? null : Math.max(0, Math.round(value * 1000) / 1000)

function countsPerPart(
  days: readonly BuildDay[],
  wanted: BuildDay['kind'],
  parts: readonly Part[],
  interval: Interval,
): number[] {
  const counts = parts.map(() => 0)
  for (const { kind, days_ago, amount } of days) {
    if (kind !== wanted) continue
    const position = partAt(days_ago, parts, interval)
    counts[position] = (counts[position] ?? 0) + amount
  }
  return counts.map((count) => Math.max(0, count))
}

function sizesByPlatform(
  samples: readonly BuildSample[],
  parts: readonly Part[],
): Static<typeof BuildStatistics>['sizes'] {
  const byPlatform = Map.groupBy(samples, ({ platform }) => platform)
  return [...byPlatform]
    .flatMap(([platform, ofPlatform]) => {
      if (platform === null) return []
      const median = new Map(ofPlatform.map(({ position, median_bytes }) => [position, median_bytes]))
      return [
        {
          platform: platformResource(platform),
          builds: sumOf(ofPlatform.map(({ builds }) => builds)),
          median_bytes: parts.map((_, position) => median.get(position) ?? null),
        },
      ]
    })
    .toSorted((a, b) => b.builds - a.builds || (a.platform.identifier < b.platform.identifier ? -1 : 1))
}
