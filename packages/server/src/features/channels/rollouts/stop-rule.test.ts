import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { channelCalls, offers, readFeed, versionIn } from '../../../../test/channels.ts'
import type { Service, Tenant } from '../../../../test/harness.ts'
import { startTwoNodes } from '../../../../test/two-nodes.ts'
import { until } from '../../../../test/until.ts'
import { hostileTexts } from '../adapters/samples/hostile-texts.fixture.ts'
import { isLimitReached } from './stop-rule.ts'

type Row = { id?: string }

let first: Service
let second: Service
let close: () => Promise<void>
let tenant: Tenant
let calls: ReturnType<typeof channelCalls>

before(async () => {
  ;({ first, second, close } = await startTwoNodes())
})
after(() => close())

/** Starts each test with a channel of its own, which publishes 1.0.0 and 2.0.0. */
async function newChannel(fields: object = {}): Promise<{ id: string; urls: [string, string]; url: string }> {
  tenant = await first.tenant({ platforms: ['linux'] })
  calls = channelCalls(first, tenant)
  const channel = await calls.createChannel({ stream: 'default', ...fields })
  for (const major of [1, 2]) await calls.uploadHarbor(major)
  return { ...channel, urls: [`${first.url}/u/${channel.id}`, `${second.url}/u/${channel.id}`] }
}

async function report(url: string, body: unknown) {
  const response = await fetch(`${url}/report`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const setRollout = (channelId: string, fields: object) =>
  calls.send('PATCH', `/channels/${channelId}/rollout`, { version: '2.0.0', ...fields })

async function rolloutOf(channelId: string) {
  const { body } = await calls.send('GET', `/channels/${channelId}/rollout`)
  return body.data.find(({ version }: { version: string }) => version === '2.0.0')
}

test('compares the share of failures with the limit', () => {
  const rule = { failuresPercent: 10, minimumReports: 20 }
  for (const [installed, failed, expected] of [
    [0, 19, false],
    [0, 20, true],
    [18, 2, true],
    [19, 2, false],
    [1000, 100, false],
    [900, 100, true],
    [0, 0, false],
  ] as const)
    assert.equal(isLimitReached(rule, { installed, failed }), expected, `${installed} ${failed}`)
})

test('stops a rollout on both nodes within a second after the report that reaches the limit', async () => {
  const { id, urls } = await newChannel()
  const [one, two] = urls
  const stop_when = { failures_percent: 25, minimum_reports: 8 }
  const saved = await setRollout(id, { percentage: 50, cohorts: ['testers'], stop_when })
  assert.deepEqual(saved.body.data.stop_when, stop_when)
  const latest = urls.map((url) => `${url}/json/latest.json?cohort=testers`)
  for (const url of latest) await calls.readUntil(url, offers('2.0.0'))
  for (let count = 0; count < 6; count++)
    assert.equal((await report(one, { version: '2.0.0', outcome: 'installed' })).status, 204)
  assert.equal((await report(two, { version: 'v2.0.0', outcome: 'failed', platform: 'linux' })).status, 204)
  // Reports of other versions do not count.
  for (let count = 0; count < 5; count++) await report(two, { version: '1.0.0', outcome: 'failed' })
  await until('seven reports are saved', async () => {
    const { reports } = await rolloutOf(id)
    return reports.installed + reports.failed === 7
  })
  assert.equal((await rolloutOf(id)).state, 'active')

  await report(one, { version: '2.0.0', outcome: 'failed', platform: 'windows' })
  await until(
    'no node offers 2.0.0',
    async () =>
      (await Promise.all(latest.map((url) => readFeed(url)))).every((each) => versionIn(each) === '1.0.0'),
    { withinMs: 1_000 },
  )
  const stopped = await rolloutOf(id)
  assert.deepEqual([stopped.state, stopped.percentage, stopped.stop_when], ['stopped', 50, stop_when])
  assert.deepEqual([stopped.stopped_by_rule.reports, stopped.stopped_by_rule.failures], [8, 2])
  assert.deepEqual(stopped.reports, {
    installed: 6,
    failed: 2,
    by_platform: [
      { platform: null, installed: 6, failed: 0 },
      { platform: 'linux', installed: 0, failed: 1 },
      { platform: 'windows', installed: 0, failed: 1 },
    ],
  })
  const { body: log } = await first.call(
    'GET',
    `/workspace/audit-log?application=${tenant.applicationId}&action=rollout.stopped`,
    { key: tenant.workspaceKey },
  )
  assert.equal(log.data.length, 1)
  const [entry] = log.data
  assert.deepEqual(
    [entry.actor.name, entry.before.state, entry.after.state],
    ['Stop rule', 'active', 'stopped'],
  )
  const events = await first.deps.db
    .selectFrom('events')
    .select(['name', 'data'])
    .where('application_id', '=', tenant.applicationId)
    .where('name', 'like', 'rollout.%')
    .execute()
  const [{ name, data } = assert.fail('no event')] = events as { name: string; data: Record<string, Row> }[]
  assert.deepEqual([events.length, name, data['channel']?.id], [1, 'rollout.stopped', id])
  assert.deepEqual(data['rollout'], stopped)
  assert.equal(entry.after.stopped_by_rule.failures, 2)

  // Offering the version again starts a new count.
  const again = await setRollout(id, { state: 'active' })
  assert.deepEqual([again.body.data.stopped_by_rule, again.body.data.reports.failed], [null, 0])
  await report(two, { version: '2.0.0', outcome: 'failed' })
  await until('the report is saved', async () => (await rolloutOf(id)).reports.failed === 1)
  assert.equal((await rolloutOf(id)).state, 'active')
  assert.equal((await setRollout(id, { stop_when: null })).body.data.stop_when, null)
})

test('stops a paused rollout once, although both nodes receive reports', async () => {
  const { id, urls } = await newChannel()
  await setRollout(id, { percentage: 30, stop_when: { failures_percent: 1, minimum_reports: 50 } })
  await setRollout(id, { state: 'paused' })
  for (const url of urls) await calls.readUntil(`${url}/json/latest.json`, offers('1.0.0'))
  await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      const outcome = index % 2 === 0 ? 'failed' : 'installed'
      await report(urls[index % 2] ?? '', { version: '2.0.0', outcome })
    }),
  )
  await until('all reports are saved', async () => (await rolloutOf(id)).reports.failed === 60)
  await until('the rollout is stopped', async () => (await rolloutOf(id)).state === 'stopped')
  const path = `/workspace/audit-log?application=${tenant.applicationId}&action=rollout.stopped`
  const { body: log } = await first.call('GET', path, { key: tenant.workspaceKey })
  assert.equal(log.data.length, 1)
})

test('accepts reports only of published versions, and with a read key where the channel requires one', async () => {
  const { id, url } = await newChannel({ access: 'read_keys' })
  const failed = { version: '2.0.0', outcome: 'failed' }
  const created = await calls.send('POST', `/channels/${id}/read-keys`, { name: 'Acme' })
  const { key, id: keyId } = created.body.data as { key: string; id: string }
  const withKey = `${url}/k/${key}`
  await calls.readUntil(`${withKey}/json/latest.json`, offers('2.0.0'))
  assert.equal((await report(url, failed)).status, 401)
  assert.equal((await report(`${url}/k/qsr_wrong`, failed)).status, 404)
  assert.equal((await report(withKey, failed)).status, 204)
  assert.equal((await report(`${first.url}/u/aaaaaaaaaa`, failed)).status, 404)
  const unknown = await report(withKey, { ...failed, version: '3.0.0' })
  assert.deepEqual([unknown.status, Object.keys(unknown.body.errors)], [422, ['version']])
  for (const text of hostileTexts) {
    assert.equal((await report(withKey, { ...failed, version: text.toWellFormed() })).status, 422, text)
    assert.equal((await report(withKey, { version: '2.0.0', outcome: text })).status, 422, text)
    assert.equal((await report(withKey, { ...failed, platform: text })).status, 422, text)
  }
  assert.equal((await report(withKey, '{')).body.code, 'report.not_json')
  assert.equal((await report(withKey, 'null')).status, 422)
  assert.equal((await report(withKey, `"${'x'.repeat(17_000)}"`)).status, 413)
  await until('the report is saved', async () => (await rolloutOf(id)).reports.failed === 1)
  for (const stop_when of [
    { failures_percent: 0, minimum_reports: 1 },
    { failures_percent: 101, minimum_reports: 1 },
    { failures_percent: 5, minimum_reports: 0 },
    { failures_percent: 5 },
  ])
    assert.equal((await setRollout(id, { stop_when })).status, 422)
  assert.equal((await calls.send('DELETE', `/channels/${id}/read-keys/${keyId}`)).status, 200)
  await until('the key is revoked', async () => (await report(withKey, failed)).status === 404, {
    withinMs: 1_000,
  })
})
