import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../report.ts'

/** One run of a benchmark, a line of bench/results/history.jsonl. */
export type Run = {
  id: string
  /** An ISO 8601 timestamp. */
  at: string
  commit: string
  /** Whether the checkout had no changes other than results. */
  clean: boolean
  machine: { cores: number; cpu: string; node: string }
  /** The load of the last minute before and after the run. */
  load: [number, number]
  /** The share of all cores that other programs used just before the run. */
  othersUse: number
  /** The options of a run that is smaller or larger than usual. */
  options?: string
  seconds: number
  figures: Figure[]
}

const path = (root: string) => join(root, 'bench/results/history.jsonl')

/** Returns all runs, oldest first. */
export const readHistory = (root: string): Run[] =>
  readFileSync(path(root), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Run)

/** Appends a run with three significant digits for each figure. */
export function appendRun(root: string, { figures, ...run }: Run): void {
  const rounded = figures.map((figure) => ({ ...figure, value: Number(figure.value.toPrecision(3)) }))
  appendFileSync(path(root), `${JSON.stringify({ ...run, figures: rounded })}\n`)
}

const maxOthersUse = 0.2

/** Returns whether other programs used so much of the machine that even ratios are uncertain. */
export const isBusy = ({ othersUse }: Run): boolean => othersUse > maxOthersUse

/** Returns how much of its goal a figure reaches: at least 1 if the goal is met. Undefined without a goal. */
export function goalShare({ value, atLeast, atMost }: Figure): number | undefined {
  if (atLeast !== undefined) return value / atLeast
  if (atMost === undefined) return undefined
  return value === 0 ? Infinity : atMost / value
}

/** Returns the figure that is furthest from its goal, or the first one if there are no goals. */
export const keyFigure = ({ figures }: Run): Figure | undefined =>
  figures.toSorted((a, b) => (goalShare(a) ?? Infinity) - (goalShare(b) ?? Infinity))[0]
