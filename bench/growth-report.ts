import { type Figure, median, save } from './report.ts'

type Times = { few: number; many: number; cold: number }

/** Median response times in ms with few and with many rows. `cold` is the time of the first request with many rows. */
export type GrowthLine = {
  filter: string
  sort: string
  totals: { few: number; many: number }
  deepPage: number
  first: Times
  deep: Times
}

const goals = { first: 1.3, deep: 2 }
const ratio = ({ few, many }: Times): number => many / few

/** Prints the many-to-few ratio of each list and saves all measurements as JSON. */
export async function reportGrowth(id: string, lines: GrowthLine[], details: object): Promise<void> {
  console.log(
    `\n${id}   slowdown with many rows (median ms with few → many rows; ms of the first request with many)`,
  )
  for (const line of lines) {
    const show = (times: Times, goal: number) => {
      const details = `(${times.few.toFixed(1)} → ${times.many.toFixed(1)}; ${times.cold.toFixed(0)})`
      return `${ratio(times).toFixed(2).padStart(6)}${ratio(times) > goal ? ' !' : '  '} ${details.padEnd(26)}`
    }
    console.log(
      `  ${`${line.filter}, by ${line.sort}`.padEnd(42)} ${String(line.totals.many).padStart(8)} rows  ` +
        `page 1 ${show(line.first, goals.first)}  page ${String(line.deepPage).padStart(5)} ${show(line.deep, goals.deep)}`,
    )
  }
  const figures: Figure[] = []
  for (const page of ['first', 'deep'] as const) {
    const ratios = lines.map((line) => ratio(line[page]))
    const reached = ratios.filter((value) => value <= goals[page]).length
    console.log(
      `  ${page} page: median ratio ${median(ratios).toFixed(2)}, largest ${Math.max(...ratios).toFixed(2)}; ` +
        `${reached} of ${lines.length} lists within ${goals[page]}`,
    )
    figures.push({ name: `${page} page, median`, value: median(ratios), atMost: goals[page] })
  }
  await save(id, { lines, goals, details }, figures)
}
