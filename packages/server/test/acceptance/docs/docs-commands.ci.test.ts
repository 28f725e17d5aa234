import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { repository, type Service } from '../npm-start.ts'
import { sharedService } from '../one-start.ts'
import { findSupportedNode } from '../supported-node.ts'
import { folderOnly } from '../test-storage.ts'
import { blocksIn, type Block } from './docs-blocks.ts'

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
after(() => rm(programs, { recursive: true, force: true }))

/** Runs commands with bash in a folder and reports the first one that fails. `input` is what the user enters. */
function run(
  commands: string,
  folder: string,
  { env = userEnvironment(folder), input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<string> {
  const script = `set -Eeuo pipefail\ntrap 'echo "Failed: $BASH_COMMAND" >&2' ERR\n${commands}`
  return new Promise((resolve, reject) => {
    const shell = execFile('bash', ['-c', script], { cwd: folder, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${stderr}\n${stdout}`.trim()))
    })
    // Commands that fail early do not read all of the input.
    shell.stdin?.on('error', () => {})
    shell.stdin?.end(input)
  })
}

/** Returns the environment of a user who has installed `quayside` and whose home folder is `folder`. */
function userEnvironment(folder: string): Record<string, string> {
  const { NODE_COMPILE_CACHE, PATH } = process.env
  return {
    PATH: `${programs}/.local/bin:${dirname(process.execPath)}:${PATH}`,
    HOME: folder,
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
    QUAYSIDE_SERVER: service.url,
    ...storageSettings(),
  }
}

/** Returns the settings that commands on a server with files in S3 need. */
const storageSettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service.environment).filter(([name]) => /^QUAYSIDE_(STORAGE$|S3_)/.test(name)),
  )

const firstKey = async (): Promise<string> =>
  (await readFile(join(service.dataDir, 'first-key'), 'utf8')).trim()

const emptyFolder = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-docs-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Deletes all applications, because every page and first-steps.test.ts create one with the same name. */
async function deleteApplications(): Promise<void> {
  const headers = { authorization: `Bearer ${await firstKey()}` }
  const api = `${service.url}/api/v1/applications`
  const { data } = (await (await fetch(api, { headers })).json()) as { data: { id: string }[] }
  for (const { id } of data)
    assert.equal((await fetch(`${api}/${id}`, { method: 'DELETE', headers })).status, 200)
}

const getStarted = 'docs/get-started.md'

/** Returns the commands of a page in the order in which the page shows them, for the running service. */
const commandsOf = (blocks: readonly Block[]): string =>
  blocks
    .flatMap(({ commands, reason }) => (reason === undefined ? [commands] : []))
    .join('\n')
    .replaceAll(exampleOrigins, service.url)

test(`runs the commands in ${getStarted} in an empty folder with the oldest supported Node`, async (t) => {
  const folder = await emptyFolder(t)
  await deleteApplications()
  // This PATH contains no program of the repository.
  await mkdir(join(folder, 'node'))
  await symlink(await findSupportedNode(), join(folder, 'node/node'))
  const env = { PATH: `${folder}/node:/usr/bin:/bin`, HOME: join(folder, 'home') }
  const { blocks = [] } = pages.find(({ file }) => file === getStarted) ?? {}
  const output = await run(`node --version\n${commandsOf(blocks)}`, folder, {
    env,
    input: `${await firstKey()}\n`,
  })
  t.diagnostic(`Node ${output.split('\n')[0]}`)
  assert.match(output, /^Stored in +.*\/home\/\.config\/quayside\/hosts\.json$/m)
})

for (const { file, blocks } of pages) {
  const shown = blocks.filter(({ reason }) => reason === undefined)
  // The pages restore a backup to a new data folder. Files in S3 would also need a new prefix.
  const options = shown.some(({ commands }) => commands.includes('admin restore')) ? folderOnly : {}
  if (file !== getStarted && shown.length > 0)
    test(`runs the commands in ${file} in order without errors`, options, async (t) => {
      for (const { commands, reason } of blocks)
        if (reason !== undefined) t.diagnostic(`not run: ${commands.split('\n')[0]} (${reason})`)
      const folder = await emptyFolder(t)
      await deleteApplications()
      await symlink(service.dataDir, join(folder, 'data'))
      await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
      await run(commandsOf(blocks), folder)
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
