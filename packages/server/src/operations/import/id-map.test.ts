import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortId, shortIdPattern, uuidPattern, uuidV7 } from '../../lib/ids.ts'
import { createIdMap } from './id-map.ts'

const mapId = createIdMap(Buffer.alloc(32, 1))

test('maps an ID to another one of the same format, and always to the same one', () => {
  for (const id of [shortId(10), shortId(12)]) {
    assert.match(mapId(id), new RegExp(shortIdPattern))
    assert.equal(mapId(id).length, id.length)
    assert.notEqual(mapId(id), id)
    assert.equal(createIdMap(Buffer.alloc(32, 1))(id), mapId(id))
    assert.notEqual(createIdMap(Buffer.alloc(32, 2))(id), mapId(id))
  }
})

test('keeps the time and the counter of a UUID', () => {
  const id = uuidV7()
  assert.match(mapId(id), new RegExp(uuidPattern))
  assert.equal(mapId(id).slice(0, 18), id.slice(0, 18))
  assert.match(mapId(id).charAt(19), /[89ab]/)
  assert.notEqual(mapId(id).slice(20), id.slice(20))
})

test('maps different IDs to different ones', () => {
  const ids = Array.from({ length: 1000 }, () => shortId(10))
  assert.equal(new Set(ids.map(mapId)).size, ids.length)
})
