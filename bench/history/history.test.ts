import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { drawChart } from './chart.ts'
import { historyFiles, withLatest } from './history-files.ts'
import { goalShare, keyFigure, readHistory, type Run } from './history.ts'

const root = join(import.meta.dirname, '../..')

const run: Run = {
  id: 'B5',
  at: '2026-11-30T12:00:00.000Z',
  commit: '69bd58f84',
  clean: true,
  machine: { cores: 2, cpu: 'Xeon', node: '24.21.0' },
  load: [0.1, 1.2],
  othersUse: 0.05,
  seconds: 41,
  figures: [
    { name: 'cycles, 1 client ÷ bare', value: 0.7, atLeast: 0.6 },
    { name: 'cycles, 16 clients ÷ bare', value: 0.3, atLeast: 0.6 },
  ],
}
const withValue = (value: number, more: Partial<Run> = {}): Run => ({
  ...run,
  figures: [{ name: 'ready', value, unit: 'ms', atMost: 1000 }],
  ...more,
})

describe('the committed history', () => {
  const runs = readHistory(root)
  const files = historyFiles(root)

  for (const [path, text] of files)
    test(`draws ${path} as it is committed`, () =>
      assert.equal(readFileSync(join(root, path), 'utf8'), text, 'run npm run generate'))

  test('has figures in each run, on lines of at most 3,000 characters', () => {
    assert.ok(runs.length > 0)
    for (const each of runs) {
      assert.ok(each.figures.length > 0, each.id)
      assert.ok(JSON.stringify(each).length <= 3_000, each.id)
    }
  })
})

describe('figures', () => {
  test('reach their goal at a share of 1', () => {
    assert.equal(goalShare({ name: '', value: 0.3, atLeast: 0.6 }), 0.5)
    assert.equal(goalShare({ name: '', value: 2_000, atMost: 1_000 }), 0.5)
    assert.equal(goalShare({ name: '', value: 0, atMost: 0 }), Infinity)
    assert.equal(goalShare({ name: '', value: 3, atMost: 0 }), 0)
    assert.equal(goalShare({ name: '', value: 3 }), undefined)
  })

  test('are represented by the one that is furthest from its goal', () => {
    assert.equal(keyFigure(run)?.name, 'cycles, 16 clients ÷ bare')
    const printedOnly = { name: 'first', value: 1 }
    assert.equal(keyFigure({ ...run, figures: [printedOnly, { name: 'second', value: 0 }] }), printedOnly)
    assert.equal(
      keyFigure({ ...run, figures: [printedOnly, { name: 'goal', value: 9, atLeast: 1 }] })?.name,
      'goal',
    )
  })
})

describe('a chart', () => {
  test('distinguishes busy machines and smaller runs', () => {
    const svg = drawChart('B8', [
      withValue(900),
      withValue(1_100, { othersUse: 0.5 }),
      withValue(900, { options: '--short' }),
    ])
    assert.match(svg, /<circle class="met" /)
    assert.match(svg, /<circle class="missed busy" /)
    assert.match(svg, /<rect class="met" /)
  })

  test('connects only runs with the same options', () => {
    const svg = drawChart('B8', [withValue(900), withValue(900, { options: '--short' })])
    assert.doesNotMatch(svg, /<path d=/)
    assert.match(drawChart('B8', [withValue(900), withValue(950)]), /<path d="M\S+ \S+L\S+ \S+"\/>/)
  })

  test('draws better runs above worse ones, and stays within its height', () => {
    const svg = drawChart('B8', [withValue(1), withValue(900), withValue(1_100), withValue(1e9)])
    const places = [...svg.matchAll(/cy="(\S+)"/g)].map(([, y]) => Number(y))
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    )
    for (const y of places) assert.ok(y >= 0 && y <= 32)
  })

  test('draws figures without goals relative to the largest, without a line for the goal', () => {
    const printed = (value: number): Run => ({ ...run, figures: [{ name: 'CPU', value, unit: 'ms' }] })
    const svg = drawChart('B16', [printed(5), printed(10)])
    assert.doesNotMatch(svg, /class="goal"/)
    assert.match(svg, /cy="16"[^]*cy="4"/)
  })
})

describe('the table of the README', () => {
  const row = (...latest: string[]) =>
    ['| B5 | `node bench/b5.ts`', 'cycles', 'bare', '≥ 0.6', ...latest].join(' | ')

  test('shows the latest run with the usual options and the chart', () => {
    const runs = [{ ...run, at: '' }, run, { ...run, options: '--short', figures: [] }]
    assert.equal(
      withLatest(`${row('–', '–')} |`, new Map([['B5', runs]])),
      `${row('cycles, 16 clients ÷ bare: 0.3 (≥ 0.6)', '![B5](results/b5.svg)')} |`,
    )
  })

  test('marks smaller runs, and leaves rows without runs empty', () => {
    const smaller = withValue(1_420, { options: '--many 20000' })
    assert.equal(
      withLatest(`${row('–', '–')} |`, new Map([['B5', [smaller]]])),
      `${row('ready: 1420 ms (≤ 1000 ms), smaller', '![B5](results/b5.svg)')} |`,
    )
    assert.equal(withLatest(`${row('old', 'old')} |`, new Map()), `${row('–', '–')} |`)
  })
})
