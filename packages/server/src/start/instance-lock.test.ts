import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Problem } from '../lib/problem.ts'
import { acquireInstanceLock } from './instance-lock.ts'

const isRefusal = (pid: number) => (error: unknown) =>
  error instanceof Problem && error.code === 'instance.running' && error.message.includes(`process ${pid})`)

const holderScript = `
  const { acquireInstanceLock } = await import(process.argv[1])
  await acquireInstanceLock(process.argv[2])
  process.stdout.write('held')
  setInterval(() => {}, 1000)`

async function startHolder(dataDir: string, wrapper: string[] = []) {
  const module = import.meta.resolve('./instance-lock.ts')
  const node = [process.execPath, '--input-type=module', '-e', holderScript, module, dataDir]
  const [program = '', ...args] = [...wrapper, ...node]
  const child = spawn(program, args)
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

  test('grants the lock on a folder to exactly one of several concurrent requests', async () => {
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

  test('rejects a second lock while the process that holds the first is suspended', async () => {
    const dataDir = join(parent, 'stopped')
    const holder = await startHolder(dataDir)
    holder.kill('SIGSTOP')
    await assert.rejects(acquireInstanceLock(dataDir), isRefusal(holder.pid ?? 0))
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

  test('waits for a lock holder that has announced its shutdown', async () => {
    const dataDir = join(parent, 'leaving')
    const first = await acquireInstanceLock(dataDir)
    await first.leave()
    const second = acquireInstanceLock(dataDir)
    let isSettled = false
    const settle = () => void (isSettled = true)
    second.then(settle, settle)
    await (await acquireInstanceLock(join(parent, 'another'))).release()
    assert.equal(isSettled, false)
    await first.release()
    await (await second).release()
  })

  test('acquires the lock regardless of what a killed process left in the lock file', async () => {
    const dataDir = join(parent, 'remnants')
    await mkdir(dataDir)
    for (const text of ['', '1', `${process.pid} ${hostname()}`, '1 elsewhere leaving', '\0\0\0']) {
      await writeFile(join(dataDir, 'instance.lock'), text)
      await (await acquireInstanceLock(dataDir)).release()
    }
  })

  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  test('acquires the lock while another user tries to block it', { skip: !isRoot }, async () => {
    const dataDir = join(parent, 'taken')
    await mkdir(dataDir)
    await chmod(parent, 0o755)
    const { dev, ino } = await stat(dataDir, { bigint: true })
    const attack = `
      const { createServer } = require('node:net')
      try { require('node:fs').openSync(process.argv[1] + '/instance.lock', 'a') } catch {}
      createServer().listen({ path: process.argv[2] }, () => process.stdout.write('held'))`
    const socket = `\\0quayside-${dev}-${ino}`
    const script = attack.replace('process.argv[2]', `'${socket}'`)
    await (await acquireInstanceLock(dataDir)).release()
    const attacker = spawn(process.execPath, ['-e', script, dataDir], {
      uid: 65_534,
      gid: 65_534,
      cwd: '/',
      env: {},
    })
    await once(attacker.stdout, 'data')
    try {
      await (await acquireInstanceLock(dataDir)).release()
    } finally {
      attacker.kill('SIGKILL')
    }
  })

  test('rejects while a process in another container holds the lock', { skip: !isRoot }, async () => {
    const dataDir = join(parent, 'container')
    const container = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--net', '--uts']
    const named = [...container, 'sh', '-c', 'hostname other-container; exec "$@"', 'sh']
    const holder = await startHolder(dataDir, named)
    await assert.rejects(acquireInstanceLock(dataDir), /\(process 1 on other-container\)/)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    // The kernel kills the container's processes shortly afterward.
    for (;;) {
      const lock = await acquireInstanceLock(dataDir).catch(() => undefined)
      if (lock !== undefined) return await lock.release()
    }
  })
})
