import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../acceptance/free-port.ts'
import { debianPackage } from '../debian-package.ts'
import { key, startPackedServer, userEnvironment, type PackedServer } from './packed-server.ts'

type Installed = {
  /** A folder that is deleted after the tests. */
  root: string
  /** The folder in which the packed server and command line are installed. */
  folder: string
}

type Release = { id: string; builds: { id: string; platform: { identifier: string } }[]; notes: string }

const run = promisify(execFile)
const nextMigration = (number: number): string => `${String(number).padStart(4, '0')}-next-version.sql`

/** Tests that the next version serves the data of the packed version, which then refuses to open them. */
export function testUpgrade(installed: () => Installed): void {
  describe('the data of the packed version', () => {
    let folder: string
    let next: { folder: string; version: string; migration: string }
    let settings: Record<string, string>
    let service: PackedServer | undefined
    const written = new Map<string, Buffer>()
    let link: string
    let release: Release

    before(async () => {
      const { root } = installed()
      folder = installed().folder
      // The port is part of URLs in responses.
      settings = { QUAYSIDE_DATA_DIR: join(root, 'data to upgrade'), QUAYSIDE_PORT: String(await freePort()) }
      next = await installNextVersion(folder, join(root, 'next version'))
      service = await startPackedServer(folder, settings)
      const files = join(root, 'files')
      await mkdir(files)
      written.set(
        'harbor-1.4.2.deb',
        debianPackage({ Package: 'harbor', Version: '1.4.2', Architecture: 'amd64', Maintainer: 'Harbor' }),
      )
      written.set('harbor-1.4.2.tar.gz', Buffer.alloc(300_000, 'harbor'))
      await quayside('applications', 'create', 'Harbor', '--platform', 'debian', '--platform', 'generic')
      await writeFile(join(files, 'report.json'), '{"passed": 12}')
      for (const [name, content] of written) {
        const path = join(files, name)
        await writeFile(path, content)
        const platform = name.endsWith('.deb') ? 'debian' : 'generic'
        const metadata = ['--metadata', join(files, 'report.json'), '--label', 'smoke']
        await quayside('upload', path, '--no-scm', '--wait', '--platform', platform, ...metadata)
      }
      const builds = await quayside<{ id: string }[]>('builds', 'list')
      const chosen = builds.flatMap(({ id }) => ['--build', id])
      await quayside('releases', 'create', '1.4.2', '--notes', 'Deeper water.', ...chosen)
      release = await quayside('releases', 'view', '1.4.2')
      const created = await quayside<{ url: string }>('share', '--release', '1.4.2')
      link = new URL(created.url).pathname
      await service.stop()
    })
    after(() => service?.stop())

    /** Runs the command line of the packed version and returns its result. */
    async function quayside<T>(...args: string[]): Promise<T> {
      assert.ok(service)
      const { stdout } = await run('npx', ['@quayside/cli', ...args, '--json'], {
        cwd: folder,
        env: {
          ...userEnvironment(),
          QUAYSIDE_SERVER: service.url,
          QUAYSIDE_API_KEY: key,
          QUAYSIDE_APPLICATION: 'Harbor',
        },
      })
      return JSON.parse(stdout) as T
    }

    /** Checks everything that the packed version has written, as a client and as a visitor. */
    async function checkData(): Promise<void> {
      assert.ok(service)
      assert.deepEqual(await quayside('releases', 'view', '1.4.2'), release)
      const builds = await quayside<{ labels: { name: string }[] }[]>('builds', 'list')
      assert.deepEqual(
        builds.map(({ labels }) => labels.map(({ name }) => name)),
        [['smoke'], ['smoke']],
      )
      const debian = release.builds.find(({ platform }) => platform.identifier === 'debian')
      const { file_info, metadata_artifacts } = await quayside<{
        file_info: { name: string }
        metadata_artifacts: { filename: string }[]
      }>('builds', 'view', debian?.id ?? '')
      assert.equal(file_info.name, 'harbor')
      assert.deepEqual(
        metadata_artifacts.map(({ filename }) => filename),
        ['report.json'],
      )
      for (const { id, platform } of release.builds) {
        const response = await fetch(`${service.url}${link}/download?build_id=${id}`)
        assert.equal(response.status, 200)
        const name = `harbor-1.4.2.${platform.identifier === 'debian' ? 'deb' : 'tar.gz'}`
        assert.ok(written.get(name)?.equals(Buffer.from(await response.arrayBuffer())), name)
      }
    }

    test('is served by the next version, which also accepts new builds', async () => {
      service = await startPackedServer(next.folder, settings)
      const { stdout } = await run('npx', ['@quayside/server', '--version'], {
        cwd: next.folder,
        env: userEnvironment(),
      })
      assert.equal(stdout.trim(), next.version)
      await checkData()
      const path = join(folder, 'harbor-1.5.0.tar.gz')
      await writeFile(path, 'a later build')
      await quayside('upload', path, '--no-scm', '--platform', 'generic')
      assert.equal((await quayside<unknown[]>('builds', 'list')).length, 3)
      await service.stop()
    })

    test('is then refused by the packed version with a message that says what to do', async () => {
      const started = startPackedServer(folder, settings)
      await assert.rejects(started, ({ message }: Error) => {
        assert.match(
          message,
          new RegExp(`updated by version ${next.version} \\(migration ${next.migration}\\)`),
        )
        assert.match(message, new RegExp(`Start version ${next.version} or a newer one`))
        assert.match(message, /restore a backup that was made before the upgrade \(docs\/upgrading\.md\)/)
        assert.doesNotMatch(message, /\n +at |unexpected error/)
        return true
      })
    })

    test('is not changed by the refusal', async () => {
      service = await startPackedServer(next.folder, settings)
      assert.equal((await quayside<unknown[]>('builds', 'list')).length, 3)
      assert.deepEqual(await quayside('releases', 'view', '1.4.2'), release)
    })
  })
}

/** Copies an installation as links and turns its server into a higher version with another migration. */
async function installNextVersion(folder: string, nextFolder: string) {
  const server = join(nextFolder, 'node_modules/@quayside/server')
  await mkdir(nextFolder)
  await run('cp', ['-al', join(folder, 'node_modules'), nextFolder])
  await cp(join(folder, 'package.json'), join(nextFolder, 'package.json'))
  const path = join(server, 'package.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { version: string }
  const [major = 0, minor = 0] = manifest.version.split('.').map(Number)
  const version = `${major}.${minor + 1}.0`
  // Writing to the file would change the other installation too.
  await rm(path)
  await writeFile(path, JSON.stringify({ ...manifest, version }))
  const migrations = join(server, 'migrations')
  const numbers = (await readdir(migrations))
    .map((name) => Number.parseInt(name, 10))
    .filter(Number.isInteger)
  const migration = nextMigration(Math.max(...numbers) + 1)
  await writeFile(join(migrations, migration), 'alter table builds add column next_version text;\n')
  return { folder: nextFolder, version, migration }
}
