import { setTimeout as pause } from 'node:timers/promises'
import { fillBuilds } from './builds-data.ts'
import { backendsOfService, openDatabase, statementsDuring } from './database.ts'
import { option, save } from './report.ts'
import { cpuSeconds, startService, type Service } from './service.ts'

// B16 measures what a visit of a public portal costs: the CPU time of the server and the database, the statements and the
// response time, while visitors arrive at a steady rate.
const perMinute = option('visitors', 1_000)
const seconds = option('seconds', 30)
const releases = option('releases', 100)
const builds = option('builds', 10_000)
const buildsPerRelease = 4
const warmUpVisits = option('warmup', 500)

const service = await startService({ QUAYSIDE_PUBLIC_RATE_LIMIT: '0' })
const database = openDatabase(service)
const applicationId = await fillBuilds(service, database, builds)
const portal = await fillPortal(service)
const path = new URL(portal.portal_url).pathname

type Created = { data: { id: string } }

/** Creates a portal that shows releases with notes, and all streams. */
async function fillPortal({ api }: Service) {
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from builds where application_id = $1 and deleted_at is null order by created_at desc limit $2',
    [applicationId, releases * buildsPerRelease],
  )
  for (let number = 0; number < releases; number++)
    await api<Created>('POST', `/applications/${applicationId}/releases`, {
      title: `Release ${number}`,
      notes: '## Added\n\n- A feature with a **name**\n- Another one\n\n## Fixed\n\n- A crash while saving\n',
      version_component_1_major: 1,
      version_component_2_minor: number,
      version_component_3_patch: 0,
      build_ids: rows.slice(number * buildsPerRelease, (number + 1) * buildsPerRelease).map(({ id }) => id),
    })
  const created = await api<Created>('POST', '/portals', { name: 'Acme builds', type: 'public' })
  const modes = { streams_mode: 'all', releases_mode: 'all' }
  type Portal = { data: { portal_url: string } }
  return (await api<Portal>('PUT', `/portals/${created.data.id}/applications/${applicationId}`, modes)).data
}

type Page = { name: string; path: string; etag?: string }

/** Opens a page, and returns the time in ms until it has arrived and its size in bytes. */
async function visit(page: Page): Promise<{ ms: number; bytes: number; etag: string }> {
  const startMs = performance.now()
  const response = await fetch(`${service.origin}${page.path}`, {
    headers: {
      accept: 'text/html',
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
      ...(page.etag === undefined ? {} : { 'if-none-match': page.etag }),
    },
  })
  const bytes = (await response.arrayBuffer()).byteLength
  if (response.status !== 200 && response.status !== 304) throw new Error(`${page.path}: ${response.status}`)
  return { ms: performance.now() - startMs, bytes, etag: response.headers.get('etag') ?? '' }
}

async function measure(page: Page) {
  for (let count = 0; count < warmUpVisits; count++) await visit(page)
  const { bytes } = await visit(page)
  const statements = await statementsDuring(database, () => visit(page))
  const backends = await backendsOfService(database.pool)
  const cpu = async () => ({
    server: await cpuSeconds([service.pid]),
    database: await cpuSeconds([...backends]),
  })
  const before = await cpu()
  const count = Math.max(Math.round((perMinute / 60) * seconds), 1)
  const startMs = performance.now()
  const visits: ReturnType<typeof visit>[] = []
  for (let number = 0; number < count; number++) {
    await pause(Math.max(startMs + (number * 60_000) / perMinute - performance.now(), 0))
    visits.push(visit(page))
  }
  const times = (await Promise.all(visits)).map(({ ms }) => ms).toSorted((a, b) => a - b)
  const after = await cpu()
  const result = {
    name: page.name,
    visits: count,
    bytes,
    statements: statements.length,
    serverMs: ((after.server - before.server) * 1000) / count,
    databaseMs: ((after.database - before.database) * 1000) / count,
    medianMs: times[Math.floor(count / 2)] ?? 0,
    p95Ms: times[Math.floor(count * 0.95)] ?? 0,
  }
  const { serverMs, databaseMs, medianMs, p95Ms } = result
  console.log(
    `  ${page.name.padEnd(22)} ${serverMs.toFixed(1)} ms CPU server, ${databaseMs.toFixed(1)} ms CPU database, ` +
      `${result.statements} statements, ${bytes} bytes; median ${medianMs.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms`,
  )
  return result
}

console.log(`\nB16: ${perMinute} visitors a minute, ${releases} releases, ${builds} builds`)
const front = await visit({ name: 'front page', path })
const [, release = ''] =
  /href="([^"]*\/releases\/[^"]*)"/.exec(
    await (await fetch(`${service.origin}${path}`, { headers: { accept: 'text/html' } })).text(),
  ) ?? []
const results = []
for (const page of [
  { name: 'front page', path },
  { name: 'front page, unchanged', path, etag: front.etag },
  { name: 'search', path: `${path}?q=crash&platform=windows` },
  { name: 'release', path: release },
  { name: 'Atom feed', path: `${path}/feed.atom` },
])
  results.push(await measure(page))
const figures = results.map(({ name, serverMs }) => ({
  name: `${name}, CPU of the server`,
  value: serverMs,
  unit: 'ms',
}))
await save('B16', { results }, figures)
await database.close()
await service.stop()
