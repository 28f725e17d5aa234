import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

// npm test                      everything
// npm test -- uploads labels    the files whose path holds one of these words
const root = join(import.meta.dirname, '..')
const places = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts']
const words = process.argv.slice(2)
const files = globSync([...places, 'bench/**/*.test.ts'], { cwd: root })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .toSorted()
if (files.length === 0) {
  console.error(`No test file has ${words.join(' or ')} in its path.`)
  process.exit(1)
}

const isCi = process.env['CI'] !== undefined && process.env['CI'] !== 'false'
for (const line of notRun()) console.log(`Not run here: ${line}`)

const args = [
  '--test',
  '--test-global-setup=packages/server/test/global-setup.ts',
  `--test-concurrency=${Math.max(2, availableParallelism())}`,
  '--test-reporter=spec',
  ...files,
]
const child = spawn(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(isCi ? { QUAYSIDE_SLOW_TESTS: '1' } : {}) },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))

/** What this machine or this run leaves out, each with its reason; the tests say so again where they are skipped. */
function* notRun(): Generator<string> {
  if (process.platform !== 'linux')
    yield 'crashes, memory and unprivileged starts: they read /proc, which only Linux has.'
  else if (process.getuid?.() !== 0)
    yield 'what root alone can show (PostgreSQL under an unprivileged account, a 0700 home): run as root for it.'
  if (!isCi) yield 'the slowest variants: CI=true npm test runs them.'
}
