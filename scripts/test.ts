import { spawn } from 'node:child_process'
import { availableParallelism, constants } from 'node:os'
import { join } from 'node:path'
import { selectTests } from './select-tests.ts'

// `npm test -- uploads --test-name-pattern=abort`: parts of paths choose the files, options go to `node --test`.
const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('--'))
const wanted = given.filter((argument) => !argument.startsWith('--'))

const files = await selectTests(root, wanted)
if (files.length === 0) {
  console.error(`No test file has ${wanted.join(' or ')} in its path.`)
  process.exit(1)
}

const runner = spawn(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    '--test-timeout=600000',
    '--test-global-setup=packages/server/test/global-setup.ts',
    '--test-reporter=spec',
    ...options,
    ...files,
  ],
  { cwd: root, stdio: 'inherit' },
)
// A terminal sends Ctrl-C to the whole group, a supervisor SIGTERM to this process alone.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => runner.kill('SIGTERM'))
runner.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
})
