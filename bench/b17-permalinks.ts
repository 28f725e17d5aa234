import { fillBuilds } from './builds-data.ts'
import { openDatabase, statementsDuring, type Statement } from './database.ts'
import { folderOption, median, option, save, textOption } from './report.ts'
import { startService } from './service.ts'

// B17 measures permalinks, badges and the pages of a public portal with a million builds: the response time, and the time in
// the database of all statements of a request. A rare platform or architecture has only the oldest build of a stream.
const rounds = option('rounds', 7)
const builds = option('builds', 1_000_000)
const releases = option('releases', 5_000)
const folder = folderOption('permalinks')
const portalName = `Portal of ${builds} builds`
const pattern = textOption('only', '')
/** Prints the plan of statements that take longer. */
const explainAfterMs = option('explain-after-ms', Infinity)

const service = await startService({ QUAYSIDE_PUBLIC_RATE_LIMIT: '0' }, folder)
const database = openDatabase(service)
const applicationId = await fillBuilds(service, database, builds)
const portal = await createPortal()
const streams = new Map(
  (
    await service.api<{ data: { id: string; name: string }[] }>(
      'GET',
      `/applications/${applicationId}/streams`,
    )
  ).data.map(({ id, name }) => [name, id]),
)

/** Creates a portal that shows all streams and releases, unless an earlier run has created it. */
async function createPortal(): Promise<{ id: string }> {
  const { data } = await service.api<{ data: { id: string; name: string }[] }>('GET', '/portals')
  const existing = data.find(({ name }) => name === portalName)
  if (existing !== undefined) return existing
  await addRareBuilds()
  await addReleases()
  await database.pool.query('analyze')
  const body = { name: portalName, type: 'public' }
  const created = await service.api<{ data: { id: string } }>('POST', '/portals', body)
  const modes = { streams_mode: 'all', releases_mode: 'all' }
  await service.api('PUT', `/portals/${created.data.id}/applications/${applicationId}`, modes)
  return created.data
}

async function addRareBuilds(): Promise<void> {
  const oldest = `select id from builds where application_id = $1 and deleted_at is null and platform = $2
    and stream_id in (select id from streams where name = 'nightlies') order by created_at limit 1`
  const { pool } = database
  await pool.query(`update builds set platform = 'apple-tv' where id = (${oldest})`, [applicationId, 'ios'])
  await pool.query(`update builds set architectures = '{x86}' where id = (${oldest})`, [
    applicationId,
    'windows',
  ])
}

/** Publishes the latest stable builds, four in a release, of which the first release also has the rare builds. */
async function addReleases(): Promise<void> {
  const { pool } = database
  await pool.query(
    `insert into releases (id, workspace_id, application_id, version_major, version_minor, version_patch, version_sort, title,
      notes, published_at, created_at)
    select 'r' || lpad(to_hex(n), 8, '0'), workspace_id, applications.id, 1, n, 0, '0001' || lpad(n::text, 4, '0') || '0000~',
      'Release ' || n, E'## Added\n\n- A feature with a **name**\n- Another one\n\n## Fixed\n\n- A crash while saving\n',
      now() - make_interval(hours => ${releases} - n), now() - make_interval(hours => ${releases} - n)
    from applications, generate_series(0, ${releases - 1}) as n where applications.id = $1`,
    [applicationId],
  )
  await pool.query(
    `insert into release_builds (release_id, build_id, application_id)
    select 'r' || lpad(to_hex(${releases - 1} - (number - 1) / 4), 8, '0'), id, $1 from (
      select id, row_number() over (order by created_at desc)::int as number from builds
      where application_id = $1 and deleted_at is null and stream_id in (select id from streams where name = 'stable')
      order by created_at desc limit ${releases * 4}) as recent
    union all select 'r00000000', id, $1 from builds
      where application_id = $1 and (platform = 'apple-tv' or architectures = '{x86}')`,
    [applicationId],
  )
}

type Request = { name: string; path: string; status: number; method?: 'GET' | 'HEAD' }

const permalinks = `/d/${applicationId}`
const pages = `/p/${portal.id}`
const nightlies = streams.get('nightlies') ?? ''

const requests: Request[] = [
  { name: 'latest of a stream', path: `${permalinks}/nightlies/latest/android`, status: 302 },
  {
    name: 'latest of a stream, HEAD',
    path: `${permalinks}/nightlies/latest/android`,
    status: 302,
    method: 'HEAD',
  },
  { name: 'with an architecture', path: `${permalinks}/nightlies/latest/android/arm64v8`, status: 302 },
  { name: 'rare platform', path: `${permalinks}/nightlies/latest/apple-tv`, status: 302 },
  { name: 'rare architecture', path: `${permalinks}/nightlies/latest/windows/x86`, status: 302 },
  { name: 'no such platform', path: `${permalinks}/nightlies/latest/web`, status: 404 },
  { name: 'no such architecture', path: `${permalinks}/nightlies/latest/android/riscv`, status: 404 },
  { name: 'latest release', path: `${permalinks}/releases/latest/android`, status: 302 },
  {
    name: 'latest release, HEAD',
    path: `${permalinks}/releases/latest/android`,
    status: 302,
    method: 'HEAD',
  },
  { name: 'latest release, rare platform', path: `${permalinks}/releases/latest/apple-tv`, status: 302 },
  { name: 'latest release, rare arch.', path: `${permalinks}/releases/latest/windows/x86`, status: 302 },
  { name: 'latest release, no platform', path: `${permalinks}/releases/latest/web`, status: 404 },
  { name: 'release by version', path: `${permalinks}/releases/1.0.0/apple-tv`, status: 302 },
  { name: 'badge of a stream', path: `${permalinks}/nightlies/latest/android/badge.svg`, status: 200 },
  { name: 'badge of a release', path: `${permalinks}/releases/latest/android/badge.json`, status: 200 },
  { name: 'portal: front page', path: pages, status: 200 },
  { name: 'portal: rare platform', path: `${pages}?platform=apple-tv`, status: 200 },
  { name: 'portal: no such platform', path: `${pages}?platform=html5`, status: 200 },
  { name: 'portal: search', path: `${pages}?q=crash`, status: 200 },
  { name: 'portal: search without match', path: `${pages}?q=nothing+like+this`, status: 200 },
  { name: 'portal: changelog', path: `${pages}/changelog`, status: 200 },
  { name: 'portal: Atom feed', path: `${pages}/feed.atom`, status: 200 },
  { name: 'portal: stream', path: `${pages}/streams/${nightlies}`, status: 200 },
]

async function send({ path, status, method = 'GET' }: Request): Promise<number> {
  const startMs = performance.now()
  // The service responds to browsers that open a permalink with another status than to programs.
  const accept = path.startsWith('/p/') ? 'text/html' : '*/*'
  const response = await fetch(`${service.origin}${path}`, {
    method,
    headers: { accept },
    redirect: 'manual',
  })
  await response.arrayBuffer()
  if (response.status !== status) throw new Error(`${method} ${path}: ${response.status}, not ${status}`)
  return performance.now() - startMs
}

/** Prints the plan of a statement that only reads. */
async function explain({ text, values, ms }: Statement): Promise<void> {
  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers) ${text}`,
    values,
  )
  const plan = rows.map((row) => row['QUERY PLAN'])
  console.log([`    ${ms.toFixed(1)} ms`, text, ...plan].join('\n    '))
}

async function measure(request: Request) {
  const responseMs: number[] = []
  const databaseMs: number[] = []
  let statements: Statement[] = []
  for (let round = 0; round < rounds; round++) {
    responseMs.push(await send(request))
    statements = await statementsDuring(database, () => send(request))
    databaseMs.push(statements.reduce((sum, { ms }) => sum + ms, 0))
  }
  const result = { ...request, responseMs: median(responseMs), databaseMs: median(databaseMs) }
  console.log(
    `  ${request.name.padEnd(30)} response ${result.responseMs.toFixed(0).padStart(5)} ms, ` +
      `database ${result.databaseMs.toFixed(1).padStart(7)} ms in ${statements.length} statements`,
  )
  for (const statement of statements)
    if (statement.ms > explainAfterMs && /^\s*(select|with)/i.test(statement.text)) await explain(statement)
  return result
}

console.log(`\nB17: ${builds} builds, ${releases} releases`)
const results = []
for (const request of requests)
  if (new RegExp(pattern).test(request.name)) results.push(await measure(request))
const figures = results.map(({ name, databaseMs }) => ({
  name: `${name}, database`,
  value: databaseMs,
  unit: 'ms',
}))
await save('B17', { builds, releases, results }, figures)
await database.close()
await service.stop()
