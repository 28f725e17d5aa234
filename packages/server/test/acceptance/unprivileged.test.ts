import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { prepareService, repository, type Service } from './npm-start.ts'
import { uploadAndDownload } from './one-build.ts'
import { processesIn } from './processes.ts'

const run = promisify(execFile)
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
/** Where PostgreSQL's programs are copied to when their account can not enter node_modules. */
const systemFolder = '/var/lib/quayside'

/** What a clone holds after `npm ci`. The modules are links to the same files: nothing may change their owner. */
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

async function serveABuild(service: Service): Promise<number> {
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

describe('npm start by other users', { skip: !isRoot && 'only root can become them' }, () => {
  let home: string
  const hadPrograms = existsSync(systemFolder)

  before(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'quayside-home-')))
  })
  after(async () => {
    await rm(home, { recursive: true, force: true })
    if (!hadPrograms) await rm(systemFolder, { recursive: true, force: true })
  })

  test('as root in a clone that lies in its own home, which nobody else may enter', async (t) => {
    await chmod(home, 0o700)
    const folder = join(home, 'quayside')
    await copyRepository(folder)
    const service = await prepareService({
      folder,
      dataDir: join(folder, 'data'),
      settings: { QUAYSIDE_DATA_DIR: './data' },
    })
    try {
      t.diagnostic(`ready after ${await serveABuild(service)} ms`)
      assert.notEqual(await userIdOf(service.databasePid() ?? 0), 0)
      assert.equal((await stat(home)).mode & 0o777, 0o700)
      assert.equal((await stat(service.dataDir)).mode & 0o777, 0o700)
      const { exited, output } = service.launch()
      assert.notEqual(await exited, 0)
      assert.match(output(), /running already/)
    } finally {
      await service.remove()
      assert.deepEqual(processesIn(folder), [])
    }
  })

  test('as an ordinary user, with a home and a clone of their own', async (t) => {
    const [uid, gid] = [65_534, 65_534]
    const folder = join(home, 'clone')
    await copyRepository(folder)
    for (const name of await readdir(folder))
      if (name !== 'node_modules') await run('chown', ['-R', `${uid}:${gid}`, join(folder, name)])
    await chown(folder, uid, gid)
    await chown(home, uid, gid)
    const service = await prepareService({
      folder,
      dataDir: join(folder, 'data'),
      settings: { QUAYSIDE_DATA_DIR: './data' },
      account: { uid, gid, home },
    })
    try {
      t.diagnostic(`ready after ${await serveABuild(service)} ms`)
      assert.equal(await userIdOf(service.servicePid() ?? 0), uid)
      assert.equal(await userIdOf(service.databasePid() ?? 0), uid)
    } finally {
      await service.remove()
      assert.deepEqual(processesIn(folder), [])
    }
  })
})
