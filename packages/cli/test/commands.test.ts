import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { jsonOf, runQuayside, startQuayside } from './run-quayside.ts'
import { freePort, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

const mib = 1024 * 1024
const bytes = randomBytes(40 * mib)
let service: Service
let build: string

before(async () => {
  service = await startService()
  await jsonOf(service, ['applications', 'create', 'First App'])
  await writeFile(join(service.folder, 'app-1.0.0.bin'), bytes)
  build = (await jsonOf<{ build_id: string }>(service, ['upload', 'app-1.0.0.bin'])).build_id
  await jsonOf(service, ['applications', 'create', 'Second App', '--platform', 'ios'])
})

after(() => service.close())

const inFirst = ['--application', 'First App']

async function received(name: string): Promise<boolean> {
  return bytes.equals(await readFile(join(service.folder, name)))
}

test('exit codes, over the ways to fail, tell them apart', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  const table: [string[], Record<string, string>, number, RegExp][] = [
    [['builds', 'list', ...inFirst], {}, 0, /^$/],
    [['builds', 'get', 'nosuch0000', ...inFirst], {}, 1, /There is no build nosuch0000/],
    [['upload', 'absent.apk', ...inFirst], {}, 1, /absent\.apk cannot be read \(ENOENT\)/],
    [['upload', 'app-1.0.0.bin', '--stream', 'none', ...inFirst], {}, 1, /"none" is not a stream/],
    [['upload'], {}, 2, /missing required argument 'file'/],
    [['upload', 'app-1.0.0.bin', '--version', 'new', ...inFirst], {}, 2, /"new" is not a version/],
    [['builds', 'list', '--per-page', '0'], {}, 2, /from 1 to 100/],
    [['builds', 'list'], {}, 2, /several applications.*"First App", "Second App".*--application/],
    [['launch'], {}, 2, /unknown command/],
    [['builds', 'list', ...inFirst], { QUAYSIDE_API_KEY: '' }, 3, /QUAYSIDE_API_KEY or use --key/],
    [['builds', 'list', ...inFirst], { QUAYSIDE_API_KEY: 'wrong' }, 3, /does not accept this API key/],
    [['builds', 'list', ...inFirst], { QUAYSIDE_SERVER: nobody }, 4, /ECONNREFUSED.*QUAYSIDE_SERVER/],
  ]
  for (const [arguments_, env, code, said] of table) {
    const ended = await runQuayside(service, arguments_, { env })
    assert.equal(ended.code, code, `${arguments_.join(' ')}: ${ended.stderr}`)
    assert.match(ended.stderr, said)
  }
})

test('a missing scope, with --json, is an error that scripts can read', async () => {
  const create = ['keys', 'create', 'reader', '--scope', 'builds:read,applications:read']
  const { key, id } = await jsonOf<{ key: string; id: string }>(service, create)
  const ended = await runQuayside(service, ['applications', 'create', 'Third', '--json', '--key', key])
  assert.equal(ended.code, 3)
  assert.equal(ended.stdout, '')
  const error = JSON.parse(ended.stderr) as { status: number; message: string; kind: string }
  assert.deepEqual([error.status, error.kind], [403, 'not_allowed'])
  assert.match(error.message, /'applications:create' scope/)
  const keys = await jsonOf<{ id: string; name: string; key?: string }[]>(service, ['keys', 'list'])
  assert.ok(keys.some((listed) => listed.id === id && listed.name === 'reader' && listed.key === undefined))
  assert.deepEqual(await jsonOf(service, ['keys', 'revoke', id]), { id, revoked: true })
})

test('a list and a build, for people, are a table and its facts', async () => {
  const list = await runQuayside(service, ['builds', 'list', ...inFirst])
  assert.match(list.stdout, new RegExp(`^ID +VERSION .*\n${build} +1\\.0\\.0 `))
  const one = await runQuayside(service, ['builds', 'get', build, ...inFirst])
  assert.match(one.stdout, /^Size +40\.00 MB$/m)
  const application = await runQuayside(service, ['applications', 'get', 'second app'])
  assert.match(application.stdout, /^Name +Second App$/m)
})

test('help, of every verb, has an example', async () => {
  const verbs = ['upload', 'download', 'serve', 'builds list', 'builds get', 'applications create']
  const more = ['applications list', 'applications get', 'keys create', 'keys list', 'keys revoke']
  for (const verb of [...verbs, ...more]) {
    const { code, stdout } = await runQuayside(service, [...verb.split(' '), '--help'])
    assert.equal(code, 0, verb)
    assert.match(stdout, new RegExp(`Example:\n  \\$ .*quayside ${verb}`), verb)
  }
})

test('a file that is there already, downloaded again, is kept or refused', async () => {
  const arguments_ = ['download', 'latest', ...inFirst, '--output', 'kept.bin']
  assert.equal((await runQuayside(service, arguments_)).code, 0)
  assert.match((await runQuayside(service, arguments_)).stderr, /is there already, with the same bytes/)
  await writeFile(join(service.folder, 'kept.bin'), 'mine')
  const refused = await runQuayside(service, arguments_)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /other bytes: add --force/)
  assert.equal((await runQuayside(service, [...arguments_, '--force'])).code, 0)
  assert.ok(await received('kept.bin'))
})

test('a download, killed in the middle, is finished by the same command with only the rest', async () => {
  const arguments_ = ['download', build, ...inFirst, '--output', 'broken.bin']
  const reached = service.gate.holdAfter(20 * mib, 'down')
  const running = startQuayside(service, arguments_)
  await reached
  running.child.kill('SIGKILL')
  await running.ended
  service.gate.release()
  const names = await readdir(service.folder)
  assert.ok(names.includes(`broken.bin.${build}.part`) && !names.includes('broken.bin'))
  const { files } = await jsonOf<{ files: { received_bytes: number }[] }>(service, arguments_)
  assert.ok((files[0]?.received_bytes ?? 0) < 25 * mib, `${files[0]?.received_bytes} bytes came again`)
  assert.ok(await received('broken.bin'))
})

test('a part file with wrong bytes, left by something else, is thrown away', async () => {
  await writeFile(join(service.folder, `odd.bin.${build}.part`), randomBytes(3 * mib))
  const ended = await runQuayside(service, ['download', build, ...inFirst, '--output', 'odd.bin'])
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stderr, /does not fit; starting over/)
  assert.ok(await received('odd.bin'))
})

test('a part file that is too long, left by something else, is thrown away', async () => {
  const part = join(service.folder, `long.bin.${build}.part`)
  await writeFile(part, '')
  await truncate(part, bytes.length + 1)
  assert.equal((await runQuayside(service, ['download', build, ...inFirst, '--output', 'long.bin'])).code, 0)
  assert.ok(await received('long.bin'))
})

test('the checksums a download prints, for scripts, are those of the bytes', async () => {
  type Downloaded = { files: { checksum_sha256: string; checksum_md5: string | null; size_bytes: number }[] }
  const { files } = await jsonOf<Downloaded>(service, ['download', build, ...inFirst, '--output', 'sums.bin'])
  assert.equal(files[0]?.checksum_sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.equal(files[0]?.size_bytes, bytes.length)
})

const oldNode = otherNode()

test(
  'an old Node, starting the program, runs it with the pinned one',
  { skip: oldNode === undefined },
  async () => {
    const ended = await runQuayside(service, ['builds', 'list', ...inFirst, '--json'], {
      node: oldNode ?? '',
    })
    assert.equal(ended.code, 0, ended.stderr)
    assert.equal((JSON.parse(ended.stdout) as { id: string }[])[0]?.id, build)
    const wrong = await runQuayside(service, ['launch'], { node: oldNode ?? '' })
    assert.equal(wrong.code, 2)
  },
)

/** A Node of the machine that is older than 24, if there is one. */
function otherNode(): string | undefined {
  const paths = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'node'))
  return paths.find((path) => {
    try {
      const version = execFileSync(path, ['--version'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return Number(version.slice(1).split('.')[0]) < 24
    } catch {
      return false
    }
  })
}
