import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { blocksIn } from './docs-blocks.ts'
import { releaseService, repository, sharedService, type Service } from './npm-start.ts'

const exampleOrigins = /https:\/\/builds\.example\.com|http:\/\/localhost:4400/g

const read = (file: string): Promise<string> => readFile(join(repository, file), 'utf8')

const index = (await read('docs/README.md')).split('\n## Contributing\n')[0] ?? ''
const userPages = [...index.matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(([, file]) => `docs/${file}`)
const pages = await Promise.all(
  ['README.md', ...userPages].map(async (file) => ({ file, blocks: blocksIn(await read(file)) })),
)

let service: Service
let programs: string

before(async () => {
  service = await sharedService({ QUAYSIDE_BOOTSTRAP_KEY: '' })
  programs = await mkdtemp(join(tmpdir(), 'quayside-programs-'))
  await run(`curl -fsSL ${service.url}/cli/install.sh | sh`, programs)
})
after(async () => {
  await releaseService()
  await rm(programs, { recursive: true, force: true })
})

/** Runs commands with bash in a folder and reports the first one that fails. */
function run(commands: string, folder: string): Promise<string> {
  const script = `set -Eeuo pipefail\ntrap 'echo "Failed: $BASH_COMMAND" >&2' ERR\n${commands}`
  const { NODE_COMPILE_CACHE } = process.env
  const env = {
    PATH: `${programs}/.local/bin:${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: folder,
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
    QUAYSIDE_SERVER: service.url,
  }
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', script], { cwd: folder, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${stderr}\n${stdout}`.trim()))
    })
  })
}

/** Deletes all applications, because every page and first-steps.test.ts create one with the same name. */
async function deleteApplications(): Promise<void> {
  const key = (await readFile(join(service.dataDir, 'first-key'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${key}` }
  const api = `${service.url}/api/v1/applications`
  const { data } = (await (await fetch(api, { headers })).json()) as { data: { id: string }[] }
  for (const { id } of data)
    assert.equal((await fetch(`${api}/${id}`, { method: 'DELETE', headers })).status, 200)
}

for (const { file, blocks } of pages) {
  const runnable = blocks.filter(({ reason }) => reason === undefined)
  if (runnable.length > 0)
    test(`runs the commands in ${file} in order without errors`, async (t) => {
      for (const { commands, reason } of blocks)
        if (reason !== undefined) t.diagnostic(`not run: ${commands.split('\n')[0]} (${reason})`)
      const folder = await mkdtemp(join(tmpdir(), 'quayside-docs-'))
      t.after(() => rm(folder, { recursive: true, force: true }))
      await deleteApplications()
      await symlink(service.dataDir, join(folder, 'data'))
      await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
      const commands = runnable.map(({ commands }) => commands).join('\n')
      await run(commands.replaceAll(exampleOrigins, service.url), folder)
    })
}

test('finds runnable commands in the user documentation', () => {
  const shown = pages.flatMap(({ blocks }) => blocks.filter(({ reason }) => reason === undefined))
  assert.ok(pages.length > 10)
  assert.ok(shown.length > 25)
})

test('shows the same commands for every CI system', async () => {
  const page = await read('docs/ci.md')
  const expected = [
    'curl -fsSL https://builds.example.com/cli/install.sh | sh',
    '~/.local/bin/quayside upload',
  ]
  const examples = [...page.matchAll(/^```(?:yaml|groovy)\n(.*?)\n```/gms)].map(([, text = '']) => text)
  assert.ok(examples.length >= 6)
  for (const example of examples)
    assert.deepEqual(
      expected.filter((command) => !example.includes(command)),
      [],
      example,
    )
})
