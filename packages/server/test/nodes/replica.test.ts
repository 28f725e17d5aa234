import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startOwnService, type Service, type Tenant } from '../harness.ts'
import { startStopwatch } from '../stopwatch.ts'
import {
  hasSystemPostgres,
  startReplicaOf,
  startSystemPostgres,
  type SystemPostgres,
} from '../system-postgres.ts'
import { until } from '../until.ts'

const skip = !hasSystemPostgres && 'needs postgresql'

describe('with a read replica', { skip }, () => {
  let primary: SystemPostgres
  let replica: SystemPostgres
  let first: Service
  let second: Service
  let tenant: Tenant
  before(async () => {
    primary = await startSystemPostgres()
    replica = await startReplicaOf(primary)
    const environment = { DATABASE_URL: primary.url, DATABASE_READ_URL: replica.url }
    first = await startOwnService({ environment })
    // Both nodes use the same storage folder.
    second = await startOwnService({ environment, state: first.state })
    tenant = await first.tenant()
    await replicaIsUsed()
  })
  after(async () => {
    await second.stop()
    await first.close()
    await replica.remove()
    await primary.remove()
  })

  const listPath = () => `/applications/${tenant.applicationId}/labels`
  const listNames = async (service: Service, key: string) => {
    const { status, body } = await service.call('GET', listPath(), { key })
    assert.equal(status, 200)
    return body.data.map(({ name }: { name: string }) => name) as string[]
  }
  async function createLabel(service: Service, key: string, name: string): Promise<void> {
    const { status } = await service.call('POST', listPath(), { key, body: { name } })
    assert.equal(status, 201)
  }
  const readsOfReplica = async (): Promise<number> => {
    const [row] = await replica.query<{ reads: number }>(
      `select (sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0)))::int as reads from pg_stat_user_tables where relname = 'labels'`,
      'service',
    )
    return row?.reads ?? 0
  }
  /** Waits until the replica serves the list, which its statistics show. */
  async function replicaIsUsed(): Promise<void> {
    const reader = await first.key(tenant.workspaceId, tenant.applicationId, ['application:read'])
    await createLabel(first, tenant.applicationKey, `probe-${Math.random()}`)
    await until('the replica serves reads', async () => {
      const before = await readsOfReplica()
      await listNames(first, reader)
      return (await readsOfReplica()) > before
    })
  }
  const pause = () => replica.query('select pg_wal_replay_pause()')
  const resume = () => replica.query('select pg_wal_replay_resume()')

  test('shows a key its own writes on every node while the replica is behind', async () => {
    const reader = await first.key(tenant.workspaceId, tenant.applicationId, ['application:read'])
    await listNames(first, reader)
    await until('the replica has the key', async () => (await listNames(first, reader)).length > 0)
    await pause()
    try {
      for (const [index, service] of [first, second, first, second].entries()) {
        const name = `own-write-${index}`
        await createLabel(service, tenant.applicationKey, name)
        for (const other of [first, second])
          assert.ok((await listNames(other, tenant.applicationKey)).includes(name), name)
      }
      // Another key reads from the replica, which does not have the labels yet.
      assert.ok(!(await listNames(first, reader)).includes('own-write-0'))
      // A resource that the replica does not have yet is read from the primary.
      const { body } = await first.call('POST', listPath(), {
        key: tenant.applicationKey,
        body: { name: 'new' },
      })
      const found = await second.call('GET', `${listPath()}/${body.data.id}`, { key: reader })
      assert.equal(found.status, 200)
      // A replica that is more than five seconds behind is not used.
      await until('the primary serves the list', async () =>
        (await listNames(first, reader)).includes('own-write-0'),
      )
    } finally {
      await resume()
    }
    await replicaIsUsed()
  })

  test('reads from the primary while the replica is down and uses the replica again afterwards', async () => {
    await replica.stop('SIGQUIT')
    for (let call = 0; call < 20; call++) {
      using stopwatch = startStopwatch()
      await listNames(call % 2 === 0 ? first : second, tenant.applicationKey)
      assert.ok(stopwatch.elapsedMs() < 5_000)
    }
    await createLabel(first, tenant.applicationKey, 'replica-down')
    await replica.start()
    await replicaIsUsed()
  })
})
