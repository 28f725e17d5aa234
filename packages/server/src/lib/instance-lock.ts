import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { isErrno, Problem } from './problem.ts'

export type InstanceLock = {
  /** Announces that the folder will be free soon, so that a starting service waits for it. */
  leave(): void
  release(): Promise<void>
}

/** The process that holds the lock; the name is empty if it has already exited. */
type Holder = { name: string; isLeaving: boolean }

const vanishedTimeoutMs = 1_000
// Longer than the 30 s that requests in flight have to finish.
const leavingTimeoutMs = 40_000
const retryMs = 50
const responseTimeoutMs = 1_000

/**
 * Acquires the lock of a data folder, creating it with mode 0700 if necessary. Waits for a service that is shutting
 * down. Throws a `conflict` that names the process holding it. The lock is released when the process exits, even if
 * it is killed.
 */
export async function acquireInstanceLock(dataDir: string): Promise<InstanceLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const acquire = process.platform === 'linux' ? await socketLock(dataDir) : pidFileLock(dataDir)
  const startedAt = performance.now()
  for (;;) {
    const outcome = await acquire()
    if ('release' in outcome) return outcome
    const { name, isLeaving } = outcome
    const timeoutMs = isLeaving ? leavingTimeoutMs : name === '' ? vanishedTimeoutMs : 0
    if (performance.now() - startedAt >= timeoutMs) throw alreadyRunning(dataDir, name)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

const alreadyRunning = (dataDir: string, holder: string): Problem =>
  new Problem(
    'conflict',
    'instance.running',
    `Quayside is already running on the data folder ${dataDir}${holder === '' ? '' : ` (${holder})`}. ` +
      'Stop it first, or set another folder with QUAYSIDE_DATA_DIR.',
  )

type Acquire = () => Promise<InstanceLock | Holder>

/** unix(7): an abstract socket name is bound by one socket at a time, has no file and disappears with the process. */
async function socketLock(dataDir: string): Promise<Acquire> {
  const { dev, ino } = await stat(dataDir, { bigint: true })
  const path = `\0quayside-${dev}-${ino}`
  return async () => {
    let response = String(process.pid)
    const server = createServer((socket) => socket.on('error', () => {}).end(response))
    try {
      await once(server.listen({ path, exclusive: true }), 'listening')
    } catch (error) {
      if (!isErrno(error, 'EADDRINUSE')) throw error
      return await queryHolder(path)
    }
    server.unref()
    return {
      leave: () => void (response = `${process.pid} leaving`),
      release: () => promisify(server.close.bind(server))(),
    }
  }
}

async function queryHolder(path: string): Promise<Holder> {
  const socket = connect({ path })
  let isSilent = false
  socket.setTimeout(responseTimeoutMs, () => {
    isSilent = true
    socket.destroy()
  })
  const [pid = '', leaving] = (await text(socket).catch(() => '')).split(' ')
  if (isSilent) return { name: 'a process that does not respond', isLeaving: false }
  return { name: pid === '' ? '' : `process ${pid}`, isLeaving: leaving !== undefined }
}

/** For systems without abstract sockets: a file with the process id and its start time, because ids are reused. */
function pidFileLock(dataDir: string): Acquire {
  const path = join(dataDir, 'quayside.pid')
  return async () => {
    const own = `${process.pid} ${await startTime(process.pid)}`
    try {
      await writeFile(path, own, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
      const [, pid, started] = /^(\d+) (.+)$/.exec(await readFile(path, 'utf8').catch(() => '')) ?? []
      if (pid !== undefined && (await startTime(Number(pid))) === started)
        return { name: `process ${pid}`, isLeaving: false }
      await rm(path, { force: true })
      return { name: '', isLeaving: false }
    }
    return { leave() {}, release: () => rm(path, { force: true }) }
  }
}

const startTime = (pid: number): Promise<string> =>
  promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
