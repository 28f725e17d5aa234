import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../report.ts'
import { drawChart } from './chart.ts'
import { keyFigure, readHistory, type Run } from './history.ts'

const readme = 'bench/README.md'

/** Returns what the history draws, as paths and texts: a chart of each benchmark, and the README with the latest figures. */
export function historyFiles(root: string): [path: string, text: string][] {
  const runs = Map.groupBy(readHistory(root), ({ id }) => id)
  return [
    ...[...runs].map(([id, ofOne]): [string, string] => [
      `bench/results/${id.toLowerCase()}.svg`,
      drawChart(id, ofOne),
    ]),
    [readme, withLatest(readFileSync(join(root, readme), 'utf8'), runs)],
  ]
}

/** Returns the README with the latest figure and the chart of each benchmark in the last two columns of its table. */
export const withLatest = (text: string, runs: ReadonlyMap<string, readonly Run[]>): string =>
  text
    .split('\n')
    .map((line) => {
      const [, name] = /^\| (B\d+|slow clients) \| `node /.exec(line) ?? []
      if (name === undefined) return line
      const id = name.replace(' ', '-')
      const latest = latestRun(runs.get(id) ?? [])
      const cells = line.split(' | ').slice(0, -2)
      const chart = latest === undefined ? '–' : `![${name}](results/${id.toLowerCase()}.svg)`
      return `${[...cells, latest === undefined ? '–' : describe(latest), chart].join(' | ')} |`
    })
    .join('\n')

/** Returns the latest run with the usual options, or else the latest. */
const latestRun = (runs: readonly Run[]): Run | undefined =>
  runs.findLast(({ options }) => options === undefined) ?? runs.at(-1)

function describe(run: Run): string {
  const figure = keyFigure(run)
  if (figure === undefined) return '–'
  const size = run.options === undefined ? '' : ', smaller'
  return `${figure.name}: ${withUnit(figure.value, figure)}${goalOf(figure)}${size}`
}

function goalOf(figure: Figure): string {
  const { atLeast, atMost } = figure
  if (atLeast !== undefined) return ` (≥ ${withUnit(atLeast, figure)})`
  return atMost === undefined ? '' : ` (≤ ${withUnit(atMost, figure)})`
}

const withUnit = (value: number, { unit }: Figure): string =>
  unit === undefined ? `${value}` : `${value} ${unit}`
