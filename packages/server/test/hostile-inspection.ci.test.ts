import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { hostileArchives } from './hostile-archives.ts'
import { hostileAppleFiles } from './hostile/apple-files.ts'
import { untilIdle } from './idle.ts'
import { uploadedBuild } from './uploading.ts'

const archiveCount = Number(process.env['QUAYSIDE_HOSTILE_ARCHIVES'] ?? 6)
const measures = archiveCount >= 100
const samplesPerPhase = 1_000
const maxSeconds = 30

let service: Service
let tenant: Tenant

before(async () => {
  service = await startOwnService()
  tenant = await service.tenant()
})
after(() => service.close())

/** Returns hostile files of all kinds or, for a small number, Apple files, which take little time to create. */
function selectArchives() {
  if (!measures) return [...hostileAppleFiles().take(archiveCount)]
  const all = [...hostileArchives()]
  const step = Math.max(1, Math.floor(all.length / archiveCount))
  return all.filter((_, index) => index % step === 0).slice(0, archiveCount)
}

/** Requests the list of builds 50 times per second and returns the 99th percentile of the response times. */
async function percentile99(): Promise<number> {
  const times: number[] = []
  while (times.length < samplesPerPhase) {
    const start = performance.now()
    const response = await service.call('GET', `/applications/${tenant.applicationId}/builds`, {
      key: tenant.applicationKey,
    })
    assert.equal(response.status, 200)
    times.push(performance.now() - start)
    await pause(Math.max(0, 20 - (times.at(-1) ?? 0)))
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

async function countUninspected(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from builds where processing in ('waiting', 'queued')`.execute(
    service.deps.db,
  )
  return rows[0]?.count ?? 0
}

test('inspects hostile files within the limits and keeps them available', async (t) => {
  const archives = selectArchives()
  const idle = measures ? await percentile99() : 0
  const builds: { id: string; name: string }[] = []
  for (const { name, filetype, bytes } of archives) {
    const fields = { platform: 'generic', primary_file: { filename: `hostile.${filetype}` } }
    const { build } = await uploadedBuild(service, tenant, fields, bytes)
    builds.push({ id: build.id, name })
  }
  if (measures) {
    const busy = await percentile99()
    const pending = await countUninspected()
    t.diagnostic(
      `p99 of the API: ${idle.toFixed(1)} ms idle, ${busy.toFixed(1)} ms while inspecting; ${pending} pending`,
    )
    assert.ok(busy <= 2 * idle + 10, `${busy} ms`)
  }
  while ((await countUninspected()) > 0) await pause(100)
  await untilIdle(service)
  const { rows: jobs } = await sql<{ state: string; seconds: number }>`
    select state, extract(epoch from completed_on - started_on)::float as seconds from pgboss.job
    where name = 'builds.inspect'`.execute(service.deps.db)
  assert.deepEqual(new Set(jobs.map(({ state }) => state)), new Set(['completed']))
  const slowest = Math.max(...jobs.map(({ seconds }) => seconds))
  t.diagnostic(`${jobs.length} files, at most ${slowest.toFixed(1)} s each`)
  assert.ok(slowest < maxSeconds, `${slowest} s`)
  for (const { id, name } of builds) {
    const path = `/applications/${tenant.applicationId}/builds/${id}`
    const { body } = await service.call('GET', path, { key: tenant.applicationKey })
    const { processing_error: error } = body.data
    assert.doesNotMatch(error ?? '', /limit|failed|invalid result/, name)
    const download = await service.call('GET', `${path}/download`, { key: tenant.applicationKey })
    assert.equal(download.status, 200, name)
  }
})
