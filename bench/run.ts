import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchmarks, idOf, shortArguments } from './benchmarks.ts'
import { historyFiles } from './history/history-files.ts'
import { appendRun } from './history/history.ts'
import { runBenchmarks } from './history/run-benchmarks.ts'

// `npm run bench` runs the benchmarks one after another and adds each run to the history. `npm run bench -- b5 b8` selects
// some, `--short` runs them as briefly as possible, and other options are passed to them.
const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const firstOption = args.findIndex((argument) => argument.startsWith('--'))
const words = firstOption < 0 ? args : args.slice(0, firstOption)
const options = firstOption < 0 ? [] : args.slice(firstOption)
const isShort = options.includes('--short')
const passed = options.filter((option) => option !== '--short')
// Where the data is kept does not change what is measured.
const recorded = options.filter((option, index) => !isFolder(option) && !isFolder(options[index - 1] ?? ''))

const unknown = words.filter((word) => select(word).length === 0)
if (unknown.length > 0) {
  console.error(
    `No benchmark is named ${unknown.join(' or ')}. Choose from ${benchmarks.map(idOf).join(', ')}.`,
  )
  process.exit(2)
}
const selected = benchmarks.filter(
  (benchmark) => words.length === 0 || words.some((word) => select(word).includes(benchmark)),
)
const temporary = mkdtempSync(join(tmpdir(), 'quayside-bench-short-'))
try {
  const failed = await runBenchmarks(selected, {
    root,
    programs: import.meta.dirname,
    measurements: join(import.meta.dirname, 'results/measurements'),
    argumentsOf: (benchmark) => (isShort ? [...passed, ...shortArguments(benchmark, temporary)] : passed),
    options: recorded.length > 0 ? recorded.join(' ') : undefined,
    log: console.log,
    record(run) {
      appendRun(root, run)
      for (const [path, text] of historyFiles(root)) writeFileSync(join(root, path), text)
    },
  })
  if (failed.length > 0) {
    console.error(`\n${failed.length} of ${selected.length} benchmarks failed: ${failed.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

function select(word: string) {
  return benchmarks.filter(
    (benchmark) => benchmark.name === word || idOf(benchmark).toLowerCase() === word.toLowerCase(),
  )
}

function isFolder(option: string): boolean {
  return option === '--folder' || option === '--few-folder'
}
