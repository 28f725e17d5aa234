import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { closeServers, listen } from './other-servers.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { cacheFolder, environmentOf, program } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

const run = promisify(execFile)
let folder: string
let service: Service

before(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'quayside-completion-'))
  await writeFile(join(folder, 'quayside'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  await chmod(join(folder, 'quayside'), 0o755)
  await writeFile(join(folder, 'app 1.apk'), '')
})

after(async () => {
  closeServers()
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

const env = () => ({
  HOME: folder,
  XDG_CACHE_HOME: cacheFolder,
  PATH: `${folder}:/usr/local/bin:/usr/bin:/bin`,
})

test('completes commands, options, option values and file names in bash', async () => {
  const table: [string[], string[]][] = [
    [['bui'], ['builds']],
    [['builds', 'li'], ['list']],
    [['builds', 'list', '--sort-'], ['--sort-by']],
    [
      ['builds', 'list', '--sort-by', 'version'],
      ['version', 'version_short'],
    ],
    [['builds', 'list', '--sort-by', '=', 'b'], ['built_at']],
    [
      ['builds', 'list', '--sort', '='],
      ['asc', 'desc'],
    ],
    [['--application', 'builds', 'key'], ['keys']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['upload', 'app'], ['app 1.apk']],
    [['upload', 'app.apk', '--notes-file', 'app'], ['app 1.apk']],
    [['download', 'lat'], []],
  ]
  const lines = table.map(([words]) => {
    const list = ['quayside', ...words].map((word) => `'${word}'`).join(' ')
    return `COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _quayside; printf '<%s>' "\${COMPREPLY[@]}"; echo`
  })
  const script = ['source <(quayside completion bash)', 'complete -p quayside', ...lines].join('\n')
  const { stdout, stderr } = await run('bash', ['-c', script], { cwd: folder, env: env() })
  const [registered, ...completed] = stdout.trimEnd().split('\n')
  assert.equal(registered, 'complete -F _quayside quayside')
  for (const [index, [words, expected]] of table.entries()) {
    const actual = completed[index]?.slice(1, -1).split('><').filter(Boolean)
    assert.deepEqual(actual, expected, words.join(' '))
  }
  assert.doesNotMatch(stderr, /error|not found/)
})

type Completion = { env?: Record<string, string>; cache: string }

/** Returns the values that the shell offers for the last word. */
async function complete(words: string[], { env, cache }: Completion): Promise<string[]> {
  const { stdout } = await runInProcess(service, ['__complete', ...words], {
    env: { XDG_CACHE_HOME: join(folder, cache), ...env },
  })
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(0, line.indexOf('\t')))
}

/** On a busy machine, the server may not respond within the default time limit. */
const patient = { QUAYSIDE_COMPLETION_TIMEOUT_MS: '60000' }

test('completes what exists on the server', async () => {
  const json = <Output>(...args: string[]) => jsonInProcess<Output>(service, args)
  const { id: application } = await json<{ id: string }>(
    'applications',
    'create',
    'My game',
    '--platform',
    'linux',
  )
  const inGame = ['--application', 'My game']
  await json('streams', 'create', 'release candidates', ...inGame)
  await json('labels', 'create', 'smoke', ...inGame)
  await json('releases', 'create', '1.2.0', ...inGame)
  await json('keys', 'create', 'laptop', '--workspace', '--scope', 'builds:read')
  const revoked = await json<{ id: string }>(
    'keys',
    'create',
    'lost',
    '--workspace',
    '--scope',
    'builds:read',
  )
  await json('keys', 'revoke', revoked.id)
  await writeFile(join(service.folder, 'game-1.0.0.bin'), 'game')
  const { build_id } = await json<{ build_id: string }>('upload', 'game-1.0.0.bin', '--no-scm')

  const table: [string[], string[]][] = [
    [['builds', 'list', '--application', ''], ['My game']],
    [['applications', 'view', application.slice(0, 4)], [application]],
    [[...inGame, 'upload', 'a.bin', '--stream', 'rel'], ['release candidates']],
    [['upload', 'a.bin', '--stream=rel'], ['--stream=release candidates']],
    [
      ['builds', 'view', ''],
      ['latest', build_id],
    ],
    [['builds', 'delete', build_id, 'latest', build_id.slice(0, 3)], [build_id]],
    [['builds', 'list', '--platform', ''], ['linux']],
    [['upload', 'a.bin', '--label', ''], ['smoke']],
    [['upload', 'a.bin', '--platform', 'l'], ['linux']],
    [['platforms', 'add', ''], []],
    [['releases', 'view', '1'], ['1.2.0']],
    [['keys', 'revoke', 'l'], ['laptop']],
    [['builds', 'list', '--key', ''], []],
    [['applications', 'restore', ''], []],
  ]
  for (const [words, expected] of table)
    assert.deepEqual(await complete(words, { cache: 'values', env: patient }), expected, words.join(' '))

  const script = [
    'source <(quayside completion bash)',
    'COMP_WORDS=(quayside builds list --application My); COMP_CWORD=4; _quayside; printf \'<%s>\' "${COMPREPLY[@]}"',
    "COMP_WORDS=(quayside builds list --application '\"My'); COMP_CWORD=4; _quayside; printf '<%s>' \"${COMPREPLY[@]}\"",
    "COMP_WORDS=(quayside --application 'My\\ game' upload a.bin --stream rel); COMP_CWORD=6; _quayside; printf '<%s>' \"${COMPREPLY[@]}\"",
  ].join('\n')
  const shellEnv = {
    ...environmentOf(service),
    ...patient,
    XDG_CACHE_HOME: join(folder, 'values'),
    PATH: env().PATH,
  }
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env: shellEnv })
  assert.equal(stdout, '<My\\ game><My game><release\\ candidates>')
})

test('completes the values of an earlier completion if the server does not respond in time', async () => {
  let isHanging = false
  const listener: RequestListener = (_request, response) => {
    if (isHanging) return
    response.writeHead(200, { 'quayside-version': '0.1.0', 'content-type': 'application/json' })
    response.end('{"data":[{"id":"abcdefghijkl","name":"Known"}]}')
  }
  const options = { cache: 'stale', env: { QUAYSIDE_SERVER: await listen(createServer(listener)) } }
  const words = ['builds', 'list', '--application', '']
  assert.deepEqual(await complete(words, options), ['Known'])
  const [file = ''] = await readdir(join(folder, 'stale/quayside/completion'))
  const path = join(folder, 'stale/quayside/completion', file)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  isHanging = true
  assert.deepEqual(await complete(words, options), ['Known'], 'from the fresh cache')
  const cached = JSON.parse(await readFile(path, 'utf8')) as { at: number }
  await writeFile(path, JSON.stringify({ ...cached, at: cached.at - 3_600_000 }))
  assert.deepEqual(await complete(words, options), ['Known'], 'from the stale cache')
  await writeFile(path, JSON.stringify({ ...cached, at: cached.at - 48 * 3_600_000 }))
  assert.deepEqual(await complete(words, options), [])
})
