import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Program, programEnvironment, programPath } from './tools/programs.ts'
import { installTools } from './tools/tool-sets.ts'

type Check = { name: string; command: string[]; fix: string; env?: Record<string, string> }
type Outcome = { check: Check; passed: boolean; output: string; seconds: number }

const root = join(import.meta.dirname, '..')
const node = process.execPath
const tool = (name: Program) => [node, programPath(name)]
// The checks run in parallel. With its default of four checkers, the compiler infers shared types up to four times.
const checkTypes = (project: string) => [...tool('tsc'), '--checkers', '1', '--project', project]

const checks: Check[] = [
  { name: 'types', command: checkTypes('.'), fix: 'fix the types' },
  { name: 'types of web', command: checkTypes('packages/web'), fix: 'fix the types' },
  { name: 'types of browser tests', command: checkTypes('packages/web/test'), fix: 'fix the types' },
  {
    name: 'lint',
    command: tool('oxlint'),
    // The rules with types are checked by a program in Go, which starts one checker per thread.
    env: { ...programEnvironment, GOMAXPROCS: '1' },
    fix: '`npm run lint -- --fix` fixes some of them',
  },
  {
    name: 'layers',
    command: [node, 'scripts/check-layers.ts'],
    fix: 'see the rules in docs/architecture.md',
  },
  { name: 'format', command: [...tool('oxfmt'), '--check'], fix: 'npm run format' },
  {
    name: 'unused',
    command: [...tool('knip'), '--no-progress'],
    fix: 'delete it, or drop the export if only its own file uses it',
  },
  {
    name: 'generated',
    command: [node, '--conditions=@quayside/source', 'scripts/generate.ts', '--check'],
    fix: 'npm run generate; every line of the contract needs a test',
  },
  {
    name: 'migrations',
    command: [node, 'scripts/check-migrations.ts'],
    fix: 'restore the released migration and add a new one',
  },
  {
    name: 'lockfile',
    command: [node, 'scripts/check-lockfile.ts'],
    fix: 'npm install, then node scripts/check-lockfile.ts --fix',
  },
]

function run(check: Check): Promise<Outcome> {
  const [program = '', ...args] = check.command
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...check.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const end = (passed: boolean) =>
      resolve({ check, passed, output, seconds: (performance.now() - startedAt) / 1000 })
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr.on('data', (data: Buffer) => (output += data.toString()))
    child.on('error', (error) => {
      output += error.message
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}

installTools('check')
const outcomes = await Promise.all(
  checks.map(async (check) => {
    const outcome = await run(check)
    console.log(`${outcome.passed ? '✔' : '✖'} ${check.name.padEnd(22)} ${outcome.seconds.toFixed(1)} s`)
    return outcome
  }),
)

const failures = outcomes.filter(({ passed }) => !passed)
for (const { check, output } of failures) console.log(`\n── ${check.name} (${check.fix})\n${output.trim()}`)
if (failures.length > 0) {
  console.log(
    `\n${failures.length} of ${checks.length} checks failed: ${failures.map(({ check }) => check.name).join(', ')}`,
  )
  process.exitCode = 1
}
