import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isErrno, problem } from '../lib/problem.ts'

export type InstanceLock = {
  /** Announces a shutdown, so that a starting service waits for the lock instead of failing. */
  leave(): Promise<void>
  release(): Promise<void>
}

/** The process that holds the lock. `name` is empty if the process has not yet written its PID to the file. */
type Holder = { name: string; isLeaving: boolean }

const vanishedTimeoutMs = 1_000
// This is longer than the 30 s that in-flight requests have to finish during a shutdown.
const leavingTimeoutMs = 40_000
const retryMs = 50

/**
 * Acquires the lock on a data folder, creating the folder with mode 0700 if necessary. Waits while the lock holder is
 * shutting down; otherwise throws a `conflict` Problem that names the process holding the lock. The kernel enforces the
 * lock across containers on the same volume and releases it when the process exits, even if it is killed.
 */
export async function acquireInstanceLock(dataDir: string): Promise<InstanceLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'instance.lock')
  const startedAt = performance.now()
  for (;;) {
    const outcome = await tryAcquire(path)
    if ('release' in outcome) return outcome
    const { name, isLeaving } = outcome
    const timeoutMs = isLeaving ? leavingTimeoutMs : name === '' ? vanishedTimeoutMs : 0
    if (performance.now() - startedAt >= timeoutMs)
      throw name === '' ? alreadyRunning({ dataDir }) : runningAs({ dataDir, name })
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

const alreadyRunning = problem(
  'conflict',
  'instance.running',
  'Quayside is already running with the data folder {dataDir}. Stop it first, or choose another folder with QUAYSIDE_DATA_DIR.',
)

const runningAs = problem(
  'conflict',
  'instance.running',
  'Quayside is already running with the data folder {dataDir} ({name}). Stop it first, or choose another folder with QUAYSIDE_DATA_DIR.',
)

async function tryAcquire(path: string): Promise<InstanceLock | Holder> {
  const file = await openLockFile(path)
  if (file === undefined) return await readHolder(path)
  const isLocked = process.platform === 'darwin' || (await lockWithTool(file, path))
  // The file may have been deleted after it was opened, and a lock on a deleted file protects nothing.
  if (!isLocked || !(await isFileAt(path, file))) {
    await file.close()
    return isLocked ? { name: '', isLeaving: false } : await readHolder(path)
  }
  const announce = async (state: string) => {
    await file.truncate(0)
    await file.write(state, 0)
  }
  await announce(`${process.pid} ${hostname()}`)
  return {
    leave: () => announce(`${process.pid} ${hostname()} leaving`),
    async release() {
      await file.truncate(0)
      await file.close()
    },
  }
}

/**
 * Opens the lock file with owner-only permissions. On macOS, also locks it; returns undefined if it is already locked.
 */
async function openLockFile(path: string): Promise<FileHandle | undefined> {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = constants
  // 0x20 is the O_EXLOCK flag of open(2) on macOS, for which Node.js has no constant.
  const lockWhileOpening = process.platform === 'darwin' ? 0x20 | O_NONBLOCK : 0
  try {
    return await open(path, O_RDWR | O_CREAT | lockWhileOpening, 0o600)
  } catch (error) {
    if (isErrno(error, 'EAGAIN', 'EWOULDBLOCK')) return undefined
    throw error
  }
}

/**
 * Returns whether the file could be locked. Node.js does not expose flock(2), so the `flock` tool locks an inherited
 * file descriptor. The lock belongs to the open file, so this process keeps it after the tool exits.
 */
async function lockWithTool(file: FileHandle, path: string): Promise<boolean> {
  const tool = spawn('flock', ['-x', '-n', '3'], { stdio: ['ignore', 'ignore', 'pipe', file.fd] })
  const output = text(tool.stderr as NonNullable<typeof tool.stderr>)
  const [code] = (await once(tool, 'close').catch((error: unknown) => {
    throw isErrno(error, 'ENOENT') ? flockMissing({ path }) : cannotLock({ path, reason: String(error) })
  })) as [number | null]
  if (code === 0) return true
  if (code === 1) return false
  throw cannotLock({ path, reason: (await output).trim() })
}

const cannotLock = problem(
  'unavailable',
  'instance.cannot_lock',
  '{path} cannot be locked: {reason}. Install util-linux, or choose a data folder on a local disk.',
)

const flockMissing = problem(
  'unavailable',
  'instance.cannot_lock',
  '{path} cannot be locked: the flock command from util-linux is missing. Install util-linux, or choose a data folder on a local disk.',
)

async function isFileAt(path: string, file: FileHandle): Promise<boolean> {
  const [opened, found] = await Promise.all([file.stat(), stat(path).catch(() => undefined)])
  return found !== undefined && found.dev === opened.dev && found.ino === opened.ino
}

async function readHolder(path: string): Promise<Holder> {
  const file = await open(path, 'r').catch(() => undefined)
  const [pid = '', host, leaving] = ((await file?.readFile('utf8')) ?? '').split(' ')
  await file?.close()
  // The same PID may belong to a different process in another container.
  const place = host === hostname() ? '' : ` on ${host}`
  return { name: pid === '' ? '' : `process ${pid}${place}`, isLeaving: leaving !== undefined }
}
