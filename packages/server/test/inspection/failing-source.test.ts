import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inspectFile } from '../../src/inspection/inspect-file.ts'
import type { ByteSource } from '../../src/inspection/inspection.ts'
import { publishedApks } from './android-packages.ts'

const bytes = readFileSync(publishedApks.v2)

/** Returns a source that calls `onRead` before each read, with the number of earlier reads. */
function source(onRead: (earlierReads: number) => void): ByteSource {
  let reads = 0
  return {
    sizeBytes: bytes.length,
    read(offset, length) {
      return Promise.resolve().then(() => {
        onRead(reads++)
        return bytes.subarray(offset, offset + length)
      })
    },
  }
}

async function countReads(): Promise<number> {
  let reads = 0
  await inspectFile(
    source(() => reads++),
    'apk',
  )
  return reads
}

test('throws the error of a failed read instead of reporting a damaged file', async () => {
  const reads = await countReads()
  for (let failing = 0; failing < reads; failing++) {
    const error = new Error('The storage is not available.')
    const failingSource = source((earlierReads) => {
      if (earlierReads === failing) throw error
    })
    await assert.rejects(inspectFile(failingSource, 'apk'), error, `read ${failing}`)
  }
})

test('stops when the signal is aborted', async () => {
  const controller = new AbortController()
  const reason = new Error('aborted')
  const abortingSource = source((earlierReads) => {
    if (earlierReads === 1) controller.abort(reason)
  })
  await assert.rejects(inspectFile(abortingSource, 'apk', { signal: controller.signal }), reason)
})
