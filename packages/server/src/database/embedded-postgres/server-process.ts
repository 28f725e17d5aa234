import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Problem } from '../../lib/problem.ts'
import type { Account } from './account.ts'
import { folderArgument } from './cluster.ts'
import { clusterName, endServerProcesses, pause, sendSignal } from './processes.ts'
import { programEnvironment } from './program.ts'
import { serverSettings, settingArguments } from './settings.ts'

const lockTool = 'flock'
const lockedExitCode = 75
const logLimitBytes = 5 << 20

export type ServerOptions = {
  folder: string
  /** The folder by a path that is short enough for a socket in it. */
  socketFolder: string
  logFile: string
  programFolder: string
  account: Account
  platform: string
  settings: Record<string, string>
}

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

type Running = { child: ChildProcess; exited: Promise<Exit> }

/** One run of the server; `exited` never rejects. */
export type ServerProcess = { pid: number; exited: Promise<Exit>; stop: () => Promise<void> }

/**
 * Ends what an earlier run left, then starts the server. Answers once it takes connections, which after a
 * crash is after its recovery. Throws when it ends before that, or when `given` up.
 */
export async function startServer(options: ServerOptions, given: AbortSignal): Promise<ServerProcess> {
  const { folder, logFile } = options
  const name = await clusterName(folder)
  await endServerProcesses(name, 4_000)
  await refuseForeignServer(options)
  await removeStaleLocks(folder)

  const size = await rotate(logFile)
  const stale = await postmasterFile(folder)
  const { child, exited } = await spawnServer(options, name)
  let exit: Exit | undefined
  void exited.then((seen) => (exit = seen))
  while (!(await isReady(folder, child.pid, stale))) {
    if (exit !== undefined) throw await startProblem(folder, exit, logFile, size)
    if (given.aborted) await stop(child, exited, name)
    await pause(15)
  }
  return { pid: child.pid as number, exited, stop: () => stop(child, exited, name) }
}

async function spawnServer(options: ServerOptions, name: string): Promise<Running> {
  const { folder, programFolder, account, platform } = options
  const { uid, gid, switches } = account
  const identity = switches ? { uid, gid } : {}
  const log = await open(options.logFile, 'a', 0o600)
  const command = [
    ...(await lockCommand(folder, identity)),
    join(programFolder, 'bin', 'postgres'),
    '-D',
    folderArgument(folder, account, platform),
    ...settingArguments({ ...serverSettings, ...options.settings, cluster_name: name }),
  ]
  try {
    const child = spawn(command[0] as string, command.slice(1), {
      ...identity,
      cwd: folder,
      env: programEnvironment,
      // a session of its own: Ctrl-C in the terminal is for the service, which stops the server when it is done
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    const exited = new Promise<Exit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    child.unref()
    return { child, exited }
  } finally {
    await log.close()
  }
}

/**
 * The kernel's lock on the folder, held by the server and every process it forks, also holds against another
 * container on the same volume, whose processes can not be seen from here. Where the tool is missing the
 * service's own lock has to do.
 */
function lockCommand(cwd: string, identity: { uid?: number; gid?: number }): Promise<string[]> {
  const command = ['--no-fork', '--nonblock', '--conflict-exit-code', String(lockedExitCode), '.']
  return new Promise((resolve) => {
    execFile(lockTool, [...command, 'true'], { cwd, env: programEnvironment, ...identity }, (error) =>
      resolve(error === null || error.code === lockedExitCode ? [lockTool, ...command] : []),
    )
  })
}

/** By the time its own processes are gone, whoever still answers is not ours to end. */
async function refuseForeignServer({ folder, socketFolder }: ServerOptions): Promise<void> {
  const socket = connect(join(socketFolder, '.s.PGSQL.5432'))
  const answers = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  if (answers) throw inUse(folder)
}

const inUse = (folder: string): Problem =>
  new Problem(
    'unavailable',
    'embedded_postgres.in_use',
    `A PostgreSQL server that can not be seen from here runs on ${folder}, in another container perhaps: stop it first.`,
  )

/** The number in a lock file may meanwhile be another program's, which PostgreSQL would take for itself. */
async function removeStaleLocks(folder: string): Promise<void> {
  const pid = Number((await postmasterFile(folder))[0])
  if (!(pid > 0) || !sendSignal(pid, 0)) return
  await rm(join(folder, 'postmaster.pid'), { force: true })
  await rm(join(folder, '.s.PGSQL.5432.lock'), { force: true })
}

const postmasterFile = async (folder: string): Promise<string[]> =>
  (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')

/** `stale` is what a killed server wrote: in a container the new one often has the same number. */
async function isReady(folder: string, pid: number | undefined, stale: string[]): Promise<boolean> {
  const lines = await postmasterFile(folder)
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready' && lines.join() !== stale.join()
}

async function startProblem(folder: string, exit: Exit, logFile: string, from: number): Promise<Problem> {
  if (exit.code === lockedExitCode) return inUse(folder)
  const said = (await readFile(logFile, 'utf8').catch(() => ''))
    .slice(from)
    .trim()
    .split('\n')
    .slice(-8)
    .join('\n')
  const how = exit.signal ?? `exit code ${exit.code}`
  const code = /pre-existing shared memory|lock file ".*" already exists/.test(said)
    ? 'in_use'
    : 'not_started'
  return new Problem(
    'unavailable',
    `embedded_postgres.${code}`,
    `PostgreSQL did not start (${how}):\n${said}`,
  )
}

async function stop(child: ChildProcess, exited: Promise<Exit>, name: string): Promise<void> {
  for (const [signal, milliseconds] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    if (await endsWithin(exited, milliseconds)) break
  }
  await endServerProcesses(name, 0)
}

async function endsWithin(exited: Promise<Exit>, milliseconds: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), milliseconds)
  return await Promise.race([exited.then(() => true), late.promise]).finally(() => clearTimeout(timer))
}

/** Answers with the size the log now has. */
async function rotate(logFile: string): Promise<number> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size < logLimitBytes) return size
  await rename(logFile, `${logFile}.1`)
  return 0
}
