import { createRandom } from './random.ts'
import { withClient } from './with-client.ts'

const daysShown = 45
const clientsPerChannel = 1_200
const checksPerClient = 6
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

type PublishedVersion = {
  channel_id: string
  formats: string[]
  version: string
  published_at: Date
  share: number
}

const platformsOfFormat: Readonly<Record<string, readonly (readonly [string, string, number])[]>> = {
  winsparkle: [
    ['windows', 'x64', 0.9],
    ['windows', 'arm64', 0.1],
  ],
  json: [
    ['linux', 'x64', 0.6],
    ['linux', 'arm64', 0.25],
    ['macos', 'arm64', 0.15],
  ],
}

/** Counts the checks and downloads of installed copies that move from each version to the next within some days. */
export function countChecks(databaseUrl: string, now: Date): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<PublishedVersion>(`
      select channels.id as channel_id, channels.formats, releases.published_at,
        releases.version_major || '.' || releases.version_minor || '.' || releases.version_patch as version,
        coalesce(rollouts.percentage, 100)::float8 / 100 as share
      from channels join releases on releases.application_id = channels.application_id
      left join rollouts on rollouts.channel_id = channels.id and rollouts.version =
        releases.version_major || '.' || releases.version_minor || '.' || releases.version_patch
      where releases.status = 'published' and releases.version_extra is null and channels.stream_id is null
      order by channels.id, releases.published_at`)
    const counts = [...Map.groupBy(rows, ({ channel_id }) => channel_id).values()].flatMap((versions) =>
      countsOf(versions, now),
    )
    await client.query(
      `insert into channel_requests (channel_id, version, day, format, platform, architecture, documents, unchanged, downloads)
      select channel_id, version, day, format, platform, architecture, documents, unchanged, downloads
      from jsonb_populate_recordset(null::channel_requests, $1::jsonb) on conflict do nothing`,
      [JSON.stringify(counts)],
    )
    await client.query(
      `insert into channel_health (channel_id, format, hour, requests, errors, last_request_at)
      select channel_id, format, date_trunc('hour', $1::timestamptz), sum(documents + unchanged) / 24, 0, $1::timestamptz
      from channel_requests where day = ($1::timestamptz at time zone 'UTC')::date group by 1, 2
      on conflict do nothing`,
      [now],
    )
  })
}

function countsOf(versions: readonly PublishedVersion[], now: Date): object[] {
  const random = createRandom(versions[0]?.version ?? '')
  const days = Array.from(
    { length: daysShown },
    (_, index) => new Date(now.getTime() - (daysShown - 1 - index) * dayMs),
  )
  return days.flatMap((day) =>
    sharesOn(versions, day).flatMap(({ version, share, updated }) =>
      version.formats.flatMap((format) =>
        (platformsOfFormat[format] ?? []).map(([platform, architecture, part]) => {
          const clients = (clientsPerChannel / version.formats.length) * part * random.between(0.9, 1.1)
          const downloads = Math.round(clients * updated)
          return {
            channel_id: version.channel_id,
            version: version.version,
            day: day.toISOString().slice(0, 10),
            format,
            platform,
            architecture,
            documents: downloads,
            unchanged: Math.round(clients * share * checksPerClient),
            downloads,
          }
        }),
      ),
    ),
  )
}

/** Half of the copies to which a version is offered have it after two days, and three in four after four days. */
const halfLifeDays = 2

/** Returns which share of the copies has each version on a day, and which share was updated to it on this day. */
function sharesOn(versions: readonly PublishedVersion[], day: Date) {
  const reached = ({ published_at, share }: PublishedVersion, at: number) => {
    const ageDays = (at - published_at.getTime()) / dayMs
    return ageDays < 0 ? 0 : share * (1 - 0.5 ** (ageDays / halfLifeDays))
  }
  let left = 1
  return versions
    .toReversed()
    .map((version) => {
      const isFirst = version === versions[0]
      const share = left * (isFirst ? 1 : reached(version, day.getTime()))
      const updated =
        left * Math.max(reached(version, day.getTime()) - reached(version, day.getTime() - dayMs), 0)
      left -= share
      return { version, share, updated }
    })
    .filter(({ share, version }) => share > 0.002 && version.published_at <= day)
}
