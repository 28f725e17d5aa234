import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0]
  return sorted.length % 2 === 0 ? (low + high) / 2 : high
}

/** The result of the service and, from the same run, the result of the baseline that it is compared to. */
export type Line = {
  name: string
  ours: number
  limit: number
  limitName: string
  unit: string
  /** The smallest ratio that meets the goal; undefined if the ratio is only printed. */
  goal?: number
}

/**
 * What the history of a benchmark keeps of a run: a ratio, or an absolute value with its unit. At most one of the goals is
 * set.
 */
export type Figure = { name: string; value: number; unit?: string; atLeast?: number; atMost?: number }

/** Prints the table and saves all measurements. */
export async function report(id: string, lines: Line[], details: Record<string, unknown>): Promise<void> {
  const rows = lines.map((line) => ({ ...line, ratio: line.ours / line.limit }))
  console.log(`\n${id}`)
  for (const { name, ours, limit, limitName, unit, ratio, goal } of rows) {
    const verdict = goal === undefined ? '' : ` (goal ${goal}: ${ratio >= goal ? 'met' : 'NOT met'})`
    console.log(
      `  ${name.padEnd(34)} ${ours.toFixed(0).padStart(7)} ${unit}  ${limitName} ${limit.toFixed(0)} ${unit}  ` +
        `ratio ${ratio.toFixed(2)}${verdict}`,
    )
  }
  for (const [detail, value] of Object.entries(details)) {
    if (typeof value === 'number' || typeof value === 'string') console.log(`  ${detail}: ${value}`)
  }
  const figures = rows.map(({ name, limitName, ratio, goal }) => ({
    name: `${name} ÷ ${limitName}`,
    value: ratio,
    ...(goal !== undefined && { atLeast: goal }),
  }))
  await save(id, { lines: rows, details }, figures)
}

/**
 * Saves all measurements in bench/results/measurements/, or in the folder in BENCH_RESULTS. `npm run bench` adds the figures
 * to the history.
 */
export async function save(id: string, measured: object, figures: Figure[]): Promise<void> {
  const folder = process.env['BENCH_RESULTS'] ?? join(import.meta.dirname, 'results/measurements')
  await mkdir(folder, { recursive: true })
  const measuredAt = new Date().toISOString()
  const machine = { cores: availableParallelism(), node: process.version }
  await writeFile(
    join(folder, `${id.toLowerCase()}.json`),
    `${JSON.stringify({ id, measuredAt, machine, figures, ...measured }, null, 2)}\n`,
  )
}

/** Returns the value of a numeric option such as `--rounds 3`, or the default. */
export function option(name: string, defaultValue: number): number {
  return Number(textOption(name, String(defaultValue)))
}

/** Returns the value of a text option such as `--folder path`, or the default. */
export function textOption(name: string, defaultValue: string): string {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? defaultValue : (process.argv[at + 1] ?? defaultValue)
}

/**
 * Returns the folder that keeps seeded builds for the next run. It is not below `tmpdir()`, which `npm run bench` deletes after
 * each benchmark.
 */
export const folderOption = (name: string, option = 'folder'): string =>
  textOption(option, `/tmp/quayside-bench-${name}`)
