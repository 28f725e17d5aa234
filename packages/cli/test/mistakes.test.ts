import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMistakes } from './mistake-table.ts'
import { createValues, fill, values, words, writeTestFile } from './mistake-values.ts'
import { closeServers, startProxy } from './other-servers.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

let service: Service

const path = (name: string) => join(service.folder, name)
const file = (name: string, content?: string) => writeTestFile(service, name, content)

before(async () => {
  service = await startService()
  await createValues(service)
})

after(async () => {
  closeServers()
  await service.close()
})

/** Runs a command line from the table. `<<<` precedes standard input; `<<?` precedes an answer to a prompt. */
async function run(commandLine: string): Promise<{ code: number; message: string; all: string }> {
  const [before = '', after = ''] = commandLine.split(/(?:^| )quayside /)
  const [command = '', input] = after.split(' <<< ')
  const [args = '', ...answers] = command.split(' <<? ')
  const { code, stdout, stderr } = await runInProcess(service, words(args), {
    env: Object.fromEntries(
      words(before).map((text) => [text.split('=')[0], text.slice(text.indexOf('=') + 1)]),
    ),
    ...(input === undefined ? {} : { input: words(input).join(' ') }),
    ...(answers.length === 0 ? {} : { answers: answers.flatMap(words) }),
    firstResponseMs: commandLine.includes('{silent}') ? 100 : 15_000,
  })
  return { code, message: finalMessage(stderr), all: `${stdout}${stderr}` }
}

/** Returns the last message without the hint that follows a usage error. */
function finalMessage(stderr: string): string {
  const text = stderr.slice(Math.max(0, stderr.lastIndexOf('quayside: '))).replace(/^quayside: /, '')
  return text.replace('Run the command with --help for usage.', '').trim().replaceAll('\n', ' ')
}

// The CLI must not print stack traces, error codes of the operating system or Node.js, or messages of its libraries.
const rawText =
  /^\s+at |\b(E[A-Z]{4,}|(ERR|UND|HPE)_\w+)\b|fetch failed|getaddrinfo|other side closed|undefined|\[object|\bError:/m

const mistakes = await readMistakes()

for (const group of new Set(mistakes.map((mistake) => mistake.group)))
  test(`explains how to fix mistakes with ${group}`, async () => {
    const inGroup = mistakes.filter((mistake) => mistake.group === group)
    assert.ok(inGroup.length > 0)
    await Promise.all(inGroup.map(({ command, code, message }) => assertFailure(command, code, message)))
  })

test('reads at least 150 mistakes from the table', () => {
  assert.ok(mistakes.length >= 150, `${mistakes.length} mistakes`)
})

/** Runs commands that fail and compares their last messages. */
async function assertFailures(table: [command: string, code: number, message: string][]): Promise<void> {
  for (const [command, code, message] of table) await assertFailure(command, code, message)
}

async function assertFailure(command: string, code: number, message: string): Promise<void> {
  const result = await run(command)
  assert.deepEqual([result.code, result.message], [code, fill(message)], command)
  assert.doesNotMatch(result.all, rawText, command)
}

test('reports what to configure if an upload cannot reach storage', async () => {
  values['unreachable'] = await startProxy(service, values['unused'] ?? '')
  values['limited'] = await startProxy(service, (request, response) =>
    request.resume().on('end', () => response.writeHead(413).end('<html>')),
  )
  const upload = 'quayside upload game-1.0.0.bin --application Game --server'
  await assertFailures([
    [
      `${upload} {unreachable}`,
      4,
      'Uploading game-1.0.0.bin failed: the connection was refused. The server at {unreachable} signed a URL at {unused}. If that is not its storage, correct QUAYSIDE_PUBLIC_URL on the server. Rerun the command to resume.',
    ],
    [
      `${upload} {limited}`,
      1,
      'Uploading game-1.0.0.bin failed: storage responded with HTTP 413. A proxy in front of the server limits the size of requests. In nginx, set client_max_body_size to 0.',
    ],
  ])
})

test('reports a file that is deleted during its upload', async () => {
  await file('gone-1.0.0.bin')
  values['deleting'] = await startProxy(service, (request, response) => {
    request.resume().on('end', () => {
      rmSync(path('gone-1.0.0.bin'))
      response.writeHead(200).end()
    })
  })
  await assertFailures([
    [
      'quayside upload gone-1.0.0.bin --application Game --server {deleting}',
      1,
      '{folder}/gone-1.0.0.bin was deleted while it was being uploaded. Wait until the step that creates it has finished, then rerun this command.',
    ],
  ])
})

test('reports a download that is corrupted', async () => {
  values['corrupting'] = await startProxy(service, (_request, response) => response.end('GAME-1.0.0.bin'))
  const download = 'quayside download {build} --application Game --server {corrupting} --output'
  await assertFailures([
    [
      `${download} corrupted.bin`,
      1,
      'The SHA-256 checksum of corrupted.bin does not match. Rerun the command to download it again.',
    ],
    [
      `${download} -`,
      1,
      'The SHA-256 checksum of game-1.0.0.bin does not match. Discard the output and rerun the command.',
    ],
  ])
  const left = (await readdir(service.folder)).filter((name) => name.startsWith('corrupted.bin'))
  assert.deepEqual(left, [])
})

test('reports how to resume a download that Ctrl-C interrupts', async () => {
  const interrupted = new AbortController()
  values['hanging'] = await startProxy(service, (_request, response) => {
    response.writeHead(200, { 'content-length': 14 }).write('game')
    interrupted.abort()
  })
  const download = words('download {build} --application Game --server {hanging} --output interrupted.bin')
  const { code, stderr } = await runInProcess(service, download, { signal: interrupted.signal })
  assert.equal(code, 130)
  assert.match(
    finalMessage(stderr),
    /^Interrupted after \d+% of interrupted\.bin\. Rerun the command to resume\.$/,
  )
})

test('writes only the bytes of a build to standard output', async () => {
  const download = words('download {build} --application Game --output -')
  const { code, stdout, stderr } = await runInProcess(service, download)
  assert.deepEqual([code, stdout], [0, 'game-1.0.0.bin'])
  assert.match(stderr, /^game-1\.0\.0\.bin: 100%, 14 B of 14 B, .*\n$/)
})

test('refuses to write a build with several files to standard output or to a single file', async () => {
  await file('main.1.com.example.obb')
  await runInProcess(service, words('platforms add android --application {twin1}'))
  const upload = 'upload app-1.0.0.apk --expansion main.1.com.example.obb --platform android --no-scm'
  const { build_id } = await jsonInProcess<{ build_id: string }>(
    service,
    words(`${upload} --application {twin1}`),
  )
  await assertFailures([
    [
      `quayside download ${build_id} --application {twin1} --output -`,
      2,
      'The build has 2 files, but `--output -` writes one. Use the path of a folder that ends with a slash.',
    ],
    [
      `quayside download ${build_id} --application {twin1} --output one.apk`,
      1,
      'one.apk is not a folder, and the build has 2 files. End the path with a slash to create a folder.',
    ],
  ])
})

test('selects one of two applications with the same name by its ID', async () => {
  const { code, stdout } = await runInProcess(service, words('builds list --application {twin2}'))
  assert.deepEqual([code, stdout], [0, 'No builds found.\n'])
})

test('reports an expired or revoked key', async () => {
  const create = ['keys', 'create', 'short', '--scope', 'builds:read', '--expires']
  // The key must still be valid when the request arrives, even on a busy machine.
  const expires = new Date(Date.now() + 5_000).toISOString()
  values['expiring'] = (await jsonInProcess<{ key: string }>(service, [...create, expires])).key
  const list = 'quayside builds list --application {game} --key'
  assert.equal((await run('quayside keys revoke {selfId} --key {self}')).code, 0)
  // The server caches a valid key briefly, so it may accept a revoked key for a moment.
  while ((await run('quayside keys list --key {self}')).code === 0);
  while ((await run(`${list} {expiring}`)).code === 0) await sleep(100)
  const message =
    'The API key is invalid, expired or revoked. Run `quayside login` or set QUAYSIDE_API_KEY to a valid key.'
  await assertFailures([
    [`${list} {expiring}`, 3, message],
    ['quayside keys list --key {self}', 3, message],
  ])
})

test('warns that other users can read the stored keys', { skip: process.platform === 'win32' }, async () => {
  const hosts = { default_server: service.url, servers: { [service.url]: { key: values['reader'] } } }
  await file('open/.config/quayside/hosts.json', JSON.stringify(hosts))
  await chmod(path('open/.config/quayside/hosts.json'), 0o644)
  const env = { HOME: path('open'), QUAYSIDE_API_KEY: '' }
  const { code, stderr } = await runInProcess(service, words('builds list --application {game}'), { env })
  const hostsPath = `${service.folder}/open/.config/quayside/hosts.json`
  assert.deepEqual(
    [code, stderr],
    [0, `Other users can access the API keys in ${hostsPath}. Run \`chmod 600 ${hostsPath}\`.\n`],
  )
})

test('refuses to mirror another application to the same folder', async () => {
  assert.equal((await run('quayside mirror {game} mirrored')).code, 0)
  await assertFailures([
    [
      'quayside mirror {twin1} mirrored',
      1,
      'mirrored is a mirror of the application {game}. Choose another folder for {twin1}.',
    ],
  ])
})

const isRoot = process.getuid?.() === 0

test('reports paths that the user cannot access', { skip: process.platform === 'win32' }, async () => {
  await file('secret-1.0.0.bin')
  await chmod(path('secret-1.0.0.bin'), 0)
  await mkdir(path('closed'), { mode: 0o500 })
  await chmod(service.folder, 0o755)
  // Root can access files regardless of their permissions.
  if (isRoot) process.seteuid?.(65_534)
  try {
    await assertFailures([
      [
        'quayside upload secret-1.0.0.bin --application Game',
        1,
        'Cannot read secret-1.0.0.bin: permission denied. Check the path and its permissions.',
      ],
      [
        'quayside download {build} --application Game --output closed/game.bin',
        1,
        'Cannot write {folder}/closed/game.bin: permission denied. Check its permissions and those of its folder, or choose another path.',
      ],
      [
        'quayside mirror Game closed/copy',
        1,
        'Cannot write {folder}/closed/copy: permission denied. Check its permissions and those of its folder, or choose another path.',
      ],
    ])
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
})

const runShell = (script: string) => spawnSync('sh', ['-c', script, 'sh', path('small-disk')])

test('reports a full disk and keeps the partial download', async (t) => {
  await mkdir(path('small-disk'))
  const mount = runShell('mount -t tmpfs -o size=64k none "$1"')
  if (mount.status !== 0) {
    t.skip('requires permission to mount a file system')
    return
  }
  try {
    await file('large-1.0.0.bin', 'x'.repeat(200_000))
    const upload = words('upload large-1.0.0.bin --application Game --no-scm')
    const { build_id } = await jsonInProcess<{ build_id: string }>(service, upload)
    await assertFailures([
      [
        `quayside download ${build_id} --application Game --output small-disk/large.bin`,
        1,
        'Cannot write {folder}/small-disk/large.bin: the disk is full. Free some space, then rerun the command.',
      ],
    ])
    assert.deepEqual(await readdir(path('small-disk')), [`large.bin.${build_id}.part`])
  } finally {
    runShell('umount "$1"')
  }
})
