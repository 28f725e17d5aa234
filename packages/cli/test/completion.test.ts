import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { cacheFolder, program } from './run-quayside.ts'

const run = promisify(execFile)
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-completion-'))
  await writeFile(join(folder, 'quayside'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  await chmod(join(folder, 'quayside'), 0o755)
  await writeFile(join(folder, 'app 1.apk'), '')
})

after(() => rm(folder, { recursive: true, force: true }))

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
