import { median, save } from './report.ts'

type Times = { few: number; many: number; cold: number }

/** Medians in milliseconds of one list with few and with many rows; cold = the very first request with many. */
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

/** Prints each list's ratio of many to few, and keeps the rest as JSON. */
export async function growth(
  id: string,
  lines: GrowthLine[],
  details: Record<string, unknown>,
): Promise<void> {
  console.log(`\n${id}   ratio many ÷ few (milliseconds with few → many; the very first time with many)`)
  for (const line of lines) {
    const show = (times: Times, goal: number) => {
      const known = `(${times.few.toFixed(1)} → ${times.many.toFixed(1)}; ${times.cold.toFixed(0)})`
      return `${ratio(times).toFixed(2).padStart(6)}${ratio(times) > goal ? ' !' : '  '} ${known.padEnd(26)}`
    }
    console.log(
      `  ${`${line.filter}, by ${line.sort}`.padEnd(42)} ${String(line.totals.many).padStart(8)} rows  ` +
        `page 1 ${show(line.first, goals.first)}  page ${String(line.deepPage).padStart(5)} ${show(line.deep, goals.deep)}`,
    )
  }
  for (const place of ['first', 'deep'] as const) {
    const ratios = lines.map((line) => ratio(line[place]))
    const reached = ratios.filter((one) => one <= goals[place]).length
    console.log(
      `  ${place} page: median ratio ${median(ratios).toFixed(2)}, largest ${Math.max(...ratios).toFixed(2)}; ` +
        `${reached} of ${lines.length} lists within ${goals[place]}`,
    )
  }
  await save(id, { lines, goals, details })
}
