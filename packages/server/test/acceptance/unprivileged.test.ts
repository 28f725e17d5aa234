import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { uploadAndDownload } from './client.ts'
import { prepareService, repository, type Service } from './npm-start.ts'
import { processesIn } from './processes.ts'

const run = promisify(execFile)
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
/** The folder to which PostgreSQL is copied if the account that runs it cannot access node_modules. */
const systemFolder = '/var/lib/quayside'

/**
 * Copies the repository and hard-links its modules. Do not change the owner of the links, because this would also
 * change the owner of the originals.
 */
async function copyRepository(to: string): Promise<void> {
  await mkdir(to)
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'openapi.json', 'scripts', 'packages'])
    await cp(join(repository, name), join(to, name), { recursive: true, verbatimSymlinks: true })
  const [from, copy] = [join(repository, 'node_modules'), join(to, 'node_modules')]
  await run('cp', ['-al', from, copy]).catch(async () => {
    await rm(copy, { recursive: true, force: true })
    await run('cp', ['-a', from, copy])
  })
}

async function checkService(service: Service): Promise<number> {
  const readyAfter = await service.start()
  await uploadAndDownload(service, 'Before the kill')
  await service.kill('service')
  await service.start()
  await uploadAndDownload(service, 'After the kill')
  return Math.round(readyAfter)
}

async function userIdOf(pid: number): Promise<number> {
  return Number(/^Uid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
}

describe('npm start', { skip: !isRoot && 'needs root to switch users' }, () => {
  let home: string
  const hadSystemFolder = existsSync(systemFolder)

  before(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'quayside-home-')))
  })
  after(async () => {
    await rm(home, { recursive: true, force: true })
    if (!hadSystemFolder) await rm(systemFolder, { recursive: true, force: true })
  })

  test('runs as root from a home directory that no other user can access', async (t) => {
    await chmod(home, 0o700)
    const folder = join(home, 'quayside')
    await copyRepository(folder)
    const service = await prepareService({
      usesNpm: true,
      isNew: true,
      folder,
      dataDir: join(folder, 'data'),
      settings: { QUAYSIDE_DATA_DIR: './data' },
    })
    try {
      t.diagnostic(`ready after ${await checkService(service)} ms`)
      assert.notEqual(await userIdOf(service.databasePid() ?? 0), 0)
      assert.equal((await stat(home)).mode & 0o777, 0o700)
      assert.equal((await stat(service.dataDir)).mode & 0o777, 0o700)
      const { exited, output } = service.launch()
      assert.notEqual(await exited, 0)
      assert.match(output(), /already running/)
    } finally {
      await service.remove()
      assert.deepEqual(processesIn(folder), [])
    }
  })

  test('runs as an unprivileged user from the home directory of that user', async (t) => {
    const [uid, gid] = [65_534, 65_534]
    const folder = join(home, 'clone')
    await copyRepository(folder)
    for (const name of await readdir(folder))
      if (name !== 'node_modules') await run('chown', ['-R', `${uid}:${gid}`, join(folder, name)])
    await chown(folder, uid, gid)
    await chown(home, uid, gid)
    const service = await prepareService({
      usesNpm: true,
      isNew: true,
      folder,
      dataDir: join(folder, 'data'),
      settings: { QUAYSIDE_DATA_DIR: './data' },
      account: { uid, gid, home },
    })
    try {
      t.diagnostic(`ready after ${await checkService(service)} ms`)
      assert.equal(await userIdOf(service.servicePid() ?? 0), uid)
      assert.equal(await userIdOf(service.databasePid() ?? 0), uid)
    } finally {
      await service.remove()
      assert.deepEqual(processesIn(folder), [])
    }
  })
})
