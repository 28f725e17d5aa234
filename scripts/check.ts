import { spawn } from 'node:child_process'
import { join } from 'node:path'

type Check = { name: string; command: string[]; mend: string }
type Outcome = { check: Check; passed: boolean; output: string; seconds: number }

const root = join(import.meta.dirname, '..')
const node = process.execPath
const tool = (name: string) => [node, join(root, 'node_modules', name)]

const checks: Check[] = [
  { name: 'types', command: [...tool('typescript/bin/tsc'), '--project', '.'], mend: 'mend the types' },
  { name: 'lint', command: [...tool('oxlint/bin/oxlint')], mend: 'npx oxlint --fix mends some' },
  {
    name: 'layers',
    command: [node, 'scripts/check-layers.ts'],
    mend: 'docs/architecture.md says who may import whom',
  },
  { name: 'format', command: [...tool('oxfmt/bin/oxfmt'), '--check'], mend: 'npm run format' },
  {
    name: 'unused',
    command: [...tool('knip/bin/knip.js'), '--no-progress'],
    mend: 'delete it, or drop the export where only its own file uses it',
  },
  { name: 'openapi', command: [node, 'scripts/openapi.ts', '--check'], mend: 'npm run openapi' },
  { name: 'sdk', command: [node, 'packages/sdk/generate.ts', '--check'], mend: 'npm run openapi' },
  {
    name: 'docs',
    command: [node, 'scripts/docs.ts', '--check'],
    mend: 'npm run docs, and a test for each line of the contract',
  },
  {
    name: 'schema drawing',
    command: [node, 'scripts/draw-schema.ts', '--check'],
    mend: 'npm run schema',
  },
  { name: 'lockfile', command: [node, 'scripts/check-lockfile.ts'], mend: 'npm install' },
]

function run(check: Check): Promise<Outcome> {
  const [program = '', ...args] = check.command
  const began = performance.now()
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const end = (passed: boolean) =>
      resolve({ check, passed, output, seconds: (performance.now() - began) / 1000 })
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr.on('data', (data: Buffer) => (output += data.toString()))
    child.on('error', (error) => {
      output += error.message
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}

const outcomes = await Promise.all(
  checks.map(async (check) => {
    const outcome = await run(check)
    console.log(`${outcome.passed ? '✔' : '✖'} ${check.name.padEnd(16)} ${outcome.seconds.toFixed(1)} s`)
    return outcome
  }),
)

const failures = outcomes.filter(({ passed }) => !passed)
for (const { check, output } of failures) console.log(`\n── ${check.name} (${check.mend})\n${output.trim()}`)
if (failures.length > 0) {
  console.log(
    `\n${failures.length} of ${checks.length} checks failed: ${failures.map(({ check }) => check.name).join(', ')}`,
  )
  process.exitCode = 1
}
