import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { retiredSchedules } from '../../src/jobs.ts'
import { groupCalls } from '../distribution-groups.ts'
import { startOwnService, type Service, type Tenant } from '../harness.ts'
import { insertMember } from '../people.ts'
import { portalCalls } from '../portals.ts'
import { copyRelease, countWritingTransactions, future, releaseCalls } from '../releases.ts'
import { until } from '../until.ts'
import { uploadedBuild } from '../uploading.ts'

const limit = 60

describe('two nodes with one database', () => {
  let first: Service
  let second: Service
  let tenant: Tenant
  before(async () => {
    const environment = { QUAYSIDE_RATE_LIMIT: String(limit), QUAYSIDE_PUBLIC_RATE_LIMIT: String(limit) }
    first = await startOwnService({ environment })
    await scheduleRetiredJobs()
    second = await startOwnService({ environment, state: first.state })
    tenant = await first.tenant()
  })
  after(async () => {
    await second.stop()
    await first.close()
  })

  /** Saves the schedules of jobs that only earlier versions had, as such a version leaves them. */
  async function scheduleRetiredJobs(): Promise<void> {
    assert.ok(retiredSchedules.length > 0)
    for (const name of retiredSchedules) {
      await sql`select pgboss.create_queue(${name}, '{"policy": "standard"}')`.execute(first.deps.db)
      await sql`insert into pgboss.schedule (name, cron) values (${name}, '* * * * *')`.execute(first.deps.db)
    }
  }

  test('delete the schedules of jobs that only earlier versions had', async () => {
    const { rows } = await sql<{ name: string }>`select name from pgboss.schedule`.execute(first.deps.db)
    assert.ok(rows.length > 0)
    assert.deepEqual(
      rows.filter(({ name }) => retiredSchedules.includes(name)),
      [],
    )
  })

  const newKey = () =>
    first.key(tenant.workspaceId, null, ['workspace:read', 'api_keys:write', 'members:read'])
  const statusOn = async (service: Service, key: string, path = '/workspace') =>
    (await service.call('GET', path, { key })).status
  const withinASecond = { withinMs: 1_000 }

  test('apply the rate limit of a key to the requests of both', async () => {
    const key = await newKey()
    const used = limit - 5
    for (let call = 0; call < used; call++) assert.equal(await statusOn(first, key), 200)
    assert.equal(await statusOn(second, key), 200)
    // The second node learns of the other requests once it has counted a tenth of the limit.
    let calls = 1
    const isRejected = async () => {
      calls++
      return (await statusOn(second, key)) === 429
    }
    for (let call = 0; call < limit / 10; call++) await isRejected()
    await until('the second node rejects the key', isRejected, { withinMs: 4_000, everyMs: 100 })
    assert.ok(calls < limit, 'the second node counted as many requests itself')
  })

  test('publish releases that are due at the same time in batches, each once', async (t) => {
    const { db } = first.deps
    const of = await first.tenant()
    const groups = groupCalls(first, of)
    const group = await groups.group(['ada@schedule.example'])
    const { create } = releaseCalls(first, of)
    const template = await create({ scheduled_for: future })
    await groups.share(group, template.id)
    const count = Number(process.env['QUAYSIDE_SCHEDULED_RELEASES'] ?? 30)
    await copyRelease(db, { from: template.id, prefix: 'due-', count })
    await sql`insert into distribution_group_releases
      select (jsonb_populate_record(added, jsonb_build_object('release_id', 'due-' || number))).*
      from distribution_group_releases as added, generate_series(1, ${count}::integer) as number
      where release_id = ${template.id}`.execute(db)
    const startedAt = performance.now()
    await sql`update releases set scheduled_for = now() where id like 'due-%'`.execute(db)
    await until(
      'all releases are published',
      async () => {
        const { rows } =
          await sql`select from releases where id like 'due-%' and status = 'scheduled' limit 1`.execute(db)
        return rows.length === 0
      },
      { withinMs: 120_000, everyMs: 50 },
    )
    t.diagnostic(`${count} releases in ${Math.round(performance.now() - startedAt)} ms`)
    const { rows } = await sql<{ releases: number; events: number; entries: number; mails: number }>`select
      (select count(distinct data -> 'release' ->> 'id') from events where data -> 'release' ->> 'id' like 'due-%'
        and name = 'release.created') as releases,
      (select count(*) from events where data -> 'release' ->> 'id' like 'due-%') as events,
      (select count(*) from audit_entries where subject_id like 'due-%') as entries,
      (select count(*) from mails where recipient = 'ada@schedule.example') as mails`.execute(db)
    assert.deepEqual(rows, [{ releases: count, events: count, entries: count, mails: count }])
    const transactions = await countWritingTransactions(db, 'due-')
    assert.ok(transactions <= count / 5, `${count} releases in ${transactions} transactions`)
  })

  test('show a withdrawn release in no portal, and close a portal at once', async () => {
    const calls = portalCalls(first, tenant)
    const { id: portalId, portal_url: url } = await calls.portal()
    const { id } = await calls.release([7])
    const path = `${new URL(url).pathname}/releases/${id}`
    const open = async () => {
      const response = await fetch(`${second.url}${path}`)
      return [response.status, (await response.text()).includes('aurora-7-linux.zip')]
    }
    assert.deepEqual(await open(), [200, true])
    await calls.releases.withdraw(id)
    assert.deepEqual(await open(), [404, false])
    await calls.releases.publish(id)
    assert.deepEqual(await open(), [200, true])
    await calls.send('PATCH', `/portals/${portalId}`, { type: 'private' })
    // The page asks for the address of the visitor.
    assert.deepEqual(await open(), [200, false])
  })

  test('reject a revoked key within a second', async () => {
    const [key, other] = [await newKey(), await newKey()]
    assert.equal(await statusOn(second, key), 200)
    const { body } = await first.call('GET', '/workspace/api-keys', { key: other })
    const id = body.data.find(({ prefix }: { prefix: string }) => key.startsWith(prefix)).id
    const revoked = await first.call('DELETE', `/workspace/api-keys/${id}`, { key: other })
    assert.equal(revoked.status, 200)
    await until(
      'the second node rejects the key',
      async () => (await statusOn(second, key)) === 401,
      withinASecond,
    )
  })

  test('reject the session of a removed member and a session that was signed out within a second', async () => {
    const { db } = first.deps
    const owner = await first.signIn(
      await insertMember(first, tenant, { workspaceRole: 'owner' }),
      tenant.workspaceId,
    )
    for (const end of ['remove', 'sign out'] as const) {
      const userId = await insertMember(first, tenant, { workspaceRole: 'admin' })
      const session = await first.signIn(userId, tenant.workspaceId)
      assert.equal(await statusOn(second, session), 200)
      if (end === 'remove') {
        const { status, text } = await first.call('DELETE', `/workspace/members/${userId}`, { key: owner })
        assert.equal(status, 200, text)
      } else await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
      await until(
        'the second node rejects the session',
        async () => [401, 403].includes(await statusOn(second, session)),
        withinASecond,
      )
    }
  })

  test('count incorrect share link passwords together', async () => {
    const { build } = await uploadedBuild(first, tenant)
    const { body } = await first.call(
      'POST',
      `/applications/${tenant.applicationId}/builds/${build.id}/share-links`,
      { key: tenant.applicationKey, body: { password: 'correct' } },
    )
    const { pathname } = new URL(body.data.url)
    const guess = async (service: Service, password: string) =>
      (
        await service.call('POST', `${service.url}/api/v1${pathname.replace(/^\/api\/v1/, '')}/grants`, {
          key: null,
          body: { password },
        })
      ).status
    const statuses = []
    for (let attempt = 0; attempt < 6; attempt++)
      statuses.push(await guess(attempt % 2 === 0 ? first : second, 'wrong'))
    assert.equal(statuses.at(-1), 429, statuses.join())
    assert.equal(await guess(second, 'correct'), 429)
  })
})
