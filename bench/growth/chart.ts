import { readResults, type Recorded } from './results.ts'

const [panelWidth, height] = [330, 230]
const box = { left: 56, top: 34, width: 254, height: 150 }
const style =
  'text{font:11px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:12px;fill:#24292f}' +
  '.grid{stroke:#d0d7de;stroke-width:1}.line{fill:none;stroke-width:2}' +
  '.a{stroke:#0969da;fill:#0969da}.b{stroke:#bc4c00;fill:#bc4c00}.c{stroke:#1a7f37;fill:#1a7f37}' +
  'text.a,text.b,text.c{stroke:none}' +
  '@media(prefers-color-scheme:dark){text{fill:#9198a1}.title{fill:#f0f6fc}.grid{stroke:#3d444d}' +
  '.a{stroke:#4493f8;fill:#4493f8}.b{stroke:#f0883e;fill:#f0883e}.c{stroke:#3fb950;fill:#3fb950}}'

type Series = { name: string; color: 'a' | 'b' | 'c'; points: [builds: number, value: number][] }
type Panel = { title: string; series: Series[] }

/** Returns the path and the text of the chart in docs/scaling.md. */
export const scalingChart = (root: string): [path: string, text: string] => [
  'docs/pictures/scaling.svg',
  drawScaling(readResults(root)),
]

function drawScaling({ sizes }: Recorded): string {
  const time = (where: string, name: string): Series['points'] =>
    sizes.flatMap(({ size, requests }) =>
      requests
        .filter((request) => request.where === where && request.name === name)
        .map(({ ms }): [number, number] => [size.builds, ms]),
    )
  const panels: Panel[] = [
    {
      title: 'First page of a list, ms',
      series: [
        { name: 'application with 10,000 builds', color: 'a', points: time('steady', 'list: none') },
        { name: 'largest application', color: 'b', points: time('largest', 'list: none') },
        { name: 'the same by label', color: 'c', points: time('largest', 'list: label') },
      ],
    },
    {
      title: 'Database, GB',
      series: [
        {
          name: 'tables and indexes',
          color: 'a',
          points: sizes.map(({ size, databaseBytes }) => [size.builds, databaseBytes / 1e9]),
        },
      ],
    },
  ]
  const width = panelWidth * panels.length
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">\n` +
    `<title>List times and database size by number of builds</title>\n<style>${style}</style>\n` +
    `${panels.map((panel, index) => drawPanel(panel, index * panelWidth)).join('\n')}\n</svg>\n`
  )
}

/** Draws a panel with two logarithmic scales. */
function drawPanel({ title, series }: Panel, offset: number): string {
  const all = series.flatMap(({ points }) => points)
  const x = scaleFor(all.map(([builds]) => builds))
  const y = scaleFor(all.map(([, value]) => value))
  const placeX = (builds: number) => round(offset + box.left + x.part(builds) * box.width)
  const placeY = (value: number) => round(box.top + (1 - y.part(value)) * box.height)
  const right = offset + box.left + box.width
  const rows = y.ticks.map(
    (tick) =>
      `<path class="grid" d="M${offset + box.left} ${placeY(tick)}H${right}"/>` +
      `<text x="${offset + box.left - 6}" y="${placeY(tick) + 4}" text-anchor="end">${label(tick)}</text>`,
  )
  const columns = x.ticks.map(
    (tick) =>
      `<text x="${placeX(tick)}" y="${box.top + box.height + 16}" text-anchor="middle">${label(tick)}</text>`,
  )
  const lines = series.map(({ name, color, points }, index) => {
    const places = points.map(([builds, value]) => ({ x: placeX(builds), y: placeY(value) }))
    const path = places.map((place) => `${place.x} ${place.y}`).join('L')
    const dots = places.map((place) => `<circle class="${color}" cx="${place.x}" cy="${place.y}" r="3"/>`)
    const line = `<path class="line ${color}" style="fill:none" d="M${path}"/>`
    const legend = box.top + box.height - 10 - (series.length - 1 - index) * 14
    return `${line}${dots.join('')}<text class="${color}" x="${right - 6}" y="${legend}" text-anchor="end">${name}</text>`
  })
  const heading = `<text class="title" x="${offset + box.left}" y="18">${title}</text>`
  const below = `<text x="${right}" y="${height - 8}" text-anchor="end">builds</text>`
  return [heading, ...rows, ...columns, ...lines, below].join('\n')
}

/** A logarithmic scale over whole powers of ten. */
function scaleFor(values: number[]) {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
    part: (value: number) => (Math.log10(value) - low) / (high - low),
  }
}

function label(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`
  return value >= 1e3 ? `${value / 1e3} k` : String(Number(value.toPrecision(1)))
}

const round = (value: number): number => Math.round(value * 10) / 10
