import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import { join, relative, resolve } from 'node:path'

// npm test                                   run all test files
// npm test -- uploads labels                 run the files whose path contains one of these words
// npm test -- --test-name-pattern=abort      pass options to `node --test`
const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const options = args.filter((argument) => argument.startsWith('--'))
const selection = args.filter((argument) => !argument.startsWith('--'))
const paths = selection.map((text) => relative(root, resolve(root, text)))
const files = globSync('{packages,bench,scripts}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] })
  .filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)))
  .toSorted()
if (files.length === 0) {
  console.error(`No test file has ${selection.join(' or ')} in its path.`)
  process.exit(1)
}

const isCi = process.env['CI'] !== undefined && process.env['CI'] !== 'false'
for (const line of skippedParts()) console.log(`Not run here: ${line}`)

const runnerArgs = [
  '--conditions=@quayside/source',
  '--test',
  '--test-global-setup=packages/server/test/global-setup.ts',
  // One more than the number of cores, because some tests mostly wait for timeouts.
  `--test-concurrency=${availableParallelism() + 1}`,
  '--test-timeout=600000',
  '--test-reporter=spec',
  ...options,
  ...files,
]
const runner = spawn(process.execPath, runnerArgs, {
  cwd: root,
  stdio: 'inherit',
  env: {
    // Most test files load the whole server. A shared compile cache saves a third of their startup time.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
    ...process.env,
    ...(isCi ? { QUAYSIDE_SLOW_TESTS: '1' } : {}),
  },
})
// A terminal sends Ctrl-C to the whole process group, but a supervisor sends SIGTERM to this process only.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => runner.kill('SIGTERM'))
runner.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
})

/** Yields the tests that this run skips. Skipped tests also report the reason themselves. */
function* skippedParts(): Generator<string> {
  if (process.platform !== 'linux')
    yield 'crash, memory and unprivileged-start tests, which read /proc of Linux.'
  else if (process.getuid?.() !== 0)
    yield 'tests that need root (PostgreSQL under an unprivileged account, a home folder with mode 0700).'
  if (!isCi) yield 'the slowest variants; CI=true npm test runs them.'
}
