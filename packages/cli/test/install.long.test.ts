import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { findSupportedNode } from '../../server/test/acceptance/supported-node.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

const run = promisify(execFile)

let service: Service
let folder: string
let home: string

before(async () => {
  service = await startService()
  folder = join(service.folder, 'client')
  home = join(folder, 'home')
  await mkdir(home, { recursive: true })
  // The PATH contains only Node and the tools that the script needs, so the test fails if the script uses other tools.
  await symlink(await findSupportedNode(), join(folder, 'node'))
})

after(() => service?.close())

test('installs a CLI that uses the server it was downloaded from', async () => {
  const { code, output } = await install()
  assert.equal(code, 0, output)
  assert.match(output, /^Installed quayside 0\.1\.0 in .*\/home\/\.local\/bin\.$/m)
  assert.match(output, /Add the folder to your PATH: export PATH="/)
  const content = randomBytes(6 * 1024 * 1024)
  await writeFile(join(folder, 'app-1.2.3.bin'), content)
  await quayside('applications', 'create', 'App')
  const upload = await quayside('upload', 'app-1.2.3.bin', '--json')
  const { build_id } = JSON.parse(upload.stdout) as { build_id: string }
  await quayside('download', build_id, '--output', 'copy.bin')
  assert.ok(content.equals(await readFile(join(folder, 'copy.bin'))))
})

test('replaces an older version and deletes the downloaded file', async () => {
  const program = join(home, '.local/share/quayside/quayside.mjs')
  await writeFile(program, 'older')
  const { code, output } = await install()
  assert.equal(code, 0, output)
  assert.equal(await readlink(join(home, '.local/bin/quayside')), program)
  const { stdout } = await run('ls', [join(home, '.local/share/quayside')])
  assert.equal(stdout, 'quayside.mjs\n')
})

test('rejects a damaged download and keeps the installed version', async () => {
  const script = await (await fetch(`${service.url}/cli/install.sh`)).text()
  const damaged = script.replace(/sha256='\w{4}/, "sha256='0000")
  assert.notEqual(damaged, script)
  const { code, output } = await install(damaged)
  assert.equal(code, 1)
  assert.match(output, /The download is damaged\. Run the installation again\./)
  assert.equal((await quayside('--version')).stdout, '0.1.0\n')
})

test('installs nothing if the installation script is truncated', async () => {
  const script = await (await fetch(`${service.url}/cli/install.sh`)).text()
  const empty = join(folder, 'empty')
  for (const part of [0.3, 0.6, 0.95]) {
    await install(script.slice(0, Math.floor(script.length * part)), { HOME: empty })
    await assert.rejects(readFile(join(empty, '.local/share/quayside/quayside.mjs')), {
      code: 'ENOENT',
    })
  }
})

test('explains that Node.js is missing or too old', async () => {
  const tools = join(folder, 'tools')
  await mkdir(tools)
  const missing = await install(undefined, { PATH: tools })
  assert.equal(missing.code, 1)
  assert.match(missing.output, /Node\.js 20 or newer is required\. Install it/)
  await writeFile(join(tools, 'node'), '#!/bin/sh\n[ "$1" = --version ] && echo v18.20.4 && exit\nexit 1\n')
  await chmod(join(tools, 'node'), 0o755)
  const old = await install(undefined, { PATH: `${tools}:/usr/bin:/bin` })
  assert.equal(old.code, 1)
  assert.match(old.output, /Node\.js 20 or newer is required; this is v18\.20\.4\./)
})

test('returns 304 to a client that already has the current file', async () => {
  for (const path of ['/cli/quayside.mjs', '/cli/install.sh']) {
    const first = await fetch(`${service.url}${path}`)
    await first.arrayBuffer()
    const again = await fetch(`${service.url}${path}`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    assert.deepEqual([first.status, again.status, await again.text()], [200, 304, ''])
  }
})

test('includes the licenses of the bundled packages', async () => {
  const code = await readFile(join(home, '.local/share/quayside/quayside.mjs'), 'utf8')
  for (const text of ['commander (MIT)\n\n(The MIT License)', 'env-ci (MIT)\n\nMIT License'])
    assert.ok(code.includes(`\n${text}\n`), text)
})

test('suggests an update if the server is newer than the CLI', async () => {
  const code = await readFile(join(home, '.local/share/quayside/quayside.mjs'), 'utf8')
  const older = join(folder, 'older.mjs')
  await writeFile(older, code.replaceAll('0.1.0', '0.0.9'))
  const { stdout, stderr } = await run(join(folder, 'node'), [older, 'applications', 'list'], clientOptions())
  assert.match(stdout, /App/)
  assert.equal(
    stderr,
    `The server runs Quayside 0.1.0, but this is quayside 0.0.9. Update the CLI: curl -fsSL ${service.url}/cli/install.sh | sh\n`,
  )
})

function clientOptions(env: Record<string, string> = {}) {
  const path = `${folder}:/usr/bin:/bin`
  return { cwd: folder, env: { HOME: home, PATH: path, QUAYSIDE_API_KEY: bootstrapKey, ...env } }
}

/** Runs the installed CLI without QUAYSIDE_SERVER. */
const quayside = (...args: string[]) => run(join(home, '.local/bin/quayside'), args, clientOptions())

/** Pipes an installation script, by default the one from the server, into a shell. */
async function install(script?: string, env?: Record<string, string>) {
  const text = script ?? (await (await fetch(`${service.url}/cli/install.sh`)).text())
  const shell = spawn('/bin/sh', [], clientOptions(env))
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  // The shell may exit before it has read the whole script.
  shell.stdin.on('error', () => {})
  shell.stdin.end(text)
  const [code] = (await once(shell, 'close')) as [number]
  return { code, output }
}
