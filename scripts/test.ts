import { spawn } from 'node:child_process'
import { availableParallelism, constants } from 'node:os'
import { join } from 'node:path'
import { selectTests } from './select-tests.ts'

// npm test                                   everything
// npm test -- uploads labels                 the files whose path holds one of these texts
// npm test -- --test-name-pattern=abort      options of `node --test`
const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('--'))
const wanted = given.filter((argument) => !argument.startsWith('--'))

const files = await selectTests(root, wanted)
if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`)
  process.exit(1)
}

const isCi = process.env['CI'] !== undefined && process.env['CI'] !== 'false'
for (const line of notRun()) console.log(`Not run here: ${line}`)

const args = [
  '--test',
  '--test-global-setup=packages/server/test/global-setup.ts',
  `--test-concurrency=${Math.max(2, availableParallelism())}`,
  '--test-timeout=600000',
  '--test-reporter=spec',
  ...options,
  ...files,
]
const runner = spawn(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(isCi ? { QUAYSIDE_SLOW_TESTS: '1' } : {}) },
})
// A terminal sends Ctrl-C to the whole group already, a supervisor SIGTERM to this process alone.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => runner.kill('SIGTERM'))
runner.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
})

/** What this machine or this run leaves out, each with its reason; the tests say so again where they are skipped. */
function* notRun(): Generator<string> {
  if (process.platform !== 'linux')
    yield 'crashes, memory and unprivileged starts: they read /proc, which only Linux has.'
  else if (process.getuid?.() !== 0)
    yield 'what root alone can show (PostgreSQL under an unprivileged account, a 0700 home): run as root for it.'
  if (!isCi) yield 'the slowest variants: CI=true npm test runs them.'
}
