import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

// as package.json starts it; BENCH_NODE_OPTIONS adds `--cpu-prof` and the like
const serverOptions = ['--max-semi-space-size=4', ...(process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? [])]
const key = 'the-bootstrap-key-of-the-benchmarks'

export type Service = Awaited<ReturnType<typeof startService>>

/**
 * The whole product as `npm start` runs it; rate limits off. On an empty folder of its own, or on one that is kept for
 * the next run.
 */
export async function startService(settings: Record<string, string> = {}, keptFolder?: string) {
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), 'quayside-bench-')))
  const port = await freePort()
  const url = settings['QUAYSIDE_PUBLIC_URL'] ?? `http://127.0.0.1:${port}`
  const program = join(import.meta.dirname, '../packages/server/src/main.ts')
  const server = spawn(process.execPath, [...serverOptions, program], {
    env: {
      PATH: process.env['PATH'],
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_PORT: String(port),
      QUAYSIDE_PUBLIC_URL: url,
      QUAYSIDE_BOOTSTRAP_KEY: key,
      QUAYSIDE_RATE_LIMIT: '0',
      QUAYSIDE_DOWNLOAD_RATE_LIMIT: '0',
      QUAYSIDE_LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  endWithUs(server)
  const origin = `http://127.0.0.1:${port}`
  while ((await fetch(`${origin}/readyz`).catch(() => undefined))?.status !== 200) {
    if (server.exitCode !== null) throw new Error(`the service ended with ${server.exitCode}`)
    await pause(50)
  }

  return {
    folder,
    port,
    origin,
    key,
    pid: server.pid ?? 0,
    /** One call of the API; throws on anything but a 2xx. */
    async api<T>(method: string, path: string, body?: unknown): Promise<T> {
      const answer = await fetch(`${origin}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text) as T
    },
    /** The most memory the server process ever had resident; its database is not in it. */
    async peakMemoryMb(): Promise<number> {
      const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
    },
    async stop(): Promise<void> {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
      if (keptFolder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A benchmark that fails leaves nothing running. */
export function endWithUs(child: ChildProcess): void {
  const end = () => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}
