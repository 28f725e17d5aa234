import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { basename, join } from 'node:path'
import { Failure } from '../failure.ts'

type Owner = { host: string; pid: number; startedAt: number }

const prefix = 'lock.'

/**
 * Locks a folder for this process, and deletes the locks of processes that have ended. Returns a function that unlocks it.
 *
 * Each process creates a file of its own and then looks for others. Of two processes that start at the same time, at least
 * one sees the other, so there is no moment at which both replace a stale lock.
 */
export async function lockFolder(stateFolder: string): Promise<() => Promise<void>> {
  const { pid } = process
  const name = `${prefix}${pid}.${randomUUID()}`
  const path = join(stateFolder, name)
  const owner: Owner = { host: hostname(), pid, startedAt: Date.now() }
  await writeFile(path, JSON.stringify(owner), { flag: 'wx' })
  const unlock = () => rm(path, { force: true })
  try {
    for (const other of await readdir(stateFolder)) {
      if (!other.startsWith(prefix) || other === name) continue
      const otherPath = join(stateFolder, other)
      if (await isHeld(otherPath)) throw isLocked(otherPath)
      await rm(otherPath, { force: true })
    }
    return unlock
  } catch (error) {
    await unlock()
    throw error
  }
}

const isLocked = (path: string): Failure =>
  new Failure(
    'failed',
    `Another process is syncing this folder. Wait until it has ended. If there is none, delete ${path}.`,
  )

/** Returns whether the process that created a lock may be running. It may if it runs on another machine. */
async function isHeld(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  const owner = parseOwner(text)
  // A process that was killed while it created the lock leaves it incomplete, and so does one that is creating it.
  if (owner === undefined) return isRunning(Number(basename(path).split('.')[1]))
  if (owner.host !== hostname()) return true
  return owner.startedAt > Date.now() - uptime() * 1000 && isRunning(owner.pid)
}

function parseOwner(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
