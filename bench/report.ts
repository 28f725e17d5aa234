import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0]
  return sorted.length % 2 === 0 ? (low + high) / 2 : high
}

/** One line of a benchmark: ours against the limit or the peer measured in the same run. */
export type Line = { what: string; ours: number; limit: number; limitIs: string; unit: string; goal: number }

/** Prints the table and keeps everything measured under bench/results/. */
export async function report(id: string, lines: Line[], details: Record<string, unknown>): Promise<void> {
  const rows = lines.map((line) => ({ ...line, ratio: line.ours / line.limit }))
  console.log(`\n${id}`)
  for (const { what, ours, limit, limitIs, unit, ratio, goal } of rows) {
    const verdict = ratio >= goal ? 'reached' : 'NOT reached'
    console.log(
      `  ${what.padEnd(34)} ${ours.toFixed(0).padStart(7)} ${unit}  ${limitIs} ${limit.toFixed(0)} ${unit}  ` +
        `ratio ${ratio.toFixed(2)} (goal ${goal}: ${verdict})`,
    )
  }
  for (const [name, value] of Object.entries(details)) {
    if (typeof value === 'number' || typeof value === 'string') console.log(`  ${name}: ${value}`)
  }
  await save(id, { lines: rows, details })
}

/** Everything measured, under bench/results/. */
export async function save(id: string, measured: object): Promise<void> {
  const folder = join(import.meta.dirname, 'results')
  await mkdir(folder, { recursive: true })
  const measuredAt = new Date().toISOString()
  const machine = { cores: availableParallelism(), node: process.version }
  await writeFile(
    join(folder, `${id.toLowerCase()}.json`),
    `${JSON.stringify({ id, measuredAt, machine, ...measured }, null, 2)}\n`,
  )
}

/** `--rounds 3` as a number, or the default. */
export function option(name: string, byDefault: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? byDefault : Number(process.argv[at + 1])
}

/** `--folder here` as it stands, or the default. */
export function textOption(name: string, byDefault: string): string {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? byDefault : (process.argv[at + 1] ?? byDefault)
}
