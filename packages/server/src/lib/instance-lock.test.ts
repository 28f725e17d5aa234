import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { acquireInstanceLock } from './instance-lock.ts'
import { Problem } from './problem.ts'

const isRefusal = (pid: number) => (error: unknown) =>
  error instanceof Problem && error.code === 'instance.running' && error.message.includes(`process ${pid})`)

const holderScript = `
  const { acquireInstanceLock } = await import(process.argv[1])
  await acquireInstanceLock(process.argv[2])
  process.stdout.write('held')
  setInterval(() => {}, 1000)`

async function startHolder(dataDir: string) {
  const module = import.meta.resolve('./instance-lock.ts')
  const child = spawn(process.execPath, ['--input-type=module', '-e', holderScript, module, dataDir])
  await once(child.stdout, 'data')
  return child
}

describe('instance lock', () => {
  let parent: string
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'quayside-lock-'))
  })
  after(() => rm(parent, { recursive: true, force: true }))

  test('creates a missing folder with mode 0700', async () => {
    const { release } = await acquireInstanceLock(join(parent, 'new/data'))
    assert.equal((await stat(join(parent, 'new/data'))).mode & 0o777, 0o700)
    await release()
  })

  test('rejects a second lock on a folder and reports which process holds the first', async () => {
    const dataDir = join(parent, 'second')
    const { release } = await acquireInstanceLock(dataDir)
    await assert.rejects(acquireInstanceLock(dataDir), isRefusal(process.pid))
    await release()
    await (await acquireInstanceLock(dataDir)).release()
  })

  test('grants exactly one of many concurrent lock requests for a folder', async () => {
    const dataDir = join(parent, 'many')
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => acquireInstanceLock(dataDir)))
    const held = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    assert.equal(held.length, 1)
    await held[0]?.value.release()
  })

  test('rejects a second lock on a renamed folder through a symbolic link', async () => {
    const dataDir = join(parent, 'named')
    const { release } = await acquireInstanceLock(dataDir)
    await rename(dataDir, join(parent, 'renamed'))
    await symlink(join(parent, 'renamed'), join(parent, 'linked'))
    await assert.rejects(acquireInstanceLock(join(parent, 'linked')), isRefusal(process.pid))
    await release()
  })

  test('rejects a lock request and reports that a suspended lock holder does not respond', async () => {
    const dataDir = join(parent, 'stopped')
    const holder = await startHolder(dataDir)
    holder.kill('SIGSTOP')
    await assert.rejects(acquireInstanceLock(dataDir), /\(a process that does not respond\)/)
    holder.kill('SIGKILL')
  })

  test('grants the lock after the process that held it is killed', async () => {
    const dataDir = join(parent, 'killed')
    const holder = await startHolder(dataDir)
    await assert.rejects(acquireInstanceLock(dataDir), isRefusal(holder.pid ?? 0))
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    await (await acquireInstanceLock(dataDir)).release()
  })
})
