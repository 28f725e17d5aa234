import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApi } from './open-api.ts'
import { operationsWithoutScreen } from './operations-without-screen.ts'
import { readWords } from './read-words.ts'

test('every operation has a screen of the console, or a reason why people do not need one', () => {
  const console = readWords('packages/web/src')
  const operations = openApi.operations.map(({ operationId }) => operationId)
  assert.ok(operations.length > 100)
  assert.deepEqual(
    operations.filter((id) => !console.has(id)).toSorted(),
    Object.keys(operationsWithoutScreen).toSorted(),
  )
})
