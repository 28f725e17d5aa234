import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { runQuayside } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

type Application = { id: string; name: string; description: string | null }

let service: Service

before(async () => (service = await startService()))
after(() => service.close())

async function api<Body>(args: string[]): Promise<Body> {
  const result = await runInProcess(service, ['api', ...args])
  assert.equal(result.code, 0, result.stderr)
  return JSON.parse(result.stdout) as Body
}

test('sends fields as the body of a POST request and as the query of a GET request', async () => {
  const { data } = await api<{ data: Application }>([
    'post',
    '/applications',
    '-F',
    'name=App',
    '-f',
    'description=12',
    '-F',
    'platforms[]=android',
    '-F',
    'platforms[]=ios',
  ])
  assert.deepEqual([data.name, data.description], ['App', '12'])
  const platforms = await api<{ data: unknown[] }>(['GET', '/applications/{application}/platforms'])
  assert.equal(platforms.data.length, 2)
  const search = ['GET', 'api/v1/applications', '-F', 'search=nothing']
  assert.deepEqual((await api<{ data: unknown[] }>(search)).data, [])
})

test('sends a file or standard input as the body', async () => {
  await writeFile(join(service.folder, 'body.json'), '{"name":"From a file"}')
  const file = await api<{ data: Application }>(['POST', '/applications', '--input', 'body.json'])
  assert.equal(file.data.name, 'From a file')
  const args = ['api', 'POST', '/applications', '--input', '-']
  const input = await runQuayside(service, args, { input: '{"name":"From input"}' })
  assert.equal(input.code, 0, input.stderr)
  assert.equal((JSON.parse(input.stdout) as { data: Application }).data.name, 'From input')
})

test('combines all pages into one list and selects fields', async () => {
  const names = await api<{ name: string }[]>([
    'GET',
    '/applications?per_page=1&sort_by=name',
    '--paginate',
    '--json',
    'name',
  ])
  assert.deepEqual(names.map(({ name }) => name).toSorted(), ['App', 'From a file', 'From input'])
})

test('prints the body of an error response and exits with the code for its HTTP status', async () => {
  const table: [string[], number, RegExp, Record<string, string>][] = [
    [['GET', '/applications/nosuch000000'], 1, /"code": "\w+\.not_found"/, {}],
    [['POST', '/applications', '-F', 'name=3'], 1, /"errors": \{/, {}],
    [['GET', '/workspace'], 3, /"message"/, { QUAYSIDE_API_KEY: 'invalid' }],
    [['GET', '/workspace'], 3, /"message"/, { QUAYSIDE_API_KEY: '' }],
  ]
  for (const [args, code, body, env] of table) {
    const result = await runInProcess(service, ['api', ...args], { env })
    assert.equal(result.code, code, result.stderr)
    assert.match(result.stdout, body)
    assert.match(result.stderr, /^quayside: /)
  }
})

test('sends no request if the method, the path, a header or a field is invalid', async () => {
  const table: [string[], RegExp][] = [
    [['FETCH', '/workspace'], /"FETCH" is not a supported method/],
    [['GET', 'https://example.com/api/v1/workspace'], /is not a path on http/],
    [['GET', '//example.com/workspace'], /is not a path on http/],
    [['GET', '/workspace', '-H', 'novalue'], /"novalue" is not a header/],
    [['GET', '/workspace', '-F', 'novalue'], /"novalue" is not a field/],
    [['POST', '/applications', '--paginate'], /--paginate requires GET/],
  ]
  for (const [args, message] of table) {
    const result = await runInProcess(service, ['api', ...args], {
      env: { QUAYSIDE_SERVER: 'http://127.0.0.1:1' },
    })
    assert.equal(result.code, 2, result.stderr)
    assert.match(result.stderr, message)
  }
})

test('follows the cursor of a feed and prints the target of a redirect', async () => {
  await writeFile(join(service.folder, 'app-1.0.0.bin'), 'content')
  const inApp = ['--application', 'Feed']
  await jsonInProcess(service, ['applications', 'create', 'Feed'])
  const builds: string[] = []
  for (const version of ['1.0.0', '1.0.1']) {
    const args = ['upload', 'app-1.0.0.bin', '--version', version, ...inApp]
    builds.push((await jsonInProcess<{ build_id: string }>(service, args)).build_id)
  }
  const path = '/applications/{application}/changes?limit=1'
  let changed = new Set<string>()
  // A transaction in the database of another test can delay the feed. A build that a job changes appears again.
  for (const end = Date.now() + 60_000; changed.size < builds.length && Date.now() < end;) {
    const changes = await api<{ id: string }[]>(['GET', path, '--paginate', ...inApp])
    changed = new Set(changes.map(({ id }) => id))
  }
  assert.deepEqual(changed, new Set(builds))
  const file = `/applications/{application}/builds/${builds[0]}/file`
  const redirect = await runInProcess(service, ['api', 'get', file, ...inApp])
  assert.equal(await (await fetch(redirect.stdout.trim())).text(), 'content')
})
