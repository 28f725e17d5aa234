import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { databaseUrl } from '../database.ts'
import { startOwnService, type Service, type Tenant } from '../harness.ts'
import { hasPgBouncer, startPgBouncer } from '../pgbouncer.ts'
import { startStopwatch } from '../stopwatch.ts'
import { hasSystemPostgres, startSystemPostgres, type SystemPostgres } from '../system-postgres.ts'
import { until } from '../until.ts'
import { uploadedBuild } from '../uploading.ts'

const stops = Number(process.env['QUAYSIDE_DATABASE_STOPS'] ?? 3)
const clients = 4
const maxResponseMs = 5_000
const maxRecoveryMs = 5_000
const fileBytes = 24 * 1024 * 1024
const skip = !hasSystemPostgres && 'needs postgresql'

type Outcome = { status: number; retryAfter: string | null; milliseconds: number; at: number }

for (const isPooled of [false, true]) {
  const name = `while PostgreSQL${isPooled ? ' behind PgBouncer' : ''} is stopped and started again`
  describe(name, { skip: isPooled && !hasPgBouncer ? 'needs pgbouncer' : skip }, () => testOutages(isPooled))
}

function testOutages(isPooled: boolean): void {
  let database: SystemPostgres
  let pooler: Awaited<ReturnType<typeof startPgBouncer>> | undefined
  let service: Service
  let tenant: Tenant
  before(async () => {
    database = await startSystemPostgres()
    if (isPooled) pooler = await startPgBouncer(database.connection)
    service = await startOwnService({
      environment:
        pooler === undefined
          ? { DATABASE_URL: database.url }
          : { DATABASE_URL: databaseUrl(pooler.connection), DATABASE_DIRECT_URL: database.url },
    })
    tenant = await service.tenant()
  })
  after(async () => {
    await service.close()
    await pooler?.stop()
    await database.remove()
  })

  /** Sends reads and writes one after another until `isStopped` returns true. */
  async function send(outcomes: Outcome[], isStopped: () => boolean): Promise<void> {
    const path = `/applications/${tenant.applicationId}`
    for (let turn = 0; !isStopped(); turn++) {
      using stopwatch = startStopwatch()
      const isWrite = turn % 2 === 1
      const response = await service.call(
        isWrite ? 'POST' : 'GET',
        `${path}/${isWrite ? 'labels' : 'builds'}`,
        {
          key: tenant.applicationKey,
          ...(isWrite && { body: { name: randomBytes(8).toString('hex') } }),
        },
      )
      outcomes.push({
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        milliseconds: stopwatch.elapsedMs(),
        at: performance.now(),
      })
      await pause(5)
    }
  }

  /** Downloads a file slowly, so that the download is in progress during every stop. */
  async function download(url: string, isStopped: () => boolean): Promise<number> {
    const { statusCode, body } = await request(url)
    assert.equal(statusCode, 200)
    let received = 0
    for await (const chunk of body) {
      received += (chunk as Buffer).length
      if (!isStopped()) await pause(30)
    }
    return received
  }

  test(`responds with 503 and Retry-After within 5 s and recovers within 5 s, ${stops} times`, async (t) => {
    const { build } = await uploadedBuild(service, tenant, {}, randomBytes(fileBytes))
    const { body } = await service.call(
      'GET',
      `/applications/${tenant.applicationId}/builds/${build.id}/download`,
      { key: tenant.applicationKey },
    )
    let isStopped = false
    const outcomes: Outcome[] = []
    const downloaded = download(body.primary_file.temp_url, () => isStopped)
    const sending = Array.from({ length: clients }, () => send(outcomes, () => isStopped))
    const recoveries: number[] = []
    for (let stop = 0; stop < stops; stop++) {
      const succeeded = () => outcomes.filter(({ status }) => status < 300).length
      const count = succeeded()
      await until('requests succeed', () => succeeded() > count + 20)
      // SIGINT closes all connections and shuts down cleanly; SIGQUIT is a crash.
      await database.stop(stop % 2 === 0 ? 'SIGINT' : 'SIGQUIT')
      const failures = outcomes.length
      await until('requests fail', () => outcomes.length > failures + clients)
      const livez = await service.call('GET', `${service.url}/livez`)
      const readyz = await service.call('GET', `${service.url}/readyz`)
      assert.deepEqual([livez.status, readyz.status], [200, 503])
      await database.start()
      const restarted = performance.now()
      using stopwatch = startStopwatch()
      await until('all requests succeed', () => {
        const latest = outcomes.filter(({ at }) => at > restarted).slice(-2 * clients)
        return latest.length === 2 * clients && latest.every(({ status }) => status < 300)
      })
      recoveries.push(stopwatch.elapsedMs())
    }
    isStopped = true
    await Promise.all(sending)
    assert.equal(await downloaded, fileBytes)
    const failed = outcomes.filter(({ status }) => status >= 300)
    assert.deepEqual([...new Set(failed.map(({ status }) => status))], [503])
    assert.ok(failed.every(({ retryAfter }) => retryAfter !== null))
    const slowest = Math.max(...outcomes.map(({ milliseconds }) => milliseconds))
    assert.ok(slowest < maxResponseMs, `a response took ${slowest} ms`)
    assert.ok(Math.max(...recoveries) < maxRecoveryMs, `recovery took ${Math.max(...recoveries)} ms`)
    t.diagnostic(
      `${outcomes.length} responses, ${failed.length} with 503; slowest ${Math.round(slowest)} ms, recovered within ${Math.round(Math.max(...recoveries))} ms`,
    )
  })
}
