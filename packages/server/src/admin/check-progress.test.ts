import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeCheckProgress } from './check-progress.ts'

test('describes the progress with the speed and the time left', () => {
  const progress = { totalObjects: 100, totalBytes: 1024 ** 3, isComplete: false }
  assert.equal(
    describeCheckProgress({ ...progress, objects: 25, sizeBytes: 1024 ** 3 / 4 }, 64),
    'files: 25 of 100, 256.00 MB of 1.00 GB, 4.00 MB/s, about 3 min 12 s left',
  )
  assert.equal(
    describeCheckProgress({ ...progress, objects: 0, sizeBytes: 0 }, 5),
    'files: 0 of 100, 0 B of 1.00 GB, 0 B/s',
  )
})
