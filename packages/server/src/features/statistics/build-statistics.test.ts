import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createRandom } from '../../../../../scripts/demo/random.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { avoidMidnight } from '../../../test/utc-day.ts'

const dayMs = 24 * 60 * 60 * 1000

type Generated = {
  id: string
  platform: string
  bytes: number
  created_at: string
  is_failed: boolean
  is_trashed: boolean
  duration: string | null
}

type GeneratedDownload = { build_id: string; channel: string; created_at: string }

/** Computes a percentile as PostgreSQL does, by interpolation between the two nearest values. */
function percentileOf(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return null
  const at = share * (sorted.length - 1)
  const low = sorted[Math.floor(at)] ?? 0
  const high = sorted[Math.ceil(at)] ?? 0
  return low + (high - low) * (at - Math.floor(at))
}

const people = ['console', 'share-link', 'distribution-group', 'portal']
const channels = [...people, 'api', 'feed']
const platforms = ['linux', 'windows', 'android']

function generate(count: number, days: number, seed: number) {
  const random = createRandom(String(seed))
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  const builds: Generated[] = []
  const downloads: GeneratedDownload[] = []
  for (let n = 0; n < count; n++) {
    const at = midnight - random.integer(0, days - 1) * dayMs + random.between(0, Date.now() - midnight)
    const id = `g${seed}x${String(n).padStart(5, '0')}`
    const minutes = random.integer(0, 58)
    builds.push({
      id,
      platform: random.pick(platforms),
      bytes: random.integer(0, 1e9 - 1),
      created_at: new Date(at).toISOString(),
      is_failed: random.chance(0.1),
      is_trashed: random.chance(0.1),
      duration: random.chance(0.5) ? null : `123:${String(minutes).padStart(2, '0')}:07`,
    })
    for (let times = random.integer(0, 4); times > 0; times--)
      downloads.push({
        build_id: id,
        channel: random.pick(channels),
        created_at: new Date(at + random.between(0, 5 * dayMs)).toISOString(),
      })
  }
  return { builds, downloads }
}

async function insertGenerated(
  { deps }: Service,
  { applicationId }: Tenant,
  data: ReturnType<typeof generate>,
) {
  const values = {
    builds: JSON.stringify(data.builds),
    downloads: JSON.stringify(data.downloads),
  }
  await sql`insert into application_platforms (application_id, platform)
    select ${applicationId}, platform from unnest(${platforms}::text[]) platform on conflict do nothing`.execute(
    deps.db,
  )
  await sql`
    insert into builds (id, workspace_id, application_id, build_structure, version_major, version_minor, version_patch,
      version_sort, platform, stream_id, size_total_bytes, build_source, created_at, processing, deleted_at,
      ci_build_duration)
    select one.id, builds.workspace_id, application_id, build_structure, version_major, version_minor, version_patch,
      version_sort, one.platform, stream_id, one.bytes, build_source, one.created_at,
      case when one.is_failed then 'failed' else 'none' end, case when one.is_trashed then now() end, one.duration
    from jsonb_to_recordset(${values.builds}::jsonb) as one(id text, platform text, bytes bigint, created_at timestamptz,
      is_failed boolean, is_trashed boolean, duration text), builds
    where builds.application_id = ${applicationId} and builds.id not like 'g%x%'`.execute(deps.db)
  await sql`
    insert into downloads (id, workspace_id, application_id, build_id, channel, created_at)
    select gen_random_uuid(), workspace_id, application_id, build_id, channel, one.created_at
    from jsonb_to_recordset(${values.downloads}::jsonb) as one(build_id text, channel text, created_at timestamptz)
      join builds on builds.id = build_id`.execute(deps.db)
}

/** Computes the statistics of a period from the generated rows, with at most `maxBuilds` builds. */
function expectedOf(data: ReturnType<typeof generate>, from: string, to: string, maxBuilds: number) {
  const inPart = data.builds.filter(({ created_at }) => {
    const day = created_at.slice(0, 10)
    return day >= from && day <= to
  })
  const kept = inPart.filter(({ is_trashed }) => !is_trashed)
  const sample = kept.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)).slice(0, maxBuilds)
  const waits = sample.flatMap(({ id, created_at }) => {
    const times = data.downloads
      .filter(({ build_id, channel }) => build_id === id && people.includes(channel))
      .map((download) => Date.parse(download.created_at))
    return times.length === 0 ? [] : [(Math.min(...times) - Date.parse(created_at)) / 1000]
  })
  const durations = sample.flatMap(({ duration }) => {
    const [hours = 0, minutes = 0, seconds = 0] = (duration ?? '').split(':').map(Number)
    return duration === null ? [] : [hours * 3600 + minutes * 60 + seconds]
  })
  const sizes = Object.fromEntries(
    platforms.map((platform) => {
      const sorted = sample
        .filter((build) => build.platform === platform)
        .map(({ bytes }) => bytes)
        .toSorted((a, b) => a - b)
      return [platform, sorted[Math.ceil(sorted.length / 2) - 1] ?? null]
    }),
  )
  return {
    uploads: inPart.length,
    failures: kept.filter(({ is_failed }) => is_failed).length,
    sample: sample.length,
    waits: [waits.length, percentileOf(waits, 0.5), percentileOf(waits, 0.9)],
    durations: [durations.length, percentileOf(durations, 0.5), percentileOf(durations, 0.9)],
    sizes,
  }
}

describe('build statistics', () => {
  let service: Service

  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  beforeEach(avoidMidnight)

  const statisticsOf = async ({ applicationId, applicationKey: key }: Tenant, query: string) => {
    const path = `/applications/${applicationId}/statistics/builds?${query}`
    const response = await service.call('GET', path, { key })
    assert.equal(response.status, 200, response.text)
    return response.body.data
  }

  const rounded = (values: readonly (number | null)[]) =>
    values.map((value) => (value === null ? null : Math.round(value * 10) / 10))

  test('equals figures computed from generated builds and downloads, per day and per week', async () => {
    const tenant = await service.tenant()
    const { build } = await uploadedBuild(service, tenant, { platform: 'linux' }, Buffer.alloc(10))
    const data = generate(700, 20, 1)
    await insertGenerated(service, tenant, data)
    await sql`delete from builds where id = ${build.id}`.execute(service.deps.db)
    for (const query of ['days=20', 'days=20&interval=week', 'days=9&interval=week', 'days=365']) {
      const found = await statisticsOf(tenant, query)
      assert.ok(found.periods.length > 1, query)
      for (const [index, { from, to }] of found.periods.entries()) {
        const expected = expectedOf(data, from, to, found.sample.max_builds)
        // The upload that the generated builds were copied from remains counted.
        const own = index === found.periods.length - 1 ? 1 : 0
        assert.equal(found.uploads[index], expected.uploads + own, `${query} ${from}`)
        assert.equal(found.failures[index], expected.failures)
        assert.equal(found.sample.builds[index], expected.sample)
        for (const [name, values] of [
          ['first_downloads', expected.waits],
          ['build_durations', expected.durations],
        ] as const) {
          const { builds, median_seconds, percentile_90_seconds } = found[name]
          assert.deepEqual(
            rounded([builds[index], median_seconds[index], percentile_90_seconds[index]]),
            rounded(values),
            `${query} ${from} ${name}`,
          )
        }
        for (const { platform, median_bytes } of found.sizes)
          assert.equal(median_bytes[index], expected.sizes[platform.identifier], `${query} ${from}`)
      }
    }
  })

  test('reads a limited number of builds per period, the newest ones first', async () => {
    const tenant = await service.tenant()
    await uploadedBuild(service, tenant, { platform: 'linux' }, Buffer.alloc(10))
    const data = generate(600, 1, 2)
    await insertGenerated(service, tenant, data)
    const { sample, first_downloads, uploads } = await statisticsOf(tenant, 'days=2')
    assert.deepEqual(sample, { max_builds: 500, builds: [0, 500] })
    assert.deepEqual(uploads, [0, 601])
    assert.ok(first_downloads.builds[1] > 0)
    const { periods, sample: smaller } = await statisticsOf(tenant, 'days=365&interval=day')
    assert.deepEqual([periods.length, smaller.max_builds], [365, 27])
  })

  test('returns no values for an application without builds', async () => {
    const tenant = await service.tenant()
    const { sizes, uploads, failures, first_downloads } = await statisticsOf(tenant, 'days=3')
    assert.deepEqual({ sizes, uploads, failures }, { sizes: [], uploads: [0, 0, 0], failures: [0, 0, 0] })
    assert.deepEqual(first_downloads.median_seconds, [null, null, null])
  })
})
