import { goalShare, isBusy, keyFigure, type Run } from './history.ts'

const [width, height, margin] = [140, 32, 4]
const maxRuns = 24
/** The scale is logarithmic: from an eighth of the goal to four times the goal. */
const [lowest, highest] = [Math.log2(1 / 8), Math.log2(4)]

const style =
  'path{fill:none;stroke:#8b949e;stroke-width:1}.goal{stroke-dasharray:3 3}' +
  'circle,rect{stroke:currentColor;stroke-width:1.5;fill:currentColor}.busy{fill:none}' +
  '.met{color:#1a7f37}.missed{color:#bc4c00}.plain{color:#57606a}' +
  '@media(prefers-color-scheme:dark){.met{color:#3fb950}.missed{color:#f0883e}.plain{color:#9198a1}}'

type Point = { run: Run; x: number; y: number; state: 'met' | 'missed' | 'plain' }

/**
 * Draws the runs of a benchmark as a small SVG: for each, the figure that is furthest from its goal, above or below the
 * dashed line of the goal. Figures without a goal are drawn relative to the largest.
 */
export function drawChart(id: string, runs: readonly Run[]): string {
  const points = placePoints(runs.slice(-maxRuns))
  const hasGoal = points.some(({ state }) => state !== 'plain')
  const goal = hasGoal ? `<path class="goal" d="M0 ${yOf(1)}H${width}"/>\n` : ''
  const label = `${id}: ${points.length} ${points.length === 1 ? 'run' : 'runs'}`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">\n` +
    `<title>${label}</title>\n<style>${style}</style>\n${goal}${lines(points)}${points.map(mark).join('\n')}\n</svg>\n`
  )
}

function placePoints(runs: readonly Run[]): Point[] {
  const largest = Math.max(...runs.map((run) => keyFigure(run)?.value ?? 0))
  const step = (width - 2 * margin) / (maxRuns - 1)
  return runs.map((run, index) => {
    const figure = keyFigure(run)
    const share = figure === undefined ? undefined : goalShare(figure)
    const x = round(width - margin - (runs.length - 1 - index) * step)
    if (share === undefined)
      return { run, x, y: yOnPlainScale((figure?.value ?? 0) / (largest || 1)), state: 'plain' }
    return { run, x, y: yOf(share), state: share >= 1 ? 'met' : 'missed' }
  })
}

/** Connects the runs that had the same options, because others cannot be compared. */
function lines(points: readonly Point[]): string {
  const groups = Map.groupBy(points, ({ run }) => run.options ?? '')
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => `<path d="M${group.map(({ x, y }) => `${x} ${y}`).join('L')}"/>\n`)
    .join('')
}

function mark({ run, x, y, state }: Point): string {
  const attributes = `class="${state}${isBusy(run) ? ' busy' : ''}"`
  return run.options === undefined
    ? `<circle ${attributes} cx="${x}" cy="${y}" r="2.5"/>`
    : `<rect ${attributes} x="${round(x - 2.2)}" y="${round(y - 2.2)}" width="4.4" height="4.4"/>`
}

function yOf(share: number): number {
  const level = Math.min(Math.max(Math.log2(share), lowest), highest)
  return yOnPlainScale((level - lowest) / (highest - lowest))
}

const yOnPlainScale = (part: number): number => round(height - margin - part * (height - 2 * margin))

const round = (value: number): number => Math.round(value * 10) / 10
