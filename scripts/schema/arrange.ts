import type { Box } from './boxes.ts'
import { areas, type Area } from './page.ts'

export const size = {
  margin: 28,
  top: 108,
  boxWidth: 272,
  header: 30,
  row: 20,
  boxBottom: 8,
  boxGap: 22,
  columnGap: 46,
  padding: 22,
  panelTitle: 46,
  panelGap: 24,
} as const

export type Panel = { area: Area; x: number; y: number; width: number; height: number }
export type PlacedBox = Box & { x: number; y: number; height: number }
export type Page = { width: number; height: number; panels: Panel[]; boxes: PlacedBox[] }

const heightOf = (box: Box): number => size.header + 6 + box.rows.length * size.row + size.boxBottom

/** Middle of a row, or of the header (-1), from the top of its box. */
export const rowMiddle = (row: number): number =>
  row < 0 ? size.header / 2 : size.header + 6 + (row + 0.5) * size.row

export function arrange(boxes: readonly Box[]): Page {
  const pageRows = Map.groupBy(areas, (area) => area.row)
  const inner = Math.max(...[...pageRows.values()].map((row) => naturalWidth(row)))
  const page: Page = { width: inner + 2 * size.margin, height: size.top, panels: [], boxes: [] }
  for (const [, row] of [...pageRows].toSorted(([a], [b]) => a - b)) placeRow(page, row, boxes, inner)
  page.height += size.margin - size.panelGap
  return page
}

const panelWidth = (area: Area, gap: number): number =>
  2 * size.padding + area.columns.length * size.boxWidth + (area.columns.length - 1) * gap

const naturalWidth = (row: readonly Area[]): number =>
  row.reduce((sum, area) => sum + panelWidth(area, size.columnGap), 0) + (row.length - 1) * size.panelGap

/** All panels of a row are as high as the highest; the gaps between columns shrink or grow to fill the page. */
function placeRow(page: Page, row: readonly Area[], boxes: readonly Box[], inner: number): void {
  const gaps = row.reduce((sum, area) => sum + area.columns.length - 1, 0)
  const columnGap = size.columnGap + (inner - naturalWidth(row)) / gaps
  const top = page.height
  let x = size.margin
  let height = 0
  for (const area of row) {
    const width = panelWidth(area, columnGap)
    page.panels.push({ area, x, y: top, width, height: 0 })
    for (const areaColumn of area.columns.keys()) {
      let y = top + size.panelTitle
      for (const box of boxes.filter((b) => b.area === area && b.areaColumn === areaColumn)) {
        const boxX = x + size.padding + areaColumn * (size.boxWidth + columnGap)
        page.boxes.push({ ...box, x: boxX, y, height: heightOf(box) })
        y += heightOf(box) + size.boxGap
      }
      height = Math.max(height, y - size.boxGap + size.padding - top)
    }
    x += width + size.panelGap
  }
  for (const panel of page.panels) if (row.includes(panel.area)) panel.height = height
  page.height = top + height + size.panelGap
}
