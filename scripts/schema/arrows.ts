import { rowMiddle, size, type Page, type PlacedBox } from './arrange.ts'

export type Arrow = { path: string; colour: string }

type Link = { from: PlacedBox; row: number; to: PlacedBox; channel: string; isRightward: boolean }

/** Right-angled lines through the gap between two columns; all that lead to one table share one line there. */
export function arrowsOf(page: Page): Arrow[] {
  const boxes = new Map(page.boxes.map((box) => [box.table, box]))
  const links = page.boxes.flatMap((from) =>
    from.rows.flatMap(({ target }, row): Link[] => {
      const to = boxes.get(target?.table ?? '')
      if (to === undefined || target?.isArrow !== true) return []
      const isRightward = to.areaColumn > from.areaColumn
      const left = Math.min(from.areaColumn, to.areaColumn)
      return [{ from, row, to, isRightward, channel: `${from.area.title} ${left}` }]
    }),
  )
  return [...Map.groupBy(links, (link) => link.channel).values()].flatMap((channel) => {
    const lanes = [...new Set(channel.toSorted((a, b) => a.to.y - b.to.y).map((link) => link.to.table))]
    return channel.map((link) => ({
      colour: link.from.area.colour,
      path: pathOf(link, (lanes.indexOf(link.to.table) + 1) / (lanes.length + 1)),
    }))
  })
}

function pathOf({ from, row, to, isRightward }: Link, lane: number): string {
  const start = { x: isRightward ? from.x + size.boxWidth : from.x, y: from.y + rowMiddle(row) }
  const end = { x: isRightward ? to.x : to.x + size.boxWidth, y: to.y + rowMiddle(-1) }
  const direction = isRightward ? 1 : -1
  const turn = start.x + (end.x - start.x) * (isRightward ? lane : 1 - lane)
  const tip = end.x - direction * 7
  const height = end.y - start.y
  if (Math.abs(height) < 1) return `M${n(start.x)} ${n(start.y)}H${n(tip)}`
  const radius = Math.min(7, Math.abs(height) / 2)
  const down = Math.sign(height) * radius
  return (
    `M${n(start.x)} ${n(start.y)}H${n(turn - direction * radius)}` +
    `q${n(direction * radius)} 0 ${n(direction * radius)} ${n(down)}V${n(end.y - down)}` +
    `q0 ${n(down)} ${n(direction * radius)} ${n(down)}H${n(tip)}`
  )
}

const n = (value: number): string => String(Math.round(value * 10) / 10)
