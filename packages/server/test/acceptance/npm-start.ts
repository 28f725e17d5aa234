import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createClient, type Client } from './client.ts'
import { descendantsOf, isRunning, processesIn } from './processes.ts'
import { until } from './until.ts'

export const repository = resolve(import.meta.dirname, '../../../..')

export type Victim = 'service' | 'database' | 'both' | 'everything' | 'npm'

/** One `npm start`: the process of npm and what it said. */
export type Run = { npm: ChildProcess; output: () => string; exited: Promise<number | null> }

export type Service = Awaited<ReturnType<typeof prepareService>>

type Options = {
  settings?: Record<string, string>
  /** Where `npm start` is typed. */
  folder?: string
  /** By default a new one, which `remove` deletes. */
  dataDir?: string
  /** Who types it, when that is not us. */
  account?: { uid: number; gid: number; home: string }
}

/** A service as a user runs it: `npm start` in the repository, on a port and a data folder of its own. */
export async function prepareService({
  settings = {},
  folder = repository,
  dataDir: given,
  account,
}: Options = {}) {
  const port = await freePort()
  const dataDir = given ?? (await realpath(await mkdtemp(join(tmpdir(), 'quayside-acceptance-'))))
  const url = `http://localhost:${port}`
  const key = 'bootstrap-key-of-the-acceptance-tests'
  const environment = {
    ...ownEnvironment(),
    QUAYSIDE_PORT: String(port),
    QUAYSIDE_DATA_DIR: dataDir,
    QUAYSIDE_BOOTSTRAP_KEY: key,
    QUAYSIDE_RATE_LIMIT: '0',
    QUAYSIDE_DOWNLOAD_RATE_LIMIT: '0',
    ...settings,
    ...(account && { HOME: account.home, USER: '', LOGNAME: '' }),
  }
  const client: Client = createClient({ url, key })
  let run: Run | undefined
  const runs: Run[] = []
  let serving: number | undefined

  const current = (): Run => {
    if (run === undefined) throw new Error('not started yet')
    return run
  }

  /** The process that serves, found below npm; undefined while npm has not started it. */
  const servicePid = (): number | undefined =>
    descendantsOf(current().npm.pid ?? 0).find(
      ({ command }) => command[0]?.endsWith('node') === true && isMain(command),
    )?.pid

  /** The postmaster of the data folder, whoever started it. */
  const databasePid = (): number | undefined => {
    try {
      const [pid] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
      return processesIn(dataDir).find((running) => running.pid === Number(pid))?.pid
    } catch {
      return undefined
    }
  }

  /** Types `npm start` and waits for nothing. */
  function launch(): Run {
    const npm = spawn('npm', ['start'], {
      cwd: folder,
      env: environment,
      ...(account && { uid: account.uid, gid: account.gid }),
      stdio: ['ignore', 'pipe', 'pipe'],
      // a group of its own, as in a terminal: what is sent to it reaches nobody else
      detached: true,
    })
    let said = ''
    for (const stream of [npm.stdout, npm.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-200_000)))
    const exited = once(npm, 'exit').then(([code]) => code as number | null)
    run = { npm, output: () => said, exited }
    runs.push(run)
    return run
  }

  const isReady = async (): Promise<boolean> => (await readiness(url)) === 200

  /** `npm start`; answers after how many milliseconds it was ready. */
  async function start(): Promise<number> {
    const began = performance.now()
    const before = serving
    const { npm, output } = launch()
    await until(
      'the service is ready',
      async () => {
        if (npm.exitCode !== null || npm.signalCode !== null) throw new Error(`npm start ended:\n${output()}`)
        // one that is on its way out may still answer
        return !(before !== undefined && isRunning(before)) && isReady()
      },
      { withinMs: 60_000 },
    )
    serving = servicePid()
    return performance.now() - began
  }

  /** kill -9; returns when what was killed is gone, and npm too where it has nobody left to wait for. */
  async function kill(victim: Victim): Promise<void> {
    const { npm, exited } = current()
    const everyone = () => [npm.pid, servicePid(), ...processesIn(dataDir).map(({ pid }) => pid)]
    const found = {
      service: () => [servicePid()],
      database: () => [databasePid()],
      both: () => [servicePid(), databasePid()],
      everything: everyone,
      npm: () => [npm.pid],
    }
    const victims = found[victim]().filter((pid) => pid !== undefined)
    for (const pid of victims) sendSignal(pid, 'SIGKILL')
    await until('what was killed is gone', () => !victims.some(isRunning))
    if (victim !== 'database') await exited
  }

  /** SIGTERM to npm, as a service manager sends it; answers the exit code of the last run. */
  async function stop(): Promise<number | null> {
    for (const { npm } of runs) if (npm.exitCode === null && npm.signalCode === null) npm.kill('SIGTERM')
    const codes = await Promise.all(runs.map(({ exited }) => exited))
    return codes.at(-1) ?? null
  }

  return {
    url,
    port,
    key,
    dataDir,
    client,
    environment,
    current,
    servicePid,
    databasePid,
    launch,
    start,
    isReady,
    kill,
    stop,
    /** Ends whatever is left, and deletes the data. */
    async remove(): Promise<void> {
      await stop()
      for (const { pid } of processesIn(dataDir)) sendSignal(pid, 'SIGKILL')
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const isMain = (command: string[]): boolean =>
  command.some((word) => word.endsWith('packages/server/src/main.ts'))

/** Status of /readyz; undefined when nobody answers. */
export const readiness = (url: string): Promise<number | undefined> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => undefined,
  )

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** What a user's shell hands on; nothing of the npm and the test runner that we run under. */
function ownEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TMPDIR', 'SHELL']
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

/**
 * Below the ports that the system gives to connections: there a client that knocks while nobody listens may be given
 * the very port it knocks at, and talk to itself.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
