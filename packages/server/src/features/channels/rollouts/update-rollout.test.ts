import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { channelCalls, offers, readFeed, versionIn } from '../../../../test/channels.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Starts each test with an application of its own. */
async function newApplication(): Promise<void> {
  tenant = await service.tenant({ platforms: ['linux', 'macos', 'windows'] })
  calls = channelCalls(service, tenant)
}

const bytes = Buffer.from('a file')

test('moves a rollout, and refuses to grow one that is paused', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default' })
  const path = `/channels/${channel.id}/rollout`
  const move = (fields: object) => calls.send('PATCH', path, { version: '2.0.0', ...fields })
  assert.equal((await move({ percentage: 20, cohorts: ['testers'] })).body.data.is_published, false)
  await calls.uploadVersion([1, 0, 0], { filename: 'harbor-1.tar.gz', bytes })
  await calls.uploadVersion([2, 0, 0], { filename: 'harbor-2.tar.gz', bytes })
  const latest = `${channel.url}/json/latest.json`
  await calls.readUntil(`${latest}?cohort=testers`, offers('2.0.0'))
  assert.equal(versionIn(await readFeed(latest)), '1.0.0')
  const ids = Array.from({ length: 100 }, (_, index) => `client-${index}`)
  const offered = async () => {
    const versions = await Promise.all(
      ids.map(async (id) => versionIn(await readFeed(`${latest}?client=${id}`))),
    )
    return new Set(ids.filter((_, index) => versions[index] === '2.0.0'))
  }
  const first = await offered()
  assert.ok(first.size > 5 && first.size < 40, `${first.size}`)
  assert.equal((await move({ state: 'paused' })).body.data.percentage, 20)
  const refused = await move({ percentage: 50 })
  assert.equal(refused.body.code, 'rollout.paused', refused.text)
  assert.equal((await move({ state: 'active', percentage: 60 })).status, 200)
  await calls.readUntil(latest, offers('1.0.0'))
  await untilGrown(offered, first)
  const growing = await move({ complete_at: '2099-01-01T00:00:00Z' })
  assert.equal(growing.body.data.complete_at, '2099-01-01T00:00:00.000000Z')
  assert.equal((await move({ complete_at: 'tomorrow' })).status, 422)
  assert.equal((await move({ version: 'x' })).status, 422)
  assert.equal((await move({ percentage: 101 })).status, 422)
  assert.equal((await move({ minimum_os: { macos: 'x' } })).status, 422)
  await move({ state: 'rolled_back' })
  const back = await calls.readUntil(`${latest}?version=2.0.0`, offers('1.0.0'), { withinMs: 1_000 })
  assert.equal(JSON.parse(back.text).is_rollback, true)
  const { body } = await calls.send('GET', path)
  assert.deepEqual(
    body.data.map(({ version, state, percentage }: Record<string, unknown>) => [version, state, percentage]),
    [
      ['2.0.0', 'rolled_back', 60],
      ['1.0.0', 'active', 100],
    ],
  )
})

test('keeps the percentage that is set after a rollout has grown to everyone', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default' })
  const path = `/channels/${channel.id}/rollout`
  const move = async (fields: object) => {
    const response = await calls.send('PATCH', path, { version: '2.0.0', ...fields })
    assert.equal(response.status, 200, response.text)
    return response.body.data
  }
  const stored = async () => (await calls.send('GET', path)).body.data[0]
  await move({ percentage: 10, complete_at: '2099-01-01T00:00:00Z' })
  await service.deps.db
    .updateTable('rollouts')
    .set({ changed_at: '2020-01-01T00:00:00Z', complete_at: '2020-01-02T00:00:00Z' })
    .where('channel_id', '=', channel.id)
    .execute()
  const grown = await stored()
  assert.deepEqual([grown.percentage, grown.complete_at], [100, null])
  const critical = await move({ is_critical: true })
  assert.deepEqual([critical.percentage, critical.complete_at], [100, null])
  assert.equal((await move({ percentage: 50 })).percentage, 50)
  const reduced = await stored()
  assert.deepEqual([reduced.percentage, reduced.complete_at], [50, null])
})

/** Waits until more clients are offered the version, which must include the first ones. */
async function untilGrown(offered: () => Promise<Set<string>>, first: Set<string>): Promise<void> {
  for (;;) {
    const now = await offered()
    assert.ok(first.isSubsetOf(now))
    if (now.size > 45 && now.size < 75) return
  }
}

test('leads clients over a required version, and withholds a version from systems that are too old', async () => {
  await newApplication()
  const channel = await calls.createChannel({ stream: 'default' })
  for (const major of [1, 2, 3])
    await calls.uploadVersion([major, 0, 0], { filename: `harbor-${major}.tar.gz`, bytes })
  const path = `/channels/${channel.id}/rollout`
  await calls.send('PATCH', path, { version: '2.0.0', is_required: true, is_critical: true })
  await calls.send('PATCH', path, { version: '3.0.0', minimum_os: { linux: '6.1' } })
  const latest = (query: string) => `${channel.url}/json/latest.json?platform=linux&${query}`
  await calls.readUntil(
    latest('version=1.0.0'),
    (response) => offers('2.0.0')(response) && JSON.parse(response.text).is_critical,
  )
  await calls.readUntil(latest('version=2.0.0&os_version=6.8'), offers('3.0.0'))
  assert.equal((await readFeed(latest('version=2.0.0&os_version=5.15'))).status, 204)
})
