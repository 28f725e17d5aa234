import { open, stat } from 'node:fs/promises'
import { entriesOf, withSettings } from '../database.ts'

/** A statement as it was executed. */
export type Executed = {
  text: string
  ms: number
  /** Blocks of 8 kB that were read from the cache or the disk, and those of temporary files. */
  buffers: number
  /** The tables and indexes that were read, in the order of the plan, each with how it was read. */
  paths: string[]
}

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Loops'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  'Temp Read Blocks'?: number
  'Temp Written Blocks'?: number
  Plans?: Plan[]
}

type Server = { folder: string; logFile: string }

const settings = `
auto_explain.log_min_duration = 0
auto_explain.log_analyze = on
auto_explain.log_buffers = on
auto_explain.log_timing = off
auto_explain.log_format = json
auto_explain.log_parameter_max_length = 0`

/**
 * Logs the plan of every statement while `work` runs. `during` returns the statements that are executed during a part of it. Every
 * connection of the database must have loaded auto_explain.
 */
export async function withPlans(
  { folder, logFile }: Server,
  work: (during: (part: () => Promise<unknown>) => Promise<Executed[]>) => Promise<void>,
): Promise<void> {
  await withSettings(folder, settings, () =>
    work(async (part) => {
      const { size } = await stat(logFile)
      await part()
      return parsePlans(await readFrom(logFile, size))
    }),
  )
}

async function readFrom(path: string, position: number): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(size - position), 0, size - position, position)
    return buffer.toString()
  } finally {
    await file.close()
  }
}

function parsePlans(log: string): Executed[] {
  return entriesOf(log).flatMap((entry) => {
    const [, ms, json] = /duration: (\S+) ms {2}plan:\n([^]*)$/.exec(entry) ?? []
    if (ms === undefined || json === undefined) return []
    const parsed = JSON.parse(json.replaceAll('\n\t', '\n')) as { 'Query Text': string; Plan: Plan }
    const { Plan: plan } = parsed
    const text = parsed['Query Text'].replaceAll(/\s+/g, ' ').trim()
    return [{ text, ms: Number(ms), buffers: buffersOf(plan), paths: pathsOf(plan) }]
  })
}

const buffersOf = (plan: Plan): number =>
  (plan['Shared Hit Blocks'] ?? 0) +
  (plan['Shared Read Blocks'] ?? 0) +
  (plan['Temp Read Blocks'] ?? 0) +
  (plan['Temp Written Blocks'] ?? 0)

/** Returns the paths of a plan without those that were not executed. */
function pathsOf(plan: Plan): string[] {
  if (plan['Actual Loops'] === 0) return []
  const below = (plan.Plans ?? []).flatMap(pathsOf)
  const name = plan['Index Name'] ?? plan['Relation Name']
  const isScan = name !== undefined && plan['Node Type'].endsWith('Scan')
  const paths = isScan && plan['Node Type'] !== 'Bitmap Heap Scan' ? [`${plan['Node Type']} ${name}`] : []
  return [...new Set([...paths, ...below])]
}

/**
 * Returns the medians of the statements that were executed in every round, without those that run in the background in some of
 * them.
 */
export function inEveryRound(rounds: readonly Executed[][]): Executed[] {
  const [first = []] = rounds
  const texts = new Set(first.map(({ text }) => text))
  return [...texts].flatMap((text) => {
    const found = rounds.map((round) => round.filter((executed) => executed.text === text))
    if (found.some(({ length }) => length === 0)) return []
    const totals = found.map(totalOf).toSorted((a, b) => a.buffers - b.buffers)
    return totals[Math.floor(totals.length / 2)] ?? []
  })
}

/** Adds up the executions of the same statement. */
export function totalOf(executions: readonly Executed[]): Executed {
  const sum = (key: 'ms' | 'buffers') => executions.reduce((total, executed) => total + executed[key], 0)
  const paths = [...new Set(executions.flatMap((executed) => executed.paths))]
  return { text: executions[0]?.text ?? '', ms: sum('ms'), buffers: sum('buffers'), paths }
}
