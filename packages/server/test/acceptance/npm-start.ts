import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { request } from 'undici'
import { createClient, type Client } from './client.ts'
import { freePort } from './free-port.ts'
import { descendantsOf, isIn, isRunning, processesIn } from './processes.ts'
import { testStorageSettings } from './test-storage.ts'
import { until } from './until.ts'

export const repository = resolve(import.meta.dirname, '../../../..')

export type Victim = 'service' | 'database' | 'both' | 'everything' | 'npm'

/** A run of the service. `main` is the npm process, or the service itself if it runs without npm. */
export type Run = { main: ChildProcess; output: () => string; exited: Promise<number | null> }

export type Service = Awaited<ReturnType<typeof prepareService>>

type Options = {
  settings?: Record<string, string>
  /** Whether to run the service with `npm start`, as users do. Otherwise, Node runs it directly, which is faster. */
  usesNpm?: boolean
  /** Whether the service creates its database itself. Otherwise, its data folder is a copy with an empty database. */
  isNew?: boolean
  /** Working directory of the service. */
  folder?: string
  /** Data folder of the service. Defaults to a new folder. `remove` deletes it. */
  dataDir?: string
  /** The repository whose server runs without npm. Defaults to this repository. */
  version?: string
  /** Account that runs the service. Defaults to the current user. */
  account?: { uid: number; gid: number; home: string }
}

/** Prepares a service with its own port and data folder. */
export async function prepareService({
  settings = {},
  usesNpm = false,
  isNew = false,
  folder = repository,
  dataDir: existingDataDir,
  version = repository,
  account,
}: Options = {}) {
  const port = await freePort()
  const dataDir = existingDataDir ?? (await realpath(await mkdtemp(join(tmpdir(), 'quayside-acceptance-'))))
  const prepared = process.env['QUAYSIDE_TEST_DATA_FOLDER']
  if (existingDataDir === undefined && !isNew && prepared !== undefined)
    await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir])
  const url = `http://localhost:${port}`
  const key = 'bootstrap-key-of-the-acceptance-tests'
  const environment = {
    ...userEnvironment(),
    QUAYSIDE_PORT: String(port),
    QUAYSIDE_DATA_DIR: dataDir,
    QUAYSIDE_BOOTSTRAP_KEY: key,
    QUAYSIDE_RATE_LIMIT: '0',
    QUAYSIDE_DOWNLOAD_RATE_LIMIT: '0',
    QUAYSIDE_PUBLIC_RATE_LIMIT: '0',
    QUAYSIDE_FAILED_KEY_LIMIT: '0',
    ...testStorageSettings(),
    ...settings,
    ...(account && { HOME: account.home, USER: '', LOGNAME: '' }),
  }
  const client: Client = createClient({ url, key })
  let run: Run | undefined
  const runs: Run[] = []
  let lastServicePid: number | undefined

  const current = (): Run => {
    if (run === undefined) throw new Error('the service has not been launched')
    return run
  }

  /** Returns the PID of the server, or undefined if npm has not started it yet. */
  const servicePid = (): number | undefined => {
    const { pid = 0 } = current().main
    if (!usesNpm) return isRunning(pid) ? pid : undefined
    return descendantsOf(pid).find(
      ({ command }) => command[0]?.endsWith('node') === true && isServer(command),
    )?.pid
  }

  /** Returns the PID of the PostgreSQL server in the data folder, regardless of which process started it. */
  const databasePid = (): number | undefined => {
    try {
      const [line] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
      const pid = Number(line)
      return isRunning(pid) && isIn(dataDir, pid) ? pid : undefined
    } catch {
      return undefined
    }
  }

  /** Runs the service without waiting for it. */
  function launch(): Run {
    const [program, ...args] = usesNpm ? ['npm', 'start'] : [process.execPath, ...serverArguments(version)]
    const main = spawn(program, args, {
      cwd: folder,
      env: environment,
      ...(account && { uid: account.uid, gid: account.gid }),
      stdio: ['ignore', 'pipe', 'pipe'],
      // The service runs in its own process group, as in a terminal, so that signals do not reach other processes.
      detached: true,
    })
    let text = ''
    for (const stream of [main.stdout, main.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (text = `${text}${chunk}`.slice(-200_000)))
    const exited = once(main, 'exit').then(([code]) => code as number | null)
    run = { main, output: () => text, exited }
    runs.push(run)
    return run
  }

  const isReady = async (): Promise<boolean> => (await readiness(url)) === 200

  /** Starts the service and returns the time until it is ready, in milliseconds. */
  async function start(): Promise<number> {
    const startTime = performance.now()
    const before = lastServicePid
    const { main, output } = launch()
    await until(
      'the service is ready',
      async () => {
        if (hasEnded(main)) throw new Error(`the service exited:\n${output()}`)
        // A previous service that is shutting down may still respond.
        return !(before !== undefined && isRunning(before)) && isReady()
      },
      { withinMs: 60_000 },
    )
    lastServicePid = servicePid()
    return performance.now() - startTime
  }

  /** Sends SIGKILL and waits until the victims have exited and, unless only the database was killed, the run has ended. */
  async function kill(victim: Victim): Promise<void> {
    const { main, exited } = current()
    const everyone = () => [main.pid, servicePid(), ...processesIn(dataDir).map(({ pid }) => pid)]
    const found = {
      service: () => [servicePid()],
      database: () => [databasePid()],
      both: () => [servicePid(), databasePid()],
      everything: everyone,
      npm: () => [main.pid],
    }
    if (victim === 'service' || victim === 'both')
      await until('npm has started the service', () => servicePid() !== undefined || hasEnded(main))
    const victims = found[victim]().filter((pid) => pid !== undefined)
    for (const pid of victims) sendSignal(pid, 'SIGKILL')
    await until('the killed processes have ended', () => !victims.some(isRunning))
    if (victim !== 'database') await exited
  }

  /** Sends SIGTERM as a service manager does, and returns the exit code of the last run. */
  async function stop(): Promise<number | null> {
    for (const { main } of runs) if (!hasEnded(main)) main.kill('SIGTERM')
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
    /** Stops the service, kills remaining processes and deletes the data. */
    async remove(): Promise<void> {
      await stop()
      for (const { pid } of processesIn(dataDir)) sendSignal(pid, 'SIGKILL')
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

// These options are the same as in package.json.
const serverArguments = (version: string): string[] => [
  '--max-semi-space-size=4',
  '--max-old-space-size=1024',
  join(version, 'packages/server/bin/quayside-server.js'),
]

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const isServer = (command: string[]): boolean =>
  command.some((word) => word.endsWith('packages/server/bin/quayside-server.js'))

/** Returns the status of /readyz, or undefined if there is no response. */
export const readiness = (url: string): Promise<number | undefined> =>
  request(`${url}/readyz`, { headersTimeout: 5_000, bodyTimeout: 5_000 }).then(
    async ({ statusCode, body }) => {
      await body.dump()
      return statusCode
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

/** Returns the environment without the variables that npm and the test runner set, as in a user's shell. */
function userEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TMPDIR', 'SHELL', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
