import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { createBrowser, userAgents } from '../../../test/page-browser.ts'
import { shareCalls } from '../../../test/share-links.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

const skip = spawnSync('curl', ['--version']).error !== undefined && 'requires curl'

let service: Service
let tenant: Tenant
let calls: ReturnType<typeof shareCalls>
let folder: string

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  calls = shareCalls(service, tenant)
})
after(() => service.close())

/** Creates the folder in which the commands of a test run. */
async function createFolder(t: TestContext): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'quayside-commands-'))
  const created = folder
  t.after(() => rm(created, { recursive: true, force: true }))
}

/** Returns the commands that a page shows, as a visitor copies them. */
async function commandsAt(url: string, browser = createBrowser()): Promise<string[]> {
  const { text } = await browser.open(url)
  const lines = [...text.matchAll(/<pre><code>(.*?)<\/code><\/pre>/gs)].map(([, line = '']) =>
    line.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  )
  return lines.filter((line) => line.startsWith('curl'))
}

async function onlyCommandAt(url: string, browser = createBrowser()): Promise<string> {
  const [command, ...more] = await commandsAt(url, browser)
  assert.deepEqual(more, [])
  return command ?? assert.fail('no command')
}

/** Runs a command in the folder. Without `home`, curl reads no configuration. */
async function run(command: string, { shell = 'sh', home = '/nonexistent' } = {}) {
  const child = spawn(shell, ['-c', command], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

/** Starts a network through which clients reach every host, and which fails after this many bytes of responses. */
async function startFailingNetwork(maxBytes: number) {
  let sentBytes = 0
  const server = createServer((client) => {
    client.on('error', () => {})
    client.once('data', (request: Buffer) => {
      const [, host = '', port = '80'] =
        /^host: ([^:\r]+)(?::(\d+))?/im.exec(request.toString('latin1')) ?? []
      const target = connect(Number(port), host)
      target.on('error', () => client.destroy())
      target.write(request)
      client.pipe(target)
      target.on('data', (chunk: Buffer) => {
        client.write(chunk)
        sentBytes += chunk.length
        if (sentBytes >= maxBytes) client.end(() => target.destroy())
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

const filesOf = async (): Promise<Buffer[]> =>
  Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))))

test('resumes an interrupted download, compares the checksum and counts once', { skip }, async (t) => {
  await createFolder(t)
  const bytes = randomBytes(6_000_000)
  const { build } = await uploadedBuild(service, tenant, { primary_file: { filename: 'large.7z' } }, bytes)
  const path = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
  const { data } = (await calls.send('POST', path, { max_downloads: 1 })).body
  const command = await onlyCommandAt(data.url)
  const home = await mkdtemp(join(tmpdir(), 'quayside-curl-'))
  t.after(() => rm(home, { recursive: true, force: true }))
  const network = await startFailingNetwork(bytes.length / 2)
  t.after(() => network.close())
  await writeFile(join(home, '.curlrc'), `connect-to = "::127.0.0.1:${network.port}"\n`)
  const interrupted = await run(command, { home })
  assert.deepEqual(interrupted, { code: 1, output: 'large.7z: FAILED\n' })
  const file = join(folder, 'large.7z')
  const receivedBytes = (await stat(file)).size
  assert.ok(receivedBytes > 0 && receivedBytes < bytes.length, `${receivedBytes} bytes`)
  const resumed = await run(command)
  assert.deepEqual(resumed, { code: 0, output: 'large.7z: OK\n' })
  assert.deepEqual(await readFile(file), bytes)
  assert.deepEqual(await run(command), { code: 0, output: 'large.7z: OK\n' }, 'complete already')
  assert.equal((await calls.send('GET', path)).body.data[0].download_count, 1)
  assert.equal((await createBrowser().open(data.url)).status, 410)
})

test('fails for a file with other bytes, which it does not download again', { skip }, async (t) => {
  await createFolder(t)
  const { url, bytes } = await calls.createLink({}, { primary_file: { filename: 'app.7z' } })
  const changed = Buffer.from(bytes.subarray(0, 600))
  changed.writeUInt8(changed.readUInt8(5) ^ 1, 5)
  await writeFile(join(folder, 'app.7z'), changed)
  const { code, output } = await run(await onlyCommandAt(url))
  assert.deepEqual([code, output], [1, 'app.7z: FAILED\n'])
  const file = await readFile(join(folder, 'app.7z'))
  assert.deepEqual(file, Buffer.concat([changed, bytes.subarray(600)]))
})

const hostileNames = [
  "it's $(touch hacked) `touch hacked`.7z",
  '; touch hacked; #.7z',
  "';touch hacked;'.7z",
  '-',
  '-K evil.7z',
  'a\\nb\\c\\\\.7z',
  '%s %d "quoted" & | > <.7z',
  '*?[a]{b,c}~!.7z',
  '=ls ’ ‘ ü 日本.7z',
  '#comment.7z',
]
const shells = ['sh', 'bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'true']).error === undefined)

test('is safe with every file name', { skip }, async (t) => {
  await createFolder(t)
  const builds = []
  const contents = new Map<string, Buffer>()
  for (const filename of hostileNames) {
    const { build, bytes } = await uploadedBuild(service, tenant, {
      platform: 'generic',
      primary_file: { filename },
    })
    builds.push(build)
    contents.set(filename, Buffer.from(bytes))
  }
  const { url } = await calls.createReleaseLink(builds)
  const commands = await commandsAt(url)
  assert.equal(commands.length, hostileNames.length)
  for (const shell of shells) {
    for (const command of commands) {
      const { code, output } = await run(command, { shell })
      assert.deepEqual([code, output.endsWith(': OK\n')], [0, true], `${shell}: ${command}`)
    }
    assert.deepEqual((await readdir(folder)).toSorted(), hostileNames.toSorted(), shell)
    for (const [name, bytes] of contents) {
      assert.deepEqual(await readFile(join(folder, name)), bytes)
      await rm(join(folder, name))
    }
  }
  const onMac = await commandsAt(url, createBrowser(userAgents.macos))
  if (spawnSync('shasum', ['--version']).error === undefined)
    assert.equal((await run(onMac[0] ?? '')).code, 0)
})

test('needs no password for a while, and no second count for other files', { skip }, async (t) => {
  await createFolder(t)
  const { url, id, count } = await calls.createLink(
    { password: 'open sesame', max_downloads: 1 },
    {
      platform: 'android',
      structure: 'file+expansion',
      primary_file: { filename: 'game.apk', size_bytes: 1024 },
      expansion_files: [{ filename: 'main.1.game.obb', size_bytes: 600 }],
    },
  )
  const browser = createBrowser()
  const locked = await browser.open(url)
  assert.deepEqual(await commandsAt(url), [])
  await browser.submit(locked, 'Continue', { password: 'open sesame' })
  const commands = await commandsAt(url, browser)
  assert.equal(commands.length, 2)
  for (const command of commands) assert.equal((await run(command)).code, 0)
  assert.equal(await count(), 1)
  assert.equal((await filesOf()).length, 2)
  await calls.send('PATCH', `/share-links/${id}`, { password: 'another' })
  const [, ticketed = ''] = /'(http[^']*)'/.exec(commands[0] ?? '') ?? []
  const refused = await service.call('GET', ticketed, { key: null })
  assert.deepEqual([refused.status, refused.body.code], [410, 'share_link.ticket_expired'])
})

test('refuses a ticket of another link and one that is too old', async () => {
  const [first, second] = [await calls.createLink(), await calls.createLink()]
  const urlOf = (command: string) => /'(http[^']*)'/.exec(command)?.[1] ?? assert.fail(command)
  const url = new URL(urlOf(await onlyCommandAt(first.url)))
  const other = new URL(urlOf(await onlyCommandAt(second.url)))
  const ticket = url.searchParams.get('ticket') ?? ''
  other.searchParams.set('ticket', ticket)
  const codeOf = async (target: URL) => (await service.call('GET', target.href, { key: null })).body.code
  assert.equal(await codeOf(other), 'share_link.ticket_expired')
  for (const wrong of ['x', `${ticket}x`, ticket.replace(/^../, '00')]) {
    url.searchParams.set('ticket', wrong)
    assert.equal(await codeOf(url), 'share_link.ticket_expired', wrong)
  }
  assert.equal(await first.count(), 0)
})

test('counts one download if many requests with one ticket arrive at once', async () => {
  const { url, count } = await calls.createLink({ max_downloads: 1 })
  const target = /'(http[^']*)'/.exec(await onlyCommandAt(url))?.[1] ?? assert.fail('no URL')
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => service.call('GET', target, { key: null })),
  )
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [302])
  assert.equal(await count(), 1)
})
