import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../server/test/acceptance/free-port.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { runQuayside, startQuayside } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

const mib = 1024 * 1024
const bytes = randomBytes(12 * mib)
let service: Service
let build: string

before(async () => {
  service = await startService()
  await jsonInProcess(service, ['applications', 'create', 'First App'])
  await writeFile(join(service.folder, 'app-1.0.0.bin'), bytes)
  build = (await jsonInProcess<{ build_id: string }>(service, ['upload', 'app-1.0.0.bin'])).build_id
  await jsonInProcess(service, ['applications', 'create', 'Second App', '--platform', 'ios'])
})

after(() => service.close())

const inFirst = ['--application', 'First App']

async function isComplete(name: string): Promise<boolean> {
  return bytes.equals(await readFile(join(service.folder, name)))
}

test('lists builds without loading the implementation of fetch', async () => {
  const report = `process.on('exit', () => console.error(process.moduleLoadList.filter((name) => /undici$/.test(name)).length))`
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(report)}` }
  const list = await runQuayside(service, ['builds', 'list', ...inFirst], { env })
  assert.equal(list.stderr, '0\n')
  // A request of `api` has headers of fetch.
  const api = await runQuayside(service, ['api', 'GET', '/workspace'], { env })
  assert.equal(api.stderr, '1\n')
})

test('exits with a distinct code for each kind of failure', async () => {
  const unusedUrl = `http://127.0.0.1:${await freePort()}`
  const table: [string[], Record<string, string>, number, RegExp][] = [
    [['builds', 'list', ...inFirst], {}, 0, /^$/],
    [['builds', 'view', 'nosuch0000', ...inFirst], {}, 1, /Build nosuch0000 was not found/],
    [['upload', 'absent.apk', ...inFirst], {}, 1, /absent\.apk does not exist/],
    [['upload', 'app-1.0.0.bin', '--stream', 'none', ...inFirst], {}, 1, /"none" is not a stream/],
    [['upload'], {}, 2, /missing required argument 'file'/],
    [['upload', 'app-1.0.0.bin', '--version', 'new', ...inFirst], {}, 2, /"new" is not a valid version/],
    [['builds', 'list', '--per-page', '0'], {}, 2, /between 1 and 100/],
    [['builds', 'list'], {}, 2, /several applications.*"First App", "Second App".*--application/],
    [['launch'], {}, 2, /unknown command/],
    [
      ['builds', 'list', ...inFirst],
      { QUAYSIDE_API_KEY: '' },
      3,
      /There is no API key for http.*`quayside login` or set QUAYSIDE_API_KEY/,
    ],
    [
      ['builds', 'list', ...inFirst],
      { QUAYSIDE_API_KEY: 'wrong' },
      3,
      /API key is invalid, expired or revoked/,
    ],
    [
      ['builds', 'list', ...inFirst],
      { QUAYSIDE_SERVER: unusedUrl },
      4,
      /the connection was refused.*QUAYSIDE_SERVER/,
    ],
  ]
  const codesOfProcesses = new Set<number>()
  for (const [args, env, code, message] of table) {
    // For each code, one command runs in its own process, which must exit with the code of the command.
    const run = codesOfProcesses.has(code) ? runInProcess : runQuayside
    codesOfProcesses.add(code)
    const result = await run(service, args, { env })
    assert.equal(result.code, code, `${args.join(' ')}: ${result.stderr}`)
    assert.match(result.stderr, message)
  }
})

test('prints a missing-scope error as JSON when --json is specified', async () => {
  const create = ['keys', 'create', 'reader', '--scope', 'builds:read,applications:read']
  const { key, id } = await jsonInProcess<{ key: string; id: string }>(service, create)
  const result = await runInProcess(service, ['applications', 'create', 'Third', '--json', '--key', key])
  assert.equal(result.code, 3)
  assert.equal(result.stdout, '')
  const error = JSON.parse(result.stderr) as { status: number; message: string; kind: string }
  assert.deepEqual([error.status, error.kind], [403, 'not_allowed'])
  assert.match(error.message, /'applications:create' scope/)
  const keys = await jsonInProcess<{ id: string; name: string; key?: string }[]>(service, ['keys', 'list'])
  assert.ok(keys.some((listed) => listed.id === id && listed.name === 'reader' && listed.key === undefined))
  assert.deepEqual(await jsonInProcess(service, ['keys', 'revoke', id]), { id, revoked: true })
})

test('prints only the fields selected with --json', async () => {
  const list = await runInProcess(service, ['builds', 'list', '--json', 'id,stream.name', ...inFirst])
  assert.deepEqual(JSON.parse(list.stdout), [{ id: build, stream: { name: 'default' } }])
  const get = await runInProcess(service, ['builds', 'get', '--json', build, ...inFirst])
  assert.equal((JSON.parse(get.stdout) as { id: string }).id, build)
  const unknown = await runInProcess(service, ['builds', 'list', '--json=id,name', ...inFirst])
  assert.equal(unknown.code, 2)
  assert.match((JSON.parse(unknown.stderr) as { message: string }).message, /no field "name"\. .*: id, /)
})

test('rejects an unknown field of --json before the command changes anything', async () => {
  const keys = () => jsonInProcess<{ name: string }[]>(service, ['keys', 'list'])
  const create = ['keys', 'create', 'never-created', '--scope', 'builds:read', '--json', 'secret']
  const { code, stdout, stderr } = await runInProcess(service, create)
  assert.deepEqual([code, stdout], [2, ''])
  assert.match((JSON.parse(stderr) as { message: string }).message, /no field "secret"\. .*: id, name/)
  assert.ok(!(await keys()).some(({ name }) => name === 'never-created'))
  const post = ['api', 'POST', '/workspace/api-keys', '-F', 'name=made', '-F', 'scopes[]=builds:read']
  const sent = await runInProcess(service, [...post, '--json', 'secret'])
  assert.equal(sent.code, 2, sent.stderr)
  assert.match((JSON.parse(sent.stdout) as { data: { key: string } }).data.key, /^qsw_/, 'the key is printed')
})

test('prints usage errors as JSON when --json is specified', async () => {
  for (const args of [
    ['launch', '--json'],
    ['upload', '--json'],
    ['builds', 'list', '--json', '--page', '0'],
  ]) {
    const { code, stderr } = await runInProcess(service, args)
    assert.deepEqual([code, (JSON.parse(stderr) as { kind: string }).kind], [2, 'usage'], args.join(' '))
  }
})

test('revokes descendant keys only when --descendants is specified', async () => {
  const create = (name: string) => ['keys', 'create', name, '--workspace', '--scope', 'api_keys:write']
  const parent = await jsonInProcess<{ key: string; id: string }>(service, create('parent'))
  const child = await jsonInProcess<{ key: string }>(service, [...create('child'), '--key', parent.key])
  const revoke = ['keys', 'revoke', parent.id, '--workspace']
  const reported = await runInProcess(service, revoke)
  assert.match(reported.stdout, /1 API key that it created is still valid/)
  const revoked = await runInProcess(service, [...revoke, '--descendants'])
  assert.match(revoked.stdout, /along with 1 API key that it created/)
  const late = await runInProcess(service, [...create('late'), '--key', child.key])
  assert.notEqual(late.code, 0)
})

test('prints a list as a table and a single build or application as labeled fields', async () => {
  const list = await runInProcess(service, ['builds', 'list', ...inFirst])
  assert.match(list.stdout, new RegExp(`^ID +VERSION .*\n${build} +1\\.0\\.0 `))
  const one = await runInProcess(service, ['builds', 'view', build, ...inFirst])
  assert.match(one.stdout, /^Size +12\.00 MB$/m)
  const application = await runInProcess(service, ['applications', 'view', 'second app'])
  assert.match(application.stdout, /^Name +Second App$/m)
})

test('shows help when run without arguments and suggests a command for a misspelled one', async () => {
  const help = await runInProcess(service, [])
  assert.equal(help.code, 0)
  assert.match(help.stdout, /^Usage: quayside [^]*\nCore commands:\n  upload <file> [^]*\n  143  terminated/)
  const misspelled = await runInProcess(service, ['uplod'])
  assert.equal(misspelled.code, 2)
  assert.match(misspelled.stderr, /^quayside: unknown command 'uplod'\n\(Did you mean upload\?\)/)
})

test('shows an example in the help text of every command', async () => {
  const commands = {
    '': 'upload download mirror verify share',
    builds: 'list view download edit label move delete restore',
    releases: 'list view create edit add remove publish schedule withdraw delete',
    applications: 'list view create edit delete restore',
    platforms: 'list add remove',
    streams: 'list view create edit delete',
    labels: 'list create edit delete promote',
    webhooks: 'list view create edit delete test deliveries redeliver',
    share: 'list revoke',
    keys: 'create list revoke',
    members: 'list invite remove',
    teams: 'list create edit delete add remove grant revoke',
    audit: 'list',
  }
  for (const [group, verbs] of Object.entries(commands)) {
    for (const verb of verbs.split(' ')) {
      const command = group === '' ? [verb] : [group, verb]
      const { code, stdout } = await runInProcess(service, [...command, '--help'])
      assert.equal(code, 0, command.join(' '))
      const example = group === 'builds' && verb === 'download' ? 'download' : command.join(' ')
      assert.match(stdout, new RegExp(`Example:\n  \\$ .*quayside ${example} `))
    }
  }
})

test('keeps an identical local file and overwrites a different file only with --force', async () => {
  const args = ['download', 'latest', ...inFirst, '--output', 'kept.bin']
  assert.equal((await runInProcess(service, args)).code, 0)
  assert.match((await runInProcess(service, args)).stderr, /already exists with the same content/)
  await writeFile(join(service.folder, 'kept.bin'), 'mine')
  const refused = await runInProcess(service, args)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /already exists with different content\. Use --force/)
  assert.equal((await runInProcess(service, [...args, '--force'])).code, 0)
  assert.ok(await isComplete('kept.bin'))
})

test('creates an output folder whose path ends with a slash', async () => {
  assert.equal((await runInProcess(service, ['download', build, ...inFirst, '-o', 'new/folder/'])).code, 0)
  assert.ok(await isComplete('new/folder/app-1.0.0.bin'))
})

test('resumes a download after the client is killed', async () => {
  const args = ['download', build, ...inFirst, '--output', 'broken.bin']
  const reached = service.gate.holdAfter(7 * mib, 'down')
  const running = startQuayside(service, args)
  await reached
  const part = join(service.folder, `broken.bin.${build}.part`)
  // The client is not killed until it has written most of the bytes that it received.
  while ((await stat(part)).size < 3 * mib) await pause(20)
  running.child.kill('SIGKILL')
  await running.ended
  service.gate.release()
  assert.ok(!(await readdir(service.folder)).includes('broken.bin'))
  const { files } = await jsonInProcess<{ files: { received_bytes: number }[] }>(service, args)
  assert.ok((files[0]?.received_bytes ?? 0) < 10 * mib, `received ${files[0]?.received_bytes} bytes`)
  assert.ok(await isComplete('broken.bin'))
})

test('restarts a download when the partial file does not match the checksum', async () => {
  await writeFile(join(service.folder, `odd.bin.${build}.part`), randomBytes(3 * mib))
  const result = await runInProcess(service, ['download', build, ...inFirst, '--output', 'odd.bin'])
  assert.equal(result.code, 0, result.stderr)
  assert.match(result.stderr, /does not match the checksum\. Starting over/)
  assert.ok(await isComplete('odd.bin'))
})

test('restarts a download when the partial file is longer than the complete file', async () => {
  const part = join(service.folder, `long.bin.${build}.part`)
  await writeFile(part, '')
  await truncate(part, bytes.length + 1)
  assert.equal((await runInProcess(service, ['download', build, ...inFirst, '--output', 'long.bin'])).code, 0)
  assert.ok(await isComplete('long.bin'))
})

test('prints the SHA-256 checksum and size of the downloaded file', async () => {
  type Downloaded = {
    files: { checksum_sha256: string; checksum_md5: string | null; size_bytes: number }[]
  }
  const { files } = await jsonInProcess<Downloaded>(service, [
    'download',
    build,
    ...inFirst,
    '--output',
    'sums.bin',
  ])
  assert.equal(files[0]?.checksum_sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.equal(files[0]?.size_bytes, bytes.length)
})
