import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { folderArgument } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import {
  clusterName,
  findServerProcesses,
  identifyingSettings,
  pause,
  stopServerProcesses,
} from './processes.ts'
import { programEnvironment } from './program.ts'
import { serverSettings, settingArguments } from './settings.ts'
import type { Account } from './types.ts'

const lockTool = 'flock'
const lockedExitCode = 75
const maxLogBytes = 5 << 20

type FolderOptions = {
  folder: string
  /** A path to the folder that is short enough for a socket address. */
  socketFolder: string
}

export type ServerOptions = FolderOptions & {
  logFile: string
  programFolder: string
  account: Account
  platform: string
  settings: Record<string, string>
  onSpawn?: (() => void) | undefined
}

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

type Running = { child: ChildProcess; exited: Promise<Exit> }

/** A running server. `exited` never rejects. */
export type ServerProcess = { pid: number; exited: Promise<Exit>; stop: () => Promise<void> }

/**
 * Stops processes left by an earlier run, then starts the server. Resolves when the server accepts connections; after a
 * crash, this is once recovery is complete. Throws if the server exits first or `signal` is aborted.
 */
export async function startServer(options: ServerOptions, signal: AbortSignal): Promise<ServerProcess> {
  const { folder, logFile } = options
  const name = await clusterName(folder)
  await requireFreeFolder(options)
  await removeLockFiles(folder)

  const size = await rotate(logFile)
  const { child, exited } = await spawnServer(options, name)
  options.onSpawn?.()
  let exit: Exit | undefined
  void exited.then((seen) => (exit = seen))
  while (!(await isReady(folder, child.pid))) {
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
    ...((await isLockable(folder)) ? lockCommand : []),
    join(programFolder, 'bin', 'postgres'),
    '-D',
    folderArgument(folder, account, platform),
    ...settingArguments({
      ...serverSettings,
      ...options.settings,
      ...(await identifyingSettings(name)),
    }),
  ]
  try {
    const child = spawn(command[0] as string, command.slice(1), {
      ...identity,
      cwd: folder,
      env: programEnvironment,
      // The server runs in its own session, so that Ctrl-C reaches only the service, which then stops the server.
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
 * Ensures that no server uses the folder. Stops a server that was orphaned when the process that started it was killed.
 * Throws `in_use` if another process supervises the server or if it runs in another container.
 */
export async function requireFreeFolder({ folder, socketFolder }: FolderOptions): Promise<void> {
  await rejectSupervisedServer(folder)
  await stopServerProcesses(await clusterName(folder), 4_000)
  if ((await tryLock(folder)) === lockedExitCode) throw inUse(folder)
  await rejectRespondingServer(folder, socketFolder)
}

/** Throws if the process that started the server is still running, because the server is then not orphaned. */
export async function rejectSupervisedServer(folder: string): Promise<void> {
  const found = await findServerProcesses(await clusterName(folder))
  if (found.some(({ isSupervised }) => isSupervised)) throw inUse(folder)
}

// Unlike a check of the process list, the lock works across containers that share a volume. Processes that the server
// forks inherit the lock.
const lockCommand = [lockTool, '--no-fork', '--nonblock', '--conflict-exit-code', String(lockedExitCode), '.']

const isLockable = async (folder: string): Promise<boolean> =>
  [0, lockedExitCode].includes(Number(await tryLock(folder)))

/** Acquires and releases the lock. Returns the exit code of the lock tool, or an error code if the tool is missing. */
function tryLock(folder: string): Promise<number | string | null | undefined> {
  const [tool = '', ...args] = lockCommand
  return new Promise((resolve) => {
    execFile(tool, [...args, 'true'], { cwd: folder, env: programEnvironment }, (error) =>
      resolve(error === null ? 0 : error.code),
    )
  })
}

/** Throws if a server responds. Its processes are not in the process list, so it runs in another container. */
async function rejectRespondingServer(folder: string, socketFolder: string): Promise<void> {
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

/**
 * Removes the lock files of a server that is no longer running. PostgreSQL refuses to start if a lock file is empty
 * because the server was killed while writing it, or if another program now has the recorded PID.
 */
async function removeLockFiles(folder: string): Promise<void> {
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock'])
    await rm(join(folder, name), { recursive: true, force: true })
}

async function isReady(folder: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
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

/** Renames the log file if it is large. Returns the size of the current log file. */
async function rotate(logFile: string): Promise<number> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size < maxLogBytes) return size
  await rename(logFile, `${logFile}.1`)
  return 0
}
