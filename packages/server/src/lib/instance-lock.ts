import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Problem } from './problem.ts'

export type InstanceLock = {
  /** Tells whoever wants the folder that it will be free soon, and is worth waiting for. */
  leave(): void
  release(): Promise<void>
}

/** Who has the folder; '' where that has gone meanwhile. */
type Holder = { name: string; isLeaving: boolean }

const vanishingMilliseconds = 1_000
// requests in flight get 30 s
const leavingMilliseconds = 40_000
const pauseMilliseconds = 50
const answerMilliseconds = 1_000

/**
 * Makes sure that this is the only service on a data folder, which it makes (mode 0700) where it is missing. Waits
 * for one that is on its way out. Throws Problem conflict that names the process holding it. The lock ends with the
 * process, however it ends.
 */
export async function acquireInstanceLock(dataDir: string): Promise<InstanceLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const acquire = process.platform === 'linux' ? await socketLock(dataDir) : pidFileLock(dataDir)
  const began = performance.now()
  for (;;) {
    const outcome = await acquire()
    if ('release' in outcome) return outcome
    const { name, isLeaving } = outcome
    const patience = isLeaving ? leavingMilliseconds : name === '' ? vanishingMilliseconds : 0
    if (performance.now() - began >= patience) throw isRunning(dataDir, name)
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds))
  }
}

const isRunning = (dataDir: string, holder: string): Problem =>
  new Problem(
    'conflict',
    'instance.running',
    `Quayside is running already on the data folder ${dataDir}${holder === '' ? '' : ` (${holder})`}. ` +
      'Stop it first, or name another folder with QUAYSIDE_DATA_DIR.',
  )

type Acquire = () => Promise<InstanceLock | Holder>

/** unix(7): an abstract name is bound by one socket at a time, lies in no folder and goes with the process. */
async function socketLock(dataDir: string): Promise<Acquire> {
  const { dev, ino } = await stat(dataDir, { bigint: true })
  const path = `\0quayside-${dev}-${ino}`
  return async () => {
    let answer = String(process.pid)
    const server = createServer((socket) => socket.on('error', () => {}).end(answer))
    try {
      await once(server.listen({ path, exclusive: true }), 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      return await askHolder(path)
    }
    server.unref()
    return {
      leave: () => void (answer = `${process.pid} leaving`),
      release: () => promisify(server.close.bind(server))(),
    }
  }
}

async function askHolder(path: string): Promise<Holder> {
  const socket = connect({ path })
  let isSilent = false
  socket.setTimeout(answerMilliseconds, () => {
    isSilent = true
    socket.destroy()
  })
  const [pid = '', leaving] = (await text(socket).catch(() => '')).split(' ')
  if (isSilent) return { name: 'by a process that does not answer', isLeaving: false }
  return { name: pid === '' ? '' : `process ${pid}`, isLeaving: leaving !== undefined }
}

/** Without abstract names: a file with the process id and start time, since ids are given again. */
function pidFileLock(dataDir: string): Acquire {
  const path = join(dataDir, 'quayside.pid')
  return async () => {
    const own = `${process.pid} ${await startTime(process.pid)}`
    try {
      await writeFile(path, own, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
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
