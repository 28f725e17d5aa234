import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, expectOk, type Client } from '../acceptance/client.ts'
import { checkAcknowledged, checkBytes } from '../acceptance/crash-checks.ts'
import { startLoad } from '../acceptance/crash-load.ts'
import { isFullSize } from '../acceptance/full-size.ts'
import { prepareService, type Service } from '../acceptance/npm-start.ts'
import { storesInS3, testStorageSettings } from '../acceptance/test-storage.ts'
import { hasSystemPostgres, startSystemPostgres, type SystemPostgres } from '../system-postgres.ts'
import { until } from '../until.ts'
import { startLoadBalancer, type LoadBalancer } from './load-balancer.ts'
import { checkOutVersion, createNewerVersion, type Version } from './versions.ts'

const kills = Number(process.env['QUAYSIDE_NODE_KILLS'] ?? 3)
const oldCommit = process.env['QUAYSIDE_OLD_VERSION']
const workers = isFullSize ? 3 : 1
const secret = '0123456789abcdef'.repeat(4)
/** Rewrites a table that every request reads and another that uploads write to. */
const planted = {
  name: '9999-planted.sql',
  sql: `alter table applications add column planted text not null default 'planted';
        alter table builds add column planted bigint;
        update builds set planted = size_total_bytes;
        create index builds_planted on builds (planted);`,
}
const skip = (process.platform !== 'linux' || !hasSystemPostgres) && 'needs postgresql and /proc'

describe('two API nodes and a worker', { skip }, () => {
  let database: SystemPostgres
  let parent: string
  let balancer: LoadBalancer
  let client: Client
  let applicationId: string
  let old: Version | undefined
  let newer: Version | undefined
  // After `npm test -- --storage=s3`, the nodes share a bucket and no folder.
  const storage = testStorageSettings()
  const nodes: { role: 'api' | 'worker'; service: Service }[] = []
  const retired: Service[] = []

  async function addNode(role: 'api' | 'worker', version?: Version): Promise<(typeof nodes)[number]> {
    const settings = {
      DATABASE_URL: database.url,
      QUAYSIDE_ROLE: role,
      QUAYSIDE_PUBLIC_URL: balancer.url,
      QUAYSIDE_SECRET: secret,
      ...storage,
    }
    const dataDir = storesInS3 ? await mkdtemp(join(parent, 'node-')) : parent
    const service = await prepareService({ settings, dataDir, ...(version && { version: version.folder }) })
    await service.start()
    const node = { role, service }
    nodes.push(node)
    return node
  }

  before(async () => {
    database = await startSystemPostgres()
    parent = await mkdtemp(join(tmpdir(), 'quayside-nodes-'))
    balancer = await startLoadBalancer(() =>
      nodes.flatMap(({ role, service }) => (role === 'api' ? service.port : [])),
    )
    old = oldCommit === undefined ? undefined : await checkOutVersion(oldCommit)
    newer = oldCommit === undefined ? await createNewerVersion(planted) : undefined
    // The nodes start at the same time, so that one of them migrates the database while the others wait.
    const roles = ['api', 'api', 'worker'] as const
    await Promise.all(roles.map((role) => addNode(role, old)))
    client = createClient({ url: balancer.url, key: nodes[0]?.service.key ?? '' })
    applicationId = expectOk(await client.createApplication('Nodes')).data.id
  })
  after(async () => {
    await Promise.all([...nodes.map(({ service }) => service), ...retired].map((service) => service.stop()))
    await balancer.close()
    await rm(parent, { recursive: true, force: true })
    await database.remove()
    await old?.remove()
    await newer?.remove()
  })

  const output = () => nodes.map(({ service }) => service.current().output().slice(-2_000)).join('\n')

  /** Asserts that every acknowledged build is listed once with its bytes, and that the worker has processed it. */
  async function checkAll(load: ReturnType<typeof startLoad>): Promise<number> {
    assert.deepEqual(load.failures, [], output())
    const builds = await checkAcknowledged(client, applicationId, load.uploads)
    const acknowledged = load.uploads.filter(({ buildIds }) => buildIds.size > 0)
    assert.equal(builds.length, acknowledged.length)
    for (const upload of acknowledged.slice(-20)) await checkBytes(client, applicationId, upload)
    await until('the worker has processed every build', async () => {
      const [row] = await database.query<{ waiting: number }>(
        `select count(*)::int as waiting from builds where processing = 'waiting'`,
        'service',
      )
      return row?.waiting === 0
    })
    return builds.length
  }

  async function loadDuring(work: (verified: () => Promise<void>) => Promise<void>): Promise<number> {
    const load = startLoad(client, applicationId, { workers })
    await work(async () => {
      const count = load.verified()
      await until('uploads are verified', () => load.failures.length > 0 || load.verified() > count + 2)
    })
    await load.stop()
    const count = await checkAll(load)
    await Promise.all(
      load.uploads.flatMap(({ buildIds }) =>
        [...buildIds].map(async (id) =>
          expectOk(await client.call('DELETE', `/applications/${applicationId}/builds/${id}`)),
        ),
      ),
    )
    return count
  }

  test(`lose nothing while one of them is killed and restarted ${kills} times`, async (t) => {
    const count = await loadDuring(async (verified) => {
      for (let round = 0; round < kills; round++) {
        await verified()
        await pause(Math.random() * 40)
        const node = nodes[round % nodes.length]
        await node?.service.kill('service')
        await verified()
        await node?.service.start()
      }
    })
    t.diagnostic(`${count} builds`)
  })

  test('keep serving requests while each node is replaced by a newer version that migrates the database', async (t) => {
    const count = await loadDuring(async (verified) => {
      for (const replaced of nodes.slice()) {
        await verified()
        await addNode(replaced.role, newer)
        await verified()
        const exitCode = await replaced.service.stop()
        assert.equal(exitCode, 0, replaced.service.current().output().slice(-2_000))
        nodes.splice(nodes.indexOf(replaced), 1)
        retired.push(replaced.service)
      }
      await verified()
    })
    const [last] = await database.query<{ name: string }>(
      'select name from schema_migrations order by number desc limit 1',
      'service',
    )
    if (newer !== undefined) assert.equal(last?.name, planted.name)
    t.diagnostic(`${count} builds, last migration ${last?.name}`)
  })
})
