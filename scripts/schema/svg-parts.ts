import { areas } from './page.ts'

export const ink = '#1f2933'
const faint = '#7b8794'

export const colourOfArea = (title: string): string =>
  areas.find((area) => area.title === title)?.colour ?? ink

export const style = `<style>
text{font-family:ui-sans-serif,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:${ink}}
.title{font-size:26px;font-weight:700}
.area{font-size:17px;font-weight:700}
.name{font-size:13.5px;font-weight:700}
.column{font-size:12px}
.key{font-weight:600}
.type{font-size:11px;fill:${faint};text-anchor:end}
.target{font-size:11px;font-weight:600;text-anchor:end}
.mark{font-size:10.5px;font-weight:700;fill:#fff;text-anchor:middle}
.arrow{fill:none;stroke-width:1.6}
</style>`

/** Text whose middle is at y: dy, because not every renderer knows dominant-baseline. */
export function label(x: number, y: number, className: string, text: string, colour?: string): string {
  const fill = colour === undefined ? '' : ` style="fill:${colour}"`
  return `<text x="${x}" y="${y}" dy=".35em" class="${className}"${fill}>${text}</text>`
}

export const keyMark = (x: number, y: number): string =>
  `<path d="M${x - 1} ${y}h9m-2 0v3.4m-3 -3.4v2.6" stroke="#a8770a" stroke-width="1.7" fill="none"/>` +
  `<circle cx="${x - 3.2}" cy="${y}" r="2.7" fill="none" stroke="#a8770a" stroke-width="1.7"/>`

/** Stands by a foreign key that carries the application or workspace along. */
export const heldMark = (x: number, y: number, colour: string): string =>
  `<path d="M${x - 4} ${y}l4 -4l4 4l-4 4z" fill="${colour}"/>`

const tenants = {
  workspaces: { letter: 'W', colour: colourOfArea('People and access') },
  applications: { letter: 'A', colour: colourOfArea('Applications') },
} as const

export function tenantMark(x: number, y: number, name: keyof typeof tenants): string {
  const { letter, colour } = tenants[name]
  return `<rect x="${x - 8}" y="${y - 8}" width="16" height="16" rx="4" fill="${colour}"/>${label(x, y, 'mark', letter)}`
}
