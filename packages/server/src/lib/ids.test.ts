import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUuidV7, shortId, shortIdPattern, uuidPattern, uuidV7 } from './ids.ts'

test('generates short IDs of the requested length without look-alike characters', () => {
  for (const length of [10, 12] as const) {
    for (let i = 0; i < 2000; i += 1) {
      const id = shortId(length)
      assert.equal(id.length, length)
      assert.match(id, /^[2-9a-hjkmnp-tv-z]+$/)
      assert.match(id, new RegExp(shortIdPattern))
    }
  }
})

test('generates 50,000 unique short IDs that use all characters about equally often', () => {
  const ids = Array.from({ length: 50_000 }, () => shortId(10))
  assert.equal(new Set(ids).size, ids.length)
  const counts = Map.groupBy(ids.join(''), (character) => character)
  assert.equal(counts.size, 30)
  const expected = 500_000 / 30
  // The tolerance is six standard deviations. A generator that used every byte modulo 30 would return 16 of the
  // characters about 12% more often than the others.
  for (const [character, found] of counts) {
    assert.ok(Math.abs(found.length - expected) < 6 * Math.sqrt(expected), `${character}: ${found.length}`)
  }
})

test('uses every character of the alphabet at every position of a short ID', () => {
  const ids = Array.from({ length: 3000 }, () => shortId(12))
  for (let position = 0; position < 12; position += 1) {
    assert.equal(new Set(ids.map((id) => id[position])).size, 30)
  }
})

test('generates 100,000 strictly increasing UUIDs in UUIDv7 format', () => {
  let last = ''
  for (let i = 0; i < 100_000; i += 1) {
    const id = uuidV7()
    assert.ok(id > last, `${last} then ${id}`)
    last = id
  }
  assert.match(last, new RegExp(uuidPattern))
  assert.match(last, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

const millisecondsOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

test('starts a UUID with the clock time in milliseconds', () => {
  const ms = Date.UTC(2026, 10, 21, 2, 40, 11, 123)
  assert.equal(millisecondsOf(createUuidV7(() => ms)()), ms)
})

test('generates increasing UUIDs when the clock stops and the counter overflows', () => {
  const next = createUuidV7(() => 1_000_000)
  const ids = Array.from({ length: 10_000 }, next)
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(millisecondsOf(ids.at(-1) ?? ''), 1_000_002)
})

test('generates increasing UUIDs while the clock is behind and follows the clock once it catches up', () => {
  const ticks = [5000, 5001, 4000, 0, -1, 5001, 5002, 9000]
  let tick = 0
  const next = createUuidV7(() => ticks[tick++] ?? 0)
  const ids = ticks.map(() => next())
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(ids.map(millisecondsOf), [5000, 5001, 5001, 5001, 5001, 5001, 5002, 9000])
})

test('generates different UUIDs in the same millisecond with two generators', () => {
  const [one, other] = [createUuidV7(() => 7), createUuidV7(() => 7)]
  const ids = Array.from({ length: 1000 }, () => [one(), other()]).flat()
  assert.equal(new Set(ids).size, ids.length)
})

test('rejects malformed IDs', () => {
  for (const text of ['', 'abc', '2345678abo', '234567890a', '2345678ABC', '23456789ab\n', '2'.repeat(13)]) {
    assert.doesNotMatch(text, new RegExp(shortIdPattern), JSON.stringify(text))
  }
  const uuid = uuidV7()
  for (const text of [
    '',
    uuid.slice(1),
    `${uuid}\n`,
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `g${uuid.slice(1)}`,
  ]) {
    assert.doesNotMatch(text, new RegExp(uuidPattern), JSON.stringify(text))
  }
})
