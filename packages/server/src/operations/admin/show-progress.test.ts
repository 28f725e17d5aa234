import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Progress } from '../../lib/progress.ts'
import { showProgress } from './show-progress.ts'
import { createTerminal } from './terminal.ts'

const gib = 1024 ** 3

function record(isTTY: boolean) {
  const written: string[] = []
  const clock = { ms: 0 }
  const output = { isTTY, columns: 60, write: (text: string) => written.push(text) }
  const terminal = createTerminal({ stdout: output, stderr: output })
  const show = showProgress(terminal, () => clock.ms)
  const files = (done: number, fields: Partial<Progress> = {}) =>
    show({
      step: 'files',
      done,
      total: 100,
      doneBytes: (done * gib) / 100,
      totalBytes: gib,
      isComplete: false,
      ...fields,
    })
  return { written, clock, show, files, terminal }
}

test('logs the speed and the time left every five seconds when the output is not a terminal', () => {
  const { written, clock, files } = record(false)
  for (clock.ms = 0; clock.ms <= 12_000; clock.ms += 1000) files(clock.ms / 1000)
  assert.deepEqual(written, [
    'files: 5 of 100, 51.20 MB of 1.00 GB, 10.24 MB/s, about 2 min left\n',
    'files: 10 of 100, 102.40 MB of 1.00 GB, 10.24 MB/s, about 2 min left\n',
  ])
})

test('does not count the work of an interrupted run toward the speed', () => {
  const { written, clock, files } = record(false)
  files(50)
  clock.ms = 10_000
  files(60)
  assert.deepEqual(written, ['files: 60 of 100, 614.40 MB of 1.00 GB, 10.24 MB/s, about 40 s left\n'])
})

test('keeps the line of a complete step and omits steps without work', () => {
  const { written, clock, files, show } = record(false)
  files(0)
  clock.ms = 4000
  files(100, { isComplete: true })
  show({ step: 'labels', done: 0, total: 0, isComplete: true })
  show({ step: 'builds', unit: 'rows', done: 3, total: 3, isComplete: true })
  assert.deepEqual(written, ['files: 100 of 100, 1.00 GB of 1.00 GB, 256.00 MB/s\n', 'builds: 3 rows\n'])
})

test('redraws one line that fits the terminal and erases it before other lines', () => {
  const { written, clock, files, terminal } = record(true)
  for (clock.ms = 0; clock.ms < 1000; clock.ms += 50) files(clock.ms / 50)
  terminal.report('a problem')
  assert.equal(written.length, 6)
  assert.equal(written[0], '\r\u001b[Kfiles: 4 of 100, 40.96 MB of 1.00 GB')
  assert.deepEqual(written.slice(-2), ['\r\u001b[K', 'a problem\n'])
  assert.ok(written.every((text) => text.length < 60 + 4))
})
