import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { versionOf } from '../../http/endpoint/version-parts.ts'
import { formatVersion } from '../../lib/semver.ts'
import type { AdoptionDay, AdoptionShares, PublishedRelease } from './release-adoption.db.ts'

export const shareDays = 30

const number = Type.Integer({ minimum: 0 })
const perDay = (description: string) => Type.Array(number, { description })

const AdoptedRelease = Type.Object(
  {
    id: Type.String(),
    version: Type.String(),
    published_at: Timestamp,
    download_counts: perDay('Downloads per day, including installs.'),
    install_counts: perDay('Installs per day.'),
    check_counts: perDay('Checks for updates per day by clients that have this version.'),
  },
  { title: 'AdoptedRelease' },
)

export const ReleaseAdoption = Type.Object(
  {
    release: Nullable(AdoptedRelease),
    previous: Nullable(AdoptedRelease),
    tester_count: Type.Integer({
      minimum: 0,
      description: `Number of people who downloaded a build of the application within the last ${shareDays} days.`,
    }),
    testers_on_release: Type.Integer({
      minimum: 0,
      description: 'Number of these people whose latest download is of this release.',
    }),
    check_count: Type.Integer({
      minimum: 0,
      description: `Number of checks for updates of the application within the last ${shareDays} days.`,
    }),
    checks_on_release: Type.Integer({
      minimum: 0,
      description: 'Number of these checks by clients that have the version of this release.',
    }),
  },
  { title: 'ReleaseAdoption' },
)

type Rows = {
  release: PublishedRelease | undefined
  previous: PublishedRelease | undefined
  rows: readonly AdoptionDay[]
  shares: AdoptionShares
}

/** Returns the daily values of both releases from their publication up to today, in at most `days` days. */
export function releaseAdoption(
  { release, previous, rows, shares }: Rows,
  { now, days }: { now: Date; days: number },
): Static<typeof ReleaseAdoption> {
  const resource = (one: PublishedRelease | undefined) =>
    one === undefined ? null : adoptedRelease(one, rows, Math.min(days, daysSince(one.published_at, now)))
  return {
    release: resource(release),
    previous: resource(previous),
    ...shares,
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** Returns the number of days in UTC from a time up to and including today. */
const daysSince = (time: string, now: Date): number =>
  Math.max(1, Math.floor(now.getTime() / dayMs) - Math.floor(Date.parse(time) / dayMs) + 1)

function adoptedRelease(
  { id, published_at, ...columns }: PublishedRelease,
  rows: readonly AdoptionDay[],
  length: number,
): Static<typeof AdoptedRelease> {
  const byDay = new Map(rows.filter(({ release_id }) => release_id === id).map((row) => [row.day, row]))
  const valuesOf = (column: 'downloads' | 'installs' | 'checks') =>
    Array.from({ length }, (_, day) => byDay.get(day)?.[column] ?? 0)
  return {
    id,
    version: formatVersion(versionOf(columns)),
    published_at,
    download_counts: valuesOf('downloads'),
    install_counts: valuesOf('installs'),
    check_counts: valuesOf('checks'),
  }
}
