import { type Figure, median, save } from './report.ts'

type Page = 'first' | 'deep' | 'middle' | 'last'
type Times = { page: number; few: number; many: number; cold: number }

/** Median response times in ms with few and with many rows. `cold` is the time of the first request with many rows. */
export type GrowthLine = {
  filter: string
  order: string
  totals: { few: number; many: number }
  times: Record<Page, Times>
}

const goals = { first: 1.3, deep: 2, middle: 2, last: 2 }
const maxMs = 100
const ratio = ({ few, many }: Times): number => many / few

/** Prints the many-to-few ratio of each list and saves all measurements as JSON. */
export async function reportGrowth(id: string, lines: GrowthLine[], details: object): Promise<void> {
  console.log(
    `\n${id}   slowdown with many rows (median ms with few → many rows; ms of the first request with many)`,
  )
  const pages = Object.keys(goals) as Page[]
  for (const { filter, order, totals, times } of lines) {
    const show = (page: Page) => {
      const { few, many, cold } = times[page]
      const isLate = ratio(times[page]) > goals[page] || many > maxMs
      return `${ratio(times[page]).toFixed(2).padStart(6)}${isLate ? ' !' : '  '} ${`(${few.toFixed(1)} → ${many.toFixed(1)}; ${cold.toFixed(0)})`.padEnd(26)}`
    }
    const shown = pages.map((page) => `page ${String(times[page].page).padStart(5)} ${show(page)}`).join(' ')
    const name = `${filter}, by ${order}`.padEnd(54)
    console.log(`  ${name} ${String(totals.many).padStart(8)} rows  ${shown}`)
  }
  const figures: Figure[] = []
  for (const page of pages) {
    const ratios = lines.map(({ times }) => ratio(times[page]))
    const reached = ratios.filter((value) => value <= goals[page]).length
    const slow = lines.filter(({ times }) => times[page].many > maxMs).length
    console.log(
      `  ${page} page: median ratio ${median(ratios).toFixed(2)}, largest ${Math.max(...ratios).toFixed(2)}; ` +
        `${reached} of ${lines.length} lists within ${goals[page]}, ${slow} above ${maxMs} ms`,
    )
    for (const { filter, order, times } of lines)
      if (times[page].many > maxMs)
        console.log(`    missed: ${filter}, by ${order}: ${times[page].many.toFixed(0)} ms`)
    figures.push({ name: `${page} page, median`, value: median(ratios), atMost: goals[page] })
  }
  await save(id, { lines, goals, maxMs, details }, figures)
}
