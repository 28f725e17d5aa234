import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { channelCalls, offers, readFeed } from '../../../../test/channels.ts'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { startTwoNodes } from '../../../../test/two-nodes.ts'
import { until } from '../../../../test/until.ts'
import { hostileTexts } from '../adapters/samples/hostile-texts.fixture.ts'
import { deleteSomeOldCounts } from './adoption.db.ts'
import type { ChannelAdoption } from './adoption.ts'
import { createRequestCounts, type CountedRequest } from './request-counts.ts'

type Adoption = Static<typeof ChannelAdoption>

let first: Service
let second: Service
let close: () => Promise<void>
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>

before(async () => {
  ;({ first, second, close } = await startTwoNodes())
})
after(() => close())

/** Starts each test with an application and a channel of its own, which publishes 1.0.0 and 2.0.0. */
async function newChannel(fields: object = {}): Promise<{ id: string; url: string }> {
  tenant = await first.tenant({ platforms: ['linux', 'macos'] })
  calls = channelCalls(first, tenant)
  const channel = await calls.createChannel({ stream: 'default', formats: ['json', 'hazel'], ...fields })
  for (const major of [1, 2]) await calls.uploadHarbor(major)
  return channel
}

async function readAdoption(channelId: string, query = ''): Promise<Adoption> {
  const { status, body, text } = await calls.send('GET', `/channels/${channelId}/adoption${query}`)
  assert.equal(status, 200, text)
  return body.data
}

async function untilAdoption(
  channelId: string,
  isExpected: (adoption: Adoption) => boolean,
): Promise<Adoption> {
  let adoption = await readAdoption(channelId)
  await until('the counts are saved', async () => {
    adoption = await readAdoption(channelId)
    return isExpected(adoption)
  })
  return adoption
}

const versionsOf = ({ versions }: Adoption) =>
  versions.map(({ version, kind, checks, downloads }) => [version ?? kind, checks, downloads])

test('counts the checks of both nodes by version, platform and response', async () => {
  const channel = await newChannel()
  const urls = [first, second].map(({ url }) => `${url}/u/${channel.id}`)
  const empty = await readAdoption(channel.id)
  assert.deepEqual([empty.checks, empty.versions, empty.clients, empty.days.length], [0, [], [], 30])
  assert.deepEqual(
    empty.health.map(({ format, last_request_at, last_error }) => [format, last_request_at, last_error]),
    [
      ['json', null, null],
      ['hazel', null, null],
    ],
  )
  for (const url of urls) await calls.readUntil(`${url}/json/latest.json`, offers('2.0.0'))
  const before = await untilAdoption(channel.id, ({ checks }) => checks >= 2)
  const unspecified = before.checks

  for (const url of urls) {
    const latest = `${url}/json/latest.json?platform=linux&arch=x64`
    const document = await readFeed(`${latest}&version=1.0.0`)
    const etag = document.headers.get('etag') ?? ''
    assert.equal((await readFeed(`${latest}&version=1.0.0`, { 'if-none-match': etag })).status, 304)
    assert.equal((await readFeed(`${latest}&version=2.0.0`)).status, 204)
    assert.equal((await readFeed(`${latest}&version=9.9.9`)).status, 204)
    const [file] = JSON.parse(document.text).files
    assert.equal((await readFeed(file.url.replace(/^.*\/u\/\w+/, url))).status, 302)
    // A part of a file is not a download.
    assert.equal((await readFeed(file.url, { range: 'bytes=2-3' })).status, 302)
  }
  const adoption = await untilAdoption(channel.id, ({ versions }) =>
    versions.some((each) => each.downloads === 2),
  )
  assert.deepEqual(versionsOf(adoption), [
    ['1.0.0', 4, 0],
    ['2.0.0', 2, 2],
    ['other', 2, 0],
    ['unspecified', unspecified, 0],
  ])
  assert.equal(adoption.versions[0]?.counts.at(-1), 4)
  const linux = adoption.clients.find(({ platform }) => platform === 'linux')
  assert.deepEqual(linux, {
    format: 'json',
    platform: 'linux',
    architecture: 'x64',
    checks: 8,
    documents: 2,
    no_updates: 4,
    unchanged: 2,
    errors: 0,
    downloads: 0,
  })
  assert.equal((await readAdoption(channel.id, '?days=7')).days.length, 7)
  assert.equal((await calls.send('GET', `/channels/${channel.id}/adoption?days=91`)).status, 422)
})

test('reports the last error of a format without keys', async () => {
  const channel = await newChannel({ access: 'read_keys' })
  const created = await calls.send('POST', `/channels/${channel.id}/read-keys`, { name: 'Acme' })
  const { key } = created.body.data as { key: string }
  await calls.readUntil(`${channel.url}/k/${key}/json/latest.json`, offers('2.0.0'))
  // Clients that are configured incorrectly send the key anywhere.
  for (const path of [
    `json/k/${key}/latest.json?key=${key}`,
    `k/${key}/json/${key}.json`,
    `k/${key}/hazel/update/${key}/1.0.0`,
    `k/${key}/${key}/latest.json`,
    `k/${key}/unknown/latest.json?version=${key}&platform=${key}`,
  ])
    assert.ok(
      [401, 404].includes((await readFeed(`${channel.url}/${path}`, { 'user-agent': `x/${key}` })).status),
    )
  const { health } = await untilAdoption(channel.id, (adoption) => adoption.health.length === 3)
  const errors = Object.fromEntries(
    health.map(({ format, last_error: error }) => [format, [error?.status, error?.path]]),
  )
  assert.deepEqual(errors, {
    json: [404, '*.json'],
    hazel: [404, 'update/*/{version}'],
    null: [404, '*/latest.json'],
  })
  const [json] = health
  assert.equal(json?.errors_last_24_hours, 2)
  assert.ok((json?.requests_last_24_hours ?? 0) >= 3)
  for (const table of ['channel_requests', 'channel_health', 'rollout_reports']) {
    const { rows } = await sql.raw(`select to_jsonb(t)::text as row from ${table} t`).execute(first.deps.db)
    for (const { row } of rows as { row: string }[]) {
      assert.ok(!row.includes(key.slice(4)), row)
      assert.doesNotMatch(row, /127\.0\.0\.1|::1/)
    }
  }
})

test('counts hostile versions and formats in few rows', async () => {
  const channel = await newChannel()
  await calls.readUntil(`${channel.url}/json/latest.json`, offers('2.0.0'))
  for (const text of hostileTexts) {
    const encoded = encodeURIComponent(text.toWellFormed())
    await readFeed(`${channel.url}/json/latest.json?version=${encoded}&platform=${encoded}&arch=${encoded}`)
    await readFeed(`${channel.url}/${encoded}/latest.json?version=1.0.0`)
    await readFeed(`${channel.url}/hazel/update/${encoded}/${encoded}`)
  }
  const adoption = await untilAdoption(channel.id, ({ health }) => health.length === 3)
  await untilAdoption(channel.id, ({ clients }) => clients.some(({ errors }) => errors > 40))
  assert.ok(adoption.versions.every(({ kind, version }) => kind !== 'published' || version === '1.0.0'))
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from channel_requests where channel_id = ${channel.id}`.execute(first.deps.db)
  assert.ok((rows[0]?.count ?? 0) < 12, `${rows[0]?.count} rows`)
})

test('limits the rows of a day, keeps counts while they cannot be saved, and drops those of deleted channels', async () => {
  const channel = await newChannel()
  let now = new Date('2026-11-20T23:59:59Z')
  let isFailing = true
  const { db, log } = first.deps
  const failingDb = new Proxy(db, {
    get: (target, name, receiver) => {
      if (isFailing) throw new Error('no connection')
      const value: unknown = Reflect.get(target, name, receiver)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const counts = createRequestCounts({ db: failingDb, log, clock: { ...first.deps.clock, now: () => now } })
  const request: CountedRequest = {
    channelId: channel.id,
    format: 'json',
    version: '1.0.0',
    platform: 'linux',
    architecture: '',
    outcome: 'documents',
  }
  for (let number = 0; number < 3_000; number++) counts.count({ ...request, version: `${number}.0.0` })
  counts.count({ ...request, channelId: 'notachanne' })
  await counts.save()
  now = new Date('2026-11-21T00:00:01Z')
  counts.count({ ...request, outcome: 'errors', error: { status: 404, path: 'latest.json' } })
  isFailing = false
  await counts.close()
  const { rows } = await sql<{ day: string; rows: number; documents: number }>`
    select day::text, count(*) as rows, sum(documents)::int as documents from channel_requests
    where channel_id = ${channel.id} group by day order by day`.execute(db)
  assert.deepEqual(rows, [
    { day: '2026-11-20', rows: 1_001, documents: 3_000 },
    { day: '2026-11-21', rows: 1, documents: 0 },
  ])
  await sql`update channel_requests set day = utc_day(now()) - 91 where channel_id = ${channel.id}
    and day = '2026-11-20'`.execute(db)
  await sql`update channel_health set hour = now() - interval '91 days' where channel_id = ${channel.id}
    and hour < '2026-11-21'`.execute(db)
  assert.equal(await deleteSomeOldCounts(db, 90, 5_000), 1_002)
  assert.equal(await deleteSomeOldCounts(db, 90, 5_000), 0)
  assert.equal((await calls.send('DELETE', `/channels/${channel.id}`)).status, 200)
})

test('counts a version that is no longer published by its name', async () => {
  const channel = await newChannel()
  const latest = `${channel.url}/json/latest.json?version=1.0.0`
  await calls.readUntil(latest, offers('2.0.0'))
  await untilAdoption(channel.id, ({ versions }) => versions.some(({ version }) => version === '1.0.0'))
  const { body } = await calls.send('GET', '/builds')
  const build = body.data.find(({ version }: { version: string }) => version === '1.0.0')
  assert.equal((await calls.send('DELETE', `/builds/${build.id}`)).status, 200)
  const third = await startOwnService({ state: first.state })
  try {
    await readFeed(`${third.url}/u/${channel.id}/json/latest.json?version=1.0.0`)
  } finally {
    // Counts are saved when a node stops.
    await third.stop()
  }
  const [version] = (await readAdoption(channel.id)).versions
  assert.equal(version?.version, '1.0.0')
  assert.ok((version?.checks ?? 0) >= 2)
})
