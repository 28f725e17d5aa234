import assert from 'node:assert/strict'
import { test } from 'node:test'

// The page from which the console learns its URL.
Object.assign(globalThis, { document: { baseURI: 'http://localhost:4400/' } })
const { labeledPeriod } = await import('./periods.ts')

test('names a year unless it is the current one', () => {
  const now = Date.parse('2026-11-25T12:00:00Z')
  const label = (from: string, to: string) => labeledPeriod({ from, to }, now).label
  assert.equal(label('2026-11-03', '2026-11-03'), 'Nov 3')
  assert.equal(label('2026-11-03', '2026-11-09'), 'Nov 3 – Nov 9')
  assert.equal(label('2025-11-03', '2025-11-03'), 'Nov 3, 2025')
  assert.equal(label('2025-11-03', '2025-11-09'), 'Nov 3 – Nov 9, 2025')
  assert.equal(label('2025-12-29', '2026-01-04'), 'Dec 29, 2025 – Jan 4')
})
