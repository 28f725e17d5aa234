import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { uploadAndDownload } from './client.ts'
import { prepareService, repository, type Service } from './npm-start.ts'
import { processesIn } from './processes.ts'

const run = promisify(execFile)
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }
/** The folder to which PostgreSQL is copied if the account that runs it cannot access node_modules. */
const systemFolder = '/var/lib/quayside'

/** Copies the repository and the modules that `npm ci --omit=dev` installs. */
async function copyRepository(to: string): Promise<void> {
  const text = await readFile(join(repository, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, { dev?: true }> }
  const modules = Object.keys(packages).filter(
    (path) =>
      /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) &&
      packages[path]?.dev !== true &&
      // Packages for other platforms are not installed.
      existsSync(join(repository, path)),
  )
  const files = 'package.json package-lock.json .npmrc openapi.json tsconfig.json scripts packages'.split(' ')
  await mkdir(to)
  await run('cp', ['-a', '--parents', ...files, 'node_modules/.bin', ...modules, to], { cwd: repository })
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
  let folder: string
  const hadSystemFolder = existsSync(systemFolder)

  before(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'quayside-home-')))
    folder = join(home, 'quayside')
    await copyRepository(folder)
  })
  after(async () => {
    await rm(home, { recursive: true, force: true })
    if (!hadSystemFolder) await rm(systemFolder, { recursive: true, force: true })
  })

  test('runs as root from a home directory that no other user can access', async (t) => {
    await chmod(home, 0o700)
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
    } finally {
      await service.remove()
      assert.deepEqual(processesIn(folder), [])
    }
  })

  test('runs as an unprivileged user from the home directory of that user', async (t) => {
    const { uid, gid } = nobody
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

  test('stops startup with a message and no stack trace if the data folder is in a folder of another user', async () => {
    const closed = join(home, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const account = { ...nobody, home }
    const service = await prepareService({ dataDir: join(closed, 'data'), folder, version: folder, account })
    const { exited, output } = service.launch()
    assert.equal(await exited, 1)
    assert.match(
      output(),
      /Access to .*\/closed\/data is denied to the user 65534\. .*sudo install -d -m 700 -o 65534/,
    )
    assert.doesNotMatch(output(), /^\s+at /m)
  })
})
