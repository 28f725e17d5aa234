import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { arrange, size } from './arrange.ts'
import { arrowsOf } from './arrows.ts'
import { boxesOf } from './boxes.ts'
import { readMigrations } from './read-migrations.ts'
import { svgOf } from './svg.ts'

const schema = await readMigrations(path.resolve(import.meta.dirname, '../../packages/server/migrations'))

test('the drawing has a box for every table and shows every foreign key in one of three ways', () => {
  const page = arrange(boxesOf(schema))
  assert.deepEqual(page.boxes.map(({ table }) => table).toSorted(), [...schema.keys()].toSorted())
  for (const { table, rows, tenants } of page.boxes) {
    const shown = new Set([...tenants, ...rows.map(({ target }) => target?.table)])
    for (const key of schema.get(table)?.foreignKeys ?? [])
      assert.ok(shown.has(key.table), `${table} → ${key.table}`)
  }
  const arrows = page.boxes.flatMap(({ rows }) => rows.filter(({ target }) => target?.isArrow === true))
  assert.equal(arrowsOf(page).length, arrows.length)
})

test('boxes of the drawing lie inside the page and do not touch each other', () => {
  const { boxes, width, height } = arrange(boxesOf(schema))
  for (const box of boxes) {
    assert.ok(box.x >= size.margin && box.x + size.boxWidth <= width - size.margin, box.table)
    assert.ok(box.y >= size.top && box.y + box.height <= height - size.margin, box.table)
    for (const other of boxes.filter((b) => b !== box)) {
      const isBeside = Math.abs(box.x - other.x) >= size.boxWidth
      const isBelow = box.y >= other.y + other.height || other.y >= box.y + box.height
      assert.ok(isBeside || isBelow, `${box.table} and ${other.table}`)
    }
  }
})

test('a table without a place on the page is an error that says where to give it one', () => {
  const table = { name: 'surprises', columns: new Map([['id', 'text']]), primaryKey: ['id'], foreignKeys: [] }
  assert.throws(() => boxesOf(new Map([...schema, ['surprises', table]])), /surprises a place in .*page\.ts/)
})

test('a place on the page without a table is an error that names it', () => {
  const lessOne = new Map([...schema].filter(([name]) => name !== 'mails'))
  assert.throws(() => boxesOf(lessOne), /places mails, which no migration makes/)
})

test('the drawing is well-formed and the same each time', () => {
  const svg = svgOf(arrange(boxesOf(schema)))
  assert.equal(svg, svgOf(arrange(boxesOf(schema))))
  assert.doesNotMatch(svg, /undefined|NaN|\[object/)
  const open: string[] = []
  for (const [, close, name = '', selfClosing] of svg.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (close === '/') assert.equal(open.pop(), name)
    else if (selfClosing !== '/') open.push(name)
  }
  assert.deepEqual(open, [])
})
