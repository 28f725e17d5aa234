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

  test('a folder that is not there yet, is made for its owner alone', async () => {
    const { release } = await acquireInstanceLock(join(parent, 'new/data'))
    assert.equal((await stat(join(parent, 'new/data'))).mode & 0o777, 0o700)
    await release()
  })

  test('a second lock on one folder, while the first is held, names the process that has it', async () => {
    const dataDir = join(parent, 'second')
    const { release } = await acquireInstanceLock(dataDir)
    await assert.rejects(acquireInstanceLock(dataDir), isRefusal(process.pid))
    await release()
    await (await acquireInstanceLock(dataDir)).release()
  })

  test('many at once on one folder, exactly one gets it', async () => {
    const dataDir = join(parent, 'many')
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => acquireInstanceLock(dataDir)))
    const held = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    assert.equal(held.length, 1)
    await held[0]?.value.release()
  })

  test('the same folder by another path or name, is refused too', async () => {
    const dataDir = join(parent, 'named')
    const { release } = await acquireInstanceLock(dataDir)
    await rename(dataDir, join(parent, 'renamed'))
    await symlink(join(parent, 'renamed'), join(parent, 'linked'))
    await assert.rejects(acquireInstanceLock(join(parent, 'linked')), isRefusal(process.pid))
    await release()
  })

  test('the holding process stopped, is refused without waiting for it', async () => {
    const dataDir = join(parent, 'stopped')
    const holder = await startHolder(dataDir)
    holder.kill('SIGSTOP')
    await assert.rejects(acquireInstanceLock(dataDir), /by a process that does not answer/)
    holder.kill('SIGKILL')
  })

  test('the holding process killed with -9, leaves the folder free', async () => {
    const dataDir = join(parent, 'killed')
    const holder = await startHolder(dataDir)
    await assert.rejects(acquireInstanceLock(dataDir), isRefusal(holder.pid ?? 0))
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    await (await acquireInstanceLock(dataDir)).release()
  })
})
