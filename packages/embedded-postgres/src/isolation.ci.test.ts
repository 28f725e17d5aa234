import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { findNativePackage } from './native-package.ts'
import { copyLocations, findRunnableProgram } from './program.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

const run = promisify(execFile)
const name = 'embedded_test'
const log = { info: () => {}, warn: () => {}, error: () => {} }
const nobody = { uid: 65_534, gid: 65_534 }
const earlierObjects = `
  create table kept as select 42 as number;
  create sequence ids;
  create type mood as enum ('good');
  create function two() returns int return 1 + 1;
  create table parts (id bigserial, day date) partition by range (day);
  create table parts_2026 partition of parts for values from ('2026-01-01') to ('2027-01-01');
  create schema mine;
  create view mine.shown as select * from kept;
  create extension pg_trgm`
const skip = (process.platform !== 'linux' || process.getuid?.() !== 0) && 'requires root to switch users'

async function query(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  const result = await client.query<Record<string, unknown>>(text).finally(() => client.end())
  return [result].flat().at(-1)?.rows[0]
}

describe('isolation of embedded PostgreSQL from other users', { skip }, () => {
  let parent: string
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'quayside-isolation-'))
  })
  after(() => rm(parent, { recursive: true, force: true }))

  const startIn = (folder: string) => startEmbeddedPostgres({ dataDir: join(parent, folder), name, log })
  const ownersBelow = async (folder: string) => {
    const entries = await readdir(folder, { recursive: true })
    const found = await Promise.all(['', ...entries].map((entry) => lstat(join(folder, entry))))
    return [...new Set(found.map(({ uid }) => uid))]
  }

  test('runs the server under a user ID that no other account or process uses', async () => {
    const server = await startIn('data')
    try {
      const [uid = 0] = await ownersBelow(server.dataLocation)
      assert.ok(uid > 0 && uid !== nobody.uid)
      const others = (await run('ps', ['-o', 'args=', '-u', String(uid)])).stdout.trim().split('\n')
      assert.deepEqual(
        others.filter((command) => !command.includes('postgres')),
        [],
      )
    } finally {
      await server.stop()
    }
  })

  test('denies processes of other users access to the data folder and socket of the server', async () => {
    const server = await startIn('data')
    try {
      const [owner = 0] = await ownersBelow(server.dataLocation)
      for (const uid of [nobody.uid, 1, owner + 1])
        assert.deepEqual(await attack(server, uid), [], `user ${uid}`)
      assert.deepEqual(await attack(server, owner), ['list', 'read', 'write', 'connect'])
    } finally {
      await server.stop()
    }
  })

  test('migrates a database that an earlier version ran as `nobody` to a dedicated user and role', async () => {
    const folder = join(parent, 'earlier/postgres')
    await createEarlierCluster(folder)
    const server = await startIn('earlier')
    try {
      const owners = await ownersBelow(folder)
      assert.equal(owners.length, 1)
      assert.ok(![0, nobody.uid].includes(owners[0] ?? 0))
      const { connection } = server
      assert.deepEqual(await query(connection, 'select number from kept'), { number: 42 })
      await query(connection, `alter table kept add column more text; select nextval('ids')`)
      await query(
        connection,
        `alter type mood add value 'great'; create or replace function two() returns int return 2`,
      )
      await query(connection, 'drop table parts; drop schema mine cascade')
      assert.deepEqual(
        await query(connection, 'select rolsuper from pg_roles where rolname = current_user'),
        { rolsuper: false },
      )
    } finally {
      await server.stop()
    }
  })

  test('completes an interrupted change of ownership', async () => {
    const folder = join(parent, 'earlier/postgres')
    await chown(join(folder, 'base'), nobody.uid, nobody.gid)
    await chown(folder, 0, 0)
    const server = await startIn('earlier')
    try {
      assert.equal((await ownersBelow(folder)).length, 1)
      assert.deepEqual(await query(server.connection, 'select number from kept'), { number: 42 })
    } finally {
      await server.stop()
    }
  })

  test('does not change the ownership of linked files that belong to other users', async () => {
    const folder = join(parent, 'earlier/postgres')
    const foreign = join(parent, 'foreign')
    await writeFile(foreign, '')
    await run('ln', [foreign, join(folder, 'hard')])
    await run('ln', ['-s', foreign, join(folder, 'soft')])
    await run('chown', ['-hR', 'nobody', folder])
    await chown(foreign, 1, 1)
    await (await startIn('earlier')).stop()
    assert.equal((await lstat(foreign)).uid, 1)
  })

  test('creates a system user in a container without CAP_SYS_ADMIN', async (t) => {
    const program = fileURLToPath(import.meta.resolve('../test/crash-child.ts'))
    const dataDir = join(parent, 'container')
    // The overlay on /etc prevents the new user from being added to the host.
    const script = `
      mount -t tmpfs none "$1" && mkdir "$1/upper" "$1/work" &&
      mount -t overlay overlay -o "lowerdir=/etc,upperdir=$1/upper,workdir=$1/work" /etc || exit 77
      exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$2" "$3" "$4"`
    const overlay = await mkdtemp(join(parent, 'overlay-'))
    const args = ['--mount', 'sh', '-c', script, 'sh', overlay, process.execPath, program, dataDir]
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    let output = ''
    for await (const chunk of child.stdout) if ((output += String(chunk)).includes('\n')) break
    if (output === '') return t.skip(`overlays cannot be mounted here: ${String((await exited)[0])}`)
    try {
      const [uid = 0] = await ownersBelow(join(dataDir, 'postgres'))
      assert.ok(uid > 0 && uid < 1_000, `user ${uid}`)
      await assert.rejects(run('getent', ['passwd', name]))
    } finally {
      child.kill('SIGTERM')
      await exited
    }
  })

  /** Creates a cluster as earlier versions did when started by root: the service's role is a superuser. */
  async function createEarlierCluster(folder: string): Promise<void> {
    const account = { ...nobody, switches: true, hasName: true }
    const dataDir = join(folder, '..')
    const source = await findNativePackage(process.platform, process.arch)
    const program = await findRunnableProgram(source, account, copyLocations(account, dataDir, name))
    await mkdir(folder, { recursive: true })
    await chown(folder, nobody.uid, nobody.gid)
    const spawnProgram = (file: string, args: string[]) =>
      spawn(join(program, 'bin', file), args, { ...nobody, cwd: folder, stdio: 'ignore' })
    const here = '/proc/self/cwd'
    const initdb = spawnProgram('initdb', [
      '-D',
      here,
      `--username=${name}`,
      '--auth-local=trust',
      '--no-sync',
    ])
    assert.deepEqual(await once(initdb, 'exit'), [0, null])
    const server = spawnProgram('postgres', ['-D', here, '-k', '.', '-c', 'listen_addresses='])
    const connection = { host: folder, user: name, database: 'postgres' }
    const isReady = () => query(connection, 'select 1').catch(() => undefined)
    while (server.exitCode === null && (await isReady()) === undefined);
    await query(connection, `create database ${name}`)
    await query({ ...connection, database: name }, earlierObjects)
    server.kill('SIGINT')
    await once(server, 'exit')
    await writeFile(join(dataDir, 'postgres.json'), '{}')
  }

  /** Returns the operations that a process of the user `uid` can perform on the server's folder. */
  async function attack(server: EmbeddedPostgres, uid: number): Promise<string[]> {
    const script = `
      const { appendFileSync, readdirSync, readFileSync } = require('node:fs')
      const folders = [process.argv[1], '/proc/' + process.argv[2] + '/cwd']
      const done = new Set()
      const attempt = (name, action) => { try { action(); done.add(name) } catch {} }
      for (const folder of folders) {
        attempt('list', () => readdirSync(folder))
        attempt('read', () => readFileSync(folder + '/pg_hba.conf'))
        attempt('write', () => appendFileSync(folder + '/pg_hba.conf', ''))
      }
      const connections = folders.map((folder) => new Promise((resolve) => {
        const socket = require('node:net').connect(folder + '/.s.PGSQL.5432')
        socket.once('connect', () => { done.add('connect'); socket.destroy(); resolve() }).once('error', resolve)
      }))
      Promise.all(connections).then(() => console.log([...done].join()))`
    const args = ['-e', script, server.dataLocation, String(server.pid())]
    const { stdout } = await run(process.execPath, args, { uid, gid: uid, cwd: '/', env: {} })
    return stdout.trim().split(',').filter(Boolean)
  }
})

describe('database role of the service', () => {
  let parent: string
  let server: EmbeddedPostgres
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'quayside-role-'))
    server = await startEmbeddedPostgres({ dataDir: join(parent, 'data'), name, log })
  })
  after(async () => {
    await server.stop()
    await rm(parent, { recursive: true, force: true })
  })

  test('prevents the service role from becoming a superuser, running programs or accessing files on the server', async () => {
    const { connection } = server
    await query(connection, 'create table t (line text); create extension pg_trgm')
    const attempts = [
      `alter role ${name} superuser`,
      `alter role ${name} createrole`,
      'alter role postgres nosuperuser',
      'create role other superuser login',
      'create database other',
      'set role postgres',
      'set session authorization postgres',
      'grant postgres to current_user',
      'grant pg_execute_server_program to current_user',
      `update pg_authid set rolsuper = true where rolname = current_user`,
      `copy (select 'x') to program 'cat'`,
      `copy t from program 'id'`,
      `copy t from '/etc/passwd'`,
      `copy t to '/tmp/quayside-copied'`,
      `select pg_read_file('pg_hba.conf')`,
      `select pg_ls_dir('.')`,
      `select lo_import('/etc/passwd')`,
      `select lo_export(0, '/tmp/quayside-exported')`,
      `alter system set archive_command = 'id'`,
      `select pg_reload_conf()`,
      `set session_preload_libraries = 'x'`,
      `create function f() returns int language c as 'x'`,
      `create function f() returns int language internal as 'int4pl'`,
      'create extension file_fdw',
      'create extension dblink',
      'create event trigger e on ddl_command_end execute function suppress_redundant_updates_trigger()',
    ]
    for (const attempt of attempts)
      await assert.rejects(
        query(connection, attempt),
        (error) =>
          error instanceof pg.DatabaseError &&
          // The role lacks the privilege, or the bundled PostgreSQL does not include the extension.
          (error.code === '42501' || (/extension/.test(attempt) && error.code === '0A000')),
        attempt,
      )
  })

  test('allows only the service role to connect', async () => {
    for (const user of ['postgres', 'postgres_upgrade'])
      await assert.rejects(query({ ...server.connection, user, database: 'postgres' }, 'select 1'), {
        code: '28000',
      })
  })
})
