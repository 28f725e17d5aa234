import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { folderArgument } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import { clusterName, stopServerProcesses, pause, sendSignal } from './processes.ts'
import { programEnvironment } from './program.ts'
import { serverSettings, settingArguments } from './settings.ts'

const lockTool = 'flock'
const lockedExitCode = 75
const maxLogBytes = 5 << 20

export type ServerOptions = {
  folder: string
  /** A path to the folder that is short enough to address a socket in it. */
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
 * Stops processes left by an earlier run, then starts the server. Resolves when the server accepts connections; after
 * a crash, it recovers first. Throws if the server exits before that or `signal` is aborted.
 */
export async function startServer(options: ServerOptions, signal: AbortSignal): Promise<ServerProcess> {
  const { folder, logFile } = options
  const name = await clusterName(folder)
  await stopServerProcesses(name, 4_000)
  await rejectForeignServer(options)
  await removeStaleLocks(folder)

  const size = await rotate(logFile)
  const stale = await postmasterFile(folder)
  const { child, exited } = await spawnServer(options, name)
  let exit: Exit | undefined
  void exited.then((seen) => (exit = seen))
  while (!(await isReady(folder, child.pid, stale))) {
    if (exit !== undefined) throw await startProblem(folder, exit, logFile, size)
    if (signal.aborted) await stop(child, exited, name)
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
      // A separate session, so that Ctrl-C in the terminal reaches only the service, which then stops the server.
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
 * Returns the command that locks the folder for the server and every process it forks. Unlike the process list, the
 * lock works across containers on the same volume. Returns an empty command if the tool is missing.
 */
function lockCommand(cwd: string, identity: { uid?: number; gid?: number }): Promise<string[]> {
  const command = ['--no-fork', '--nonblock', '--conflict-exit-code', String(lockedExitCode), '.']
  return new Promise((resolve) => {
    execFile(lockTool, [...command, 'true'], { cwd, env: programEnvironment, ...identity }, (error) =>
      resolve(error === null || error.code === lockedExitCode ? [lockTool, ...command] : []),
    )
  })
}

/** Throws if a server responds although none of its processes is visible: it runs in another container. */
async function rejectForeignServer({ folder, socketFolder }: ServerOptions): Promise<void> {
  const socket = connect(join(socketFolder, '.s.PGSQL.5432'))
  const responds = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  if (responds) throw inUse(folder)
}

const inUse = (folder: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    'in_use',
    `Another PostgreSQL server, possibly in another container, is using ${folder}. Stop it first.`,
  )

/** Removes lock files whose pid now belongs to another program, which PostgreSQL would mistake for a running server. */
async function removeStaleLocks(folder: string): Promise<void> {
  const pid = Number((await postmasterFile(folder))[0])
  if (!(pid > 0) || !sendSignal(pid, 0)) return
  await rm(join(folder, 'postmaster.pid'), { force: true })
  await rm(join(folder, '.s.PGSQL.5432.lock'), { force: true })
}

const postmasterFile = async (folder: string): Promise<string[]> =>
  (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')

/** `stale` is the pid file of a killed server. In a container, the new server often has the same pid. */
async function isReady(folder: string, pid: number | undefined, stale: string[]): Promise<boolean> {
  const lines = await postmasterFile(folder)
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready' && lines.join() !== stale.join()
}

async function startProblem(
  folder: string,
  exit: Exit,
  logFile: string,
  from: number,
): Promise<EmbeddedPostgresError> {
  if (exit.code === lockedExitCode) return inUse(folder)
  const output = (await readFile(logFile, 'utf8').catch(() => ''))
    .slice(from)
    .trim()
    .split('\n')
    .slice(-8)
    .join('\n')
  const reason = exit.signal ?? `exit code ${exit.code}`
  const code = /pre-existing shared memory|lock file ".*" already exists/.test(output)
    ? 'in_use'
    : 'not_started'
  return new EmbeddedPostgresError(code, `PostgreSQL did not start (${reason}):\n${output}`)
}

async function stop(child: ChildProcess, exited: Promise<Exit>, name: string): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    if (await exitsWithin(exited, timeoutMs)) break
  }
  await stopServerProcesses(name, 0)
}

async function exitsWithin(exited: Promise<Exit>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)))
  return await Promise.race([exited.then(() => true), late]).finally(() => clearTimeout(timer))
}

/** Renames the log file if it is large; returns the size of the current log file. */
async function rotate(logFile: string): Promise<number> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size < maxLogBytes) return size
  await rename(logFile, `${logFile}.1`)
  return 0
}
