import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Benchmark, describeMissing, idOf } from '../benchmarks.ts'
import type { Figure } from '../report.ts'
import { keyFigure, type Run } from './history.ts'

type Options = {
  root: string
  /** The folder of the programs. */
  programs: string
  /** The folder in which the benchmarks save their measurements. */
  measurements: string
  /** Returns the arguments of a benchmark that differ from the usual ones. */
  argumentsOf: (benchmark: Benchmark) => string[]
  /** Recorded in the history; undefined if the arguments are the usual ones. */
  options: string | undefined
  log: (line: string) => void
  /** Receives each run as soon as it is complete. */
  record: (run: Run) => void
}

const idleSampleMs = 1_000

/**
 * Runs benchmarks one after another. A failure does not stop the others, and a benchmark whose peer is missing is skipped.
 * Returns the names of those that failed.
 */
export async function runBenchmarks(benchmarks: readonly Benchmark[], options: Options): Promise<string[]> {
  const { root, log, record } = options
  const checkout = describeCheckout(root)
  const failed: string[] = []
  for (const [index, benchmark] of benchmarks.entries()) {
    const left = benchmarks.length - index - 1
    const missing = describeMissing(benchmark)
    if (missing !== undefined) {
      log(`– ${benchmark.name}  skipped: ${missing}  ${left} left`)
      continue
    }
    log(`\n▶ ${benchmark.name}  ${index + 1} of ${benchmarks.length}`)
    const measured = await runBenchmark(benchmark, options)
    const took = `${measured.seconds} s`
    if ('problem' in measured) {
      failed.push(benchmark.name)
      log(`✖ ${benchmark.name}  ${took}  ${measured.problem}  ${left} left`)
      continue
    }
    const run: Run = { id: idOf(benchmark), ...checkout, ...measured }
    record(run)
    const figure = keyFigure(run)
    const result = figure === undefined ? '' : `  ${figure.name}: ${Number(figure.value.toPrecision(3))}`
    log(`✔ ${benchmark.name}  ${took}${result}  ${left} left`)
  }
  return failed
}

type Measured = Omit<Run, 'id' | 'commit' | 'clean' | 'machine'> | { seconds: number; problem: string }

async function runBenchmark(benchmark: Benchmark, options: Options): Promise<Measured> {
  const { root, programs, measurements, argumentsOf } = options
  const file = join(measurements, `${idOf(benchmark).toLowerCase()}.json`)
  await rm(file, { force: true })
  const at = new Date().toISOString()
  const othersUse = await sampleUse()
  const loadBefore = currentLoad()
  const startMs = performance.now()
  const program = join(programs, `${benchmark.name}.ts`)
  // A benchmark that fails leaves gigabytes behind.
  const temporary = await mkdtemp(join(tmpdir(), 'quayside-benchmark-'))
  const child = spawn(
    process.execPath,
    ['--conditions=@quayside/source', program, ...argumentsOf(benchmark)],
    {
      cwd: root,
      env: { ...process.env, BENCH_RESULTS: measurements, TMPDIR: temporary },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  const seconds = Math.round((performance.now() - startMs) / 1000)
  await rm(temporary, { recursive: true, force: true })
  if (code !== 0) return { seconds, problem: `failed with ${signal ?? `exit code ${code}`}` }
  const saved = await readFile(file, 'utf8').catch(() => undefined)
  if (saved === undefined) return { seconds, problem: 'saved no measurements' }
  const { figures } = JSON.parse(saved) as { figures: Figure[] }
  return {
    at,
    load: [loadBefore, currentLoad()],
    othersUse,
    ...(options.options !== undefined && { options: options.options }),
    seconds,
    figures,
  }
}

function describeCheckout(root: string): Pick<Run, 'commit' | 'clean' | 'machine'> {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()
  const [cpu] = cpus()
  return {
    commit: git('rev-parse', '--short=9', 'HEAD'),
    // The runs themselves change the history and what it draws.
    clean: git('status', '--porcelain', '--', '.', ':!bench/results', ':!bench/README.md') === '',
    machine: { cores: availableParallelism(), cpu: cpu?.model.trim() ?? '', node: process.versions.node },
  }
}

const currentLoad = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100

/** Returns the share of all cores that programs use while this one waits. */
async function sampleUse(): Promise<number> {
  const before = cpuTimes()
  await pause(idleSampleMs)
  const after = cpuTimes()
  const total = after.total - before.total
  return total === 0 ? 0 : Math.round((1 - (after.idle - before.idle) / total) * 100) / 100
}

function cpuTimes(): { idle: number; total: number } {
  const times = cpus().map((core) => core.times)
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
  return {
    idle: sum(times.map(({ idle }) => idle)),
    total: sum(times.flatMap((time) => Object.values(time))),
  }
}
