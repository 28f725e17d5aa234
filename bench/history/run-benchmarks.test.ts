import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Benchmark, benchmarks, describeMissing, idOf } from '../benchmarks.ts'
import type { Run } from './history.ts'
import { runBenchmarks } from './run-benchmarks.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-run-benchmarks-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Writes a program that saves its arguments as the name of a figure. */
const program = (name: string, code = '') =>
  writeFile(
    join(folder, `${name}.ts`),
    `import { writeFileSync } from 'node:fs'
    ${code}
    const figures = [{ name: process.argv.slice(2).join(' '), value: 0.123456, atLeast: 0.5 }]
    writeFileSync(process.env['BENCH_RESULTS'] + '/${idOf({ name }).toLowerCase()}.json', JSON.stringify({ figures }))`,
  )

async function runAll(all: Benchmark[]) {
  const lines: string[] = []
  const runs: Run[] = []
  const failed = await runBenchmarks(all, {
    root: join(import.meta.dirname, '../..'),
    programs: folder,
    measurements: folder,
    argumentsOf: ({ short }) => short,
    options: '--short',
    log: (line) => lines.push(line),
    record: (run) => runs.push(run),
  })
  return { failed, lines, runs }
}

test('records each run with its machine, and reports progress', async () => {
  await program('b1-first')
  await program('b2-second')
  const { failed, lines, runs } = await runAll([
    { name: 'b1-first', short: ['--rounds', '1'] },
    { name: 'b2-second', short: [] },
  ])
  assert.deepEqual(failed, [])
  assert.deepEqual(
    runs.map(({ id, options, figures }) => [id, options, figures[0]?.name]),
    [
      ['B1', '--short', '--rounds 1'],
      ['B2', '--short', ''],
    ],
  )
  const [first] = runs
  assert.match(first?.commit ?? '', /^[0-9a-f]{9,}$/)
  assert.equal(first?.machine.node, process.versions.node)
  assert.ok(first.othersUse >= 0 && first.othersUse <= 1)
  const text = lines.join('\n')
  assert.match(text, /▶ b1-first {2}1 of 2/)
  assert.match(text, /✔ b1-first {2}\d+ s {2}--rounds 1: 0\.123 {2}1 left/)
  assert.match(text, /✔ b2-second.* 0 left/)
})

test('continues after a benchmark that fails or saves nothing', async () => {
  await program('b3-fails', 'process.exit(7)')
  await program('b4-saves-nothing', 'process.exit(0)')
  await program('b5-last')
  const { failed, lines, runs } = await runAll(
    ['b3-fails', 'b4-saves-nothing', 'b5-last'].map((name) => ({ name, short: [] })),
  )
  assert.deepEqual(failed, ['b3-fails', 'b4-saves-nothing'])
  assert.deepEqual(
    runs.map(({ id }) => id),
    ['B5'],
  )
  assert.match(lines.join('\n'), /✖ b3-fails .*exit code 7[^]*✖ b4-saves-nothing .*saved no measurements/)
})

test('skips a benchmark whose peer is missing and says what to install', async () => {
  const { QUAYSIDE_TEST_CHROMIUM } = process.env
  process.env['QUAYSIDE_TEST_CHROMIUM'] = '/nowhere'
  try {
    const { failed, lines, runs } = await runAll([{ name: 'b6-browser', short: [], requires: ['chromium'] }])
    assert.deepEqual([failed, runs], [[], []])
    assert.match(
      lines.join('\n'),
      /– b6-browser {2}skipped: requires chromium: run apt-get install -y chromium/,
    )
  } finally {
    if (QUAYSIDE_TEST_CHROMIUM === undefined) delete process.env['QUAYSIDE_TEST_CHROMIUM']
    else process.env['QUAYSIDE_TEST_CHROMIUM'] = QUAYSIDE_TEST_CHROMIUM
  }
})

test('every benchmark has an ID of its own', () => {
  assert.equal(new Set(benchmarks.map(idOf)).size, benchmarks.length)
  assert.equal(describeMissing({ requires: [] }), undefined)
})
