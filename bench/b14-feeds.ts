import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../packages/server/test/acceptance/free-port.ts'
import { fillBuilds } from './builds-data.ts'
import { openDatabase } from './database.ts'
import { httpLoad } from './load-clients.ts'
import { median, option, report, type Line } from './report.ts'
import { killOnExit, startService } from './service.ts'

// B14 compares requests of update feeds to a bare Fastify route that sends the same bytes.
const rounds = option('rounds', 5)
const seconds = option('seconds', 3)
const clients = option('clients', 16)
const builds = option('builds', 5_000)
const warmUpSeconds = option('warmup', 2)

const service = await startService({ QUAYSIDE_PUBLIC_RATE_LIMIT: '0' })
const database = openDatabase(service)
const applicationId = await fillBuilds(service, database, builds)
// Feeds offer only files with checksums.
await database.pool.query(`update files set checksum_sha256 = encode(sha256(id::text::bytea), 'hex')
  where checksum_sha256 is null`)
const { data: channel } = await service.api<{ data: { id: string } }>(
  'POST',
  `/applications/${applicationId}/channels`,
  { name: `Feeds ${Date.now()}`, stream: 'nightlies', formats: ['json'] },
)
const base = `/u/${channel.id}/json`

/** Starts a bare route that sends the same response, or 304 if the entity tag is equal. */
async function startBareRoute(body: string, etag: string) {
  const port = await freePort()
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, 'bare-feed.server.ts'), JSON.stringify({ port, body, etag })],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  killOnExit(server)
  while (!(await fetch(`http://127.0.0.1:${port}/feed`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null) throw new Error(`the bare route exited with code ${server.exitCode}`)
    await pause(20)
  }
  return { port, stop: () => server.kill('SIGKILL') }
}

type Feed = { name: string; path: string; isUnchanged: boolean; goal: number }

async function measure({ name, path, isUnchanged, goal }: Feed): Promise<Line> {
  const response = await fetch(`${service.origin}${path}`)
  const etag = response.headers.get('etag') ?? ''
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body}`)
  const bare = await startBareRoute(body, etag)
  const load = (port: number, requested: string, loadSeconds: number) =>
    httpLoad({
      port,
      path: requested,
      key: '',
      clients,
      seconds: loadSeconds,
      ...(isUnchanged ? { etag } : {}),
    })
  await load(service.port, path, warmUpSeconds)
  await load(bare.port, '/feed', warmUpSeconds)
  const ours: number[] = []
  const limits: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await load(service.port, path, seconds))
    limits.push(await load(bare.port, '/feed', seconds))
  }
  bare.stop()
  return { name, ours: median(ours), limit: median(limits), limitName: 'bare', unit: '/s', goal }
}

const latest = `${base}/latest.json?version=0.0.1&platform=android`
const lines = [
  await measure({ name: 'latest.json, unchanged', path: latest, isUnchanged: true, goal: 0.7 }),
  await measure({ name: 'latest.json', path: latest, isUnchanged: false, goal: 0.5 }),
  await measure({ name: 'versions.json', path: `${base}/versions.json`, isUnchanged: false, goal: 0.5 }),
]
await report('B14', lines, { versions: builds })
await database.close()
await service.stop()
