import { rowMiddle, size, type Page, type Panel, type PlacedBox } from './arrange.ts'
import { arrowsOf } from './arrows.ts'
import type { Row } from './boxes.ts'
import { areas } from './page.ts'
import { colourOfArea, heldMark, ink, keyMark, label, style, tenantMark } from './svg-parts.ts'

/** The drawing on a light ground of its own, so that it reads the same on a dark page. */
export function svgOf(page: Page): string {
  const { width, height } = page
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    '<title id="title">The tables of Quayside and their foreign keys</title>',
    style,
    `<defs>${areas.map(({ colour }) => tipOf(colour)).join('')}</defs>`,
    `<rect width="${width}" height="${height}" rx="14" fill="#fbfcfd"/>`,
    head(page),
    ...page.panels.map((panel) => panelOf(panel)),
    ...arrowsOf(page).map(({ path, colour }) => arrow(path, colour)),
    ...page.boxes.map((box) => boxOf(box)),
    '</svg>',
  ]
  return `${lines.join('\n')}\n`
}

const arrow = (path: string, colour: string): string =>
  `<path class="arrow" d="${path}" stroke="${colour}" marker-end="url(#tip${colour.slice(1)})"/>`

const tipOf = (colour: string): string =>
  `<marker id="tip${colour.slice(1)}" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="8" markerHeight="8"` +
  ` markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="${colour}"/></marker>`

function head({ width, boxes }: Page): string {
  const x = size.margin
  const y = 82
  const access = colourOfArea('People and access')
  const builds = colourOfArea('Uploads and builds')
  return [
    label(x, 40, 'title', 'The database of Quayside'),
    label(
      width - x,
      40,
      'type',
      `${boxes.length} tables, drawn by scripts/draw-schema.ts from packages/server/migrations`,
    ),
    keyMark(x + 8, y) + label(x + 22, y, 'column', 'primary key'),
    arrow(`M${x + 120} ${y}h24`, access) + label(x + 158, y, 'column', 'foreign key'),
    label(x + 306, y, 'target', '→ builds', builds) +
      label(x + 314, y, 'column', 'foreign key into another area'),
    heldMark(x + 528, y, ink),
    label(
      x + 539,
      y,
      'column',
      'carries its application or workspace along: it cannot lead to another tenant',
    ),
    tenantMark(x + 1058, y, 'workspaces') + tenantMark(x + 1079, y, 'applications'),
    label(x + 1094, y, 'column', 'belongs to a workspace, an application (both: to either)'),
  ].join('\n')
}

function panelOf({ area, x, y, width, height }: Panel): string {
  const shape = `x="${x}" y="${y}" width="${width}" height="${height}" rx="12"`
  const paint = `fill="${area.colour}" fill-opacity="0.055" stroke="${area.colour}" stroke-opacity="0.25"`
  return `<rect ${shape} ${paint}/>\n${label(x + size.padding, y + 24, 'area', area.title, area.colour)}`
}

function boxOf(box: PlacedBox): string {
  const { x, y, height, area } = box
  const w = size.boxWidth
  const top = `M${x} ${y + size.header}v${7 - size.header}a7 7 0 0 1 7 -7h${w - 14}a7 7 0 0 1 7 7v${size.header - 7}z`
  return [
    `<rect x="${x}" y="${y}" width="${w}" height="${height}" rx="7" fill="#fff" stroke="${area.colour}" stroke-opacity="0.55"/>`,
    `<path d="${top}" fill="${area.colour}" fill-opacity="0.14"/>`,
    label(x + 12, y + rowMiddle(-1), 'name', box.table),
    ...box.tenants.toReversed().map((name, i) => tenantMark(x + w - 17 - i * 21, y + rowMiddle(-1), name)),
    ...box.rows.map((row, i) => rowOf(row, x, y + rowMiddle(i), box.table)),
  ].join('\n')
}

function rowOf({ column, type, isKey, target }: Row, x: number, y: number, table: string): string {
  const right = x + size.boxWidth - 12
  const name = (isKey ? keyMark(x + 14, y) : '') + label(x + 27, y, isKey ? 'column key' : 'column', column)
  if (target === undefined) return name + label(right, y, 'type', type)
  const held = target.isHeld ? heldMark(right - 3, y, target.colour) : ''
  if (target.isArrow) return name + held
  const targetName = target.table === table ? 'itself' : target.table
  // 6.6 and 6.3 are wide guesses for one letter: no text may run into the other with any machine's font
  const fits =
    27 + column.length * 6.6 + (targetName.length + 2) * 6.3 + (target.isHeld ? 32 : 20) < size.boxWidth
  const end = target.isHeld ? right - 12 : right
  return name + label(end, y, 'target', fits ? `→ ${targetName}` : '→', target.colour) + held
}
