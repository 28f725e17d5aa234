import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../../test/until.ts'
import { fileOf } from '../driver.suite.ts'
import { openDownload } from './local-driver.fixture.ts'

test('continues to store uploads while disk reads for downloads hang', async (t) => {
  const diskLimits = { reads: 2, writes: 2 }
  const { url, folder, object, driver } = await openDownload(t, [1000, 1000], { diskLimits })
  const path = join(folder, object.segments[1]?.name ?? '')
  await rm(path)
  // Opening a FIFO blocks a thread until the other end is opened.
  execFileSync('sh', ['-c', 'mkfifo "$0"', path])
  let responses = 0
  const downloads = Array.from({ length: 8 }, async () => {
    const response = await fetch(url)
    responses += 1
    return response.arrayBuffer()
  })
  const bodies = Promise.allSettled(downloads)
  try {
    await until('two downloads to hang', async () => responses >= 2)
    const bytes = randomBytes(2000)
    const { url: target } = await driver.signPut(fileOf(bytes), { expiresInSeconds: 60 })
    const signal = AbortSignal.timeout(30_000)
    const { status } = await fetch(target, { method: 'PUT', body: bytes, signal })
    assert.equal(status, 200)
  } finally {
    let isDone = false
    void bodies.then(() => (isDone = true))
    await until('the downloads to end', async () => {
      execFileSync('sh', ['-c', 'exec 3<>"$0"', path])
      return isDone
    })
  }
})
