import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import type { InProcessOptions } from './run-in-process.ts'
import { cacheFolder, program, runQuayside } from './run-quayside.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

type Hosts = { default_server: string | null; servers: Record<string, { key: string }> }

let service: Service
let reader: { id: string; key: string }

before(async () => {
  service = await startService()
  const create = ['keys', 'create', 'reader', '--scope', 'api_keys:read,applications:read']
  reader = await jsonInProcess(service, create)
})

after(() => service.close())

/** Returns options for a user with a separate home folder and without QUAYSIDE_SERVER and QUAYSIDE_API_KEY. */
const user = (name: string, options: InProcessOptions = {}): InProcessOptions => ({
  ...options,
  env: {
    HOME: join(service.folder, name),
    QUAYSIDE_SERVER: '',
    QUAYSIDE_API_KEY: '',
    ...options.env,
  },
})
const hostsPath = (name: string) => join(service.folder, name, '.config/quayside/hosts.json')
const readHosts = async (name: string) => JSON.parse(await readFile(hostsPath(name), 'utf8')) as Hosts
const mode = async (path: string) => (await stat(path)).mode & 0o777

test('stores the key where only the user can read it, then uses that key and its server by default', async () => {
  const login = await runQuayside(
    service,
    ['login', '--server', service.url],
    user('alice', { input: `${reader.key}\n` }),
  )
  assert.equal(login.code, 0, login.stderr)
  assert.match(login.stdout, new RegExp(`^Server +${service.url}\nWorkspace +\\S.*\nScopes +api_keys:read, `))
  assert.ok(!`${login.stdout}${login.stderr}`.includes(reader.key))
  assert.deepEqual(
    [await mode(hostsPath('alice')), await mode(join(hostsPath('alice'), '..'))],
    [0o600, 0o700],
  )
  assert.deepEqual(await jsonInProcess(service, ['applications', 'list'], user('alice')), [])
  const status = await runInProcess(service, ['status'], user('alice'))
  assert.match(status.stdout, /^Server +http:\S+ \(from .*hosts\.json\)\nVersion +0\.1\.0$/m)
  assert.match(status.stdout, new RegExp(`^Key +${reader.key.slice(0, 8)}… \\(from .*hosts\\.json\\)$`, 'm'))
  assert.ok(!status.stdout.includes(reader.key))
})

test('prefers the option to the environment and the environment to the stored key', async () => {
  await runInProcess(service, ['login', '--server', service.url], user('bob', { input: reader.key }))
  const source = async (args: string[], env: Record<string, string>) =>
    (await jsonInProcess<{ key_source: string }>(service, ['status', ...args], user('bob', { env })))
      .key_source
  assert.equal(await source([], {}), 'file')
  assert.equal(await source([], { QUAYSIDE_API_KEY: bootstrapKey }), 'environment')
  assert.equal(await source(['--key', reader.key], { QUAYSIDE_API_KEY: 'invalid' }), 'option')
})

test('does not send a stored key to another server', async () => {
  const other = service.url.replace('127.0.0.1', 'localhost')
  await runInProcess(service, ['login', '--server', service.url], user('carol', { input: reader.key }))
  const result = await runInProcess(service, ['status', '--server', other], user('carol'))
  assert.equal(result.code, 3)
  assert.match(result.stderr, /There is no API key for http:\/\/localhost:\d+\. Run `quayside login`/)
})

test('logs out of one server and keeps the keys for the others', async () => {
  const other = service.url.replace('127.0.0.1', 'localhost')
  for (const server of [other, service.url])
    await runInProcess(service, ['login', '--server', server], user('dave', { input: reader.key }))
  assert.equal((await readHosts('dave')).default_server, service.url)
  const logout = await jsonInProcess(service, ['logout'], user('dave'))
  assert.deepEqual(logout, { server: service.url, deleted: true })
  assert.deepEqual(await readHosts('dave'), {
    default_server: other,
    servers: { [other]: { key: reader.key } },
  })
  const again = await runInProcess(service, ['logout', '--server', service.url], user('dave'))
  assert.equal(again.code, 1)
  assert.match(
    again.stderr,
    new RegExp(`No API key is stored for ${service.url}\\. .* --server: ${other}\\.`),
  )
})

test('stores nothing if the key is missing, malformed or rejected', async () => {
  const table: [string, number, RegExp][] = [
    ['', 2, /No API key was entered/],
    ['two words', 2, /contains spaces or other invalid characters/],
    ['qsw_unknown', 3, /API key is invalid, expired or revoked/],
  ]
  for (const [input, code, message] of table) {
    const result = await runInProcess(service, ['login', '--server', service.url], user('erin', { input }))
    assert.equal(result.code, code, result.stderr)
    assert.match(result.stderr, message)
    assert.ok(!existsSync(hostsPath('erin')))
  }
})

test('reports a damaged key file only when a command needs a stored key', async () => {
  await mkdir(join(hostsPath('frank'), '..'), { recursive: true })
  await writeFile(hostsPath('frank'), '{"servers":')
  const result = await runInProcess(service, ['status'], user('frank'))
  assert.equal(result.code, 1)
  assert.match(result.stderr, /hosts\.json is damaged\. Delete it and run `quayside login` again/)
  const env = { QUAYSIDE_SERVER: service.url, QUAYSIDE_API_KEY: bootstrapKey }
  assert.equal((await runInProcess(service, ['status'], user('frank', { env }))).code, 0)
})

test(
  'prompts for the key on a terminal without echoing it',
  { skip: !existsSync('/usr/bin/script') },
  async () => {
    // `script` runs the command in a pseudoterminal.
    const command = `'${process.execPath}' '${program}' login --server ${service.url}`
    const terminal = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, XDG_CACHE_HOME: cacheFolder, ...user('grace').env, XDG_CONFIG_HOME: '' },
    })
    let shown = ''
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (!shown.includes('API key for') && `${shown}${text}`.includes('API key for'))
        terminal.stdin.write(`${reader.key}\r`)
      shown += text
    })
    const [code] = (await once(terminal, 'close')) as [number]
    assert.equal(code, 0, shown)
    assert.ok(!shown.includes(reader.key), shown)
    assert.deepEqual((await readHosts('grace')).servers, { [service.url]: { key: reader.key } })
  },
)

test('opens the page for a build, an application, the server or the API reference', async () => {
  // This script stands in for the browser and logs the URL.
  const browser = join(service.folder, 'browser')
  await writeFile(browser, '#!/bin/sh\necho "$1" > "$0.log"\n')
  await chmod(browser, 0o755)
  const { id } = await jsonInProcess<{ id: string }>(service, ['applications', 'create', 'App'])
  await writeFile(join(service.folder, 'app-1.0.0.bin'), 'content')
  const { build_id } = await jsonInProcess<{ build_id: string }>(service, ['upload', 'app-1.0.0.bin'])
  const table: [string[], string][] = [
    [[build_id], `/applications/${id}/builds/${build_id}`],
    [['--application', 'App'], `/applications/${id}`],
    [['--docs'], '/api/v1/docs'],
    [[], ''],
  ]
  for (const [args, path] of table) {
    const result = await runInProcess(service, ['open', ...args], { env: { BROWSER: browser } })
    assert.equal(result.stdout, `${service.url}${path}\n`)
    assert.equal(await readFile(`${browser}.log`, 'utf8'), result.stdout)
  }
})

test('prints the URL if no browser can be started', async () => {
  const result = await runInProcess(service, ['open'], { env: { BROWSER: '/nonexistent' } })
  assert.deepEqual([result.code, result.stdout], [0, `${service.url}\n`])
  assert.match(result.stderr, /No browser could be started\. Open the URL yourself or set BROWSER\./)
  const printed = await runInProcess(service, ['open', '--print'], { env: { BROWSER: '/nonexistent' } })
  assert.deepEqual([printed.stdout, printed.stderr], [`${service.url}\n`, ''])
})
