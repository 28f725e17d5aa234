import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  stripControlCharacters,
  formatSize,
  formatDuration,
  formatFields,
  formatTable,
  formatWrappedTable,
} from './format.ts'
import { progressLine } from './progress-text.ts'
import { showProgress } from './progress.ts'

const mib = 1024 * 1024

test('shortens the widest columns of a table that is wider than the terminal, but not the IDs', () => {
  const headings = ['ID', 'NAME', 'STATE', 'SCOPES']
  const rows = [
    ['k4x9w2m7qzt1', 'GitHub Actions (wayfern)', 'active until 2026-12-01', 'builds:create,releases:write'],
    ['p7c3v8n2rjd5', 'Nightly', 'revoked', 'builds:read'],
  ]
  const lines = formatTable(headings, rows, 80).split('\n')
  assert.ok(
    lines.every((line) => line.length <= 80),
    lines.join('\n'),
  )
  assert.deepEqual(
    lines.map((line) => line.slice(0, 14)),
    ['ID            ', 'k4x9w2m7qzt1  ', 'p7c3v8n2rjd5  '],
  )
  assert.match(lines[1] ?? '', /…/)
  assert.match(formatTable(headings, rows), /builds:create,releases:write$/m)
})

test('wraps the texts of a table that is wider than the terminal', () => {
  const rows = [
    ['clock', 'agrees with the server', 'ok'],
    ['URLs', 'https://builds.example.com is not reachable from here', 'failed'],
  ]
  const headings = ['CHECK', 'DETAILS', 'RESULT']
  assert.equal(
    formatWrappedTable(headings, rows, { wrapped: 1, maxWidth: 40 }),
    `CHECK  DETAILS                    RESULT
clock  agrees with the server     ok
URLs   https://builds.example.co  failed
       m is not reachable from
       here`,
  )
  assert.equal(
    formatWrappedTable(headings, rows, { wrapped: 1, maxWidth: undefined }),
    formatTable(headings, rows),
  )
  assert.match(
    formatWrappedTable(headings, rows, { wrapped: 1, maxWidth: 30 }),
    /^DETAILS  https.* is not reachable from here$/m,
  )
})

test('never cuts times, and prints a block for each row if a table does not fit the terminal', () => {
  const time = '2026-11-21T02:40:59.123Z'
  const build = ['nightly build of the main branch', time]
  const lines = formatTable(['ID', 'NAME', 'CREATED'], [['k4x9w2m7qzt1', ...build]], 50).split('\n')
  assert.equal(lines[1], 'k4x9w2m7qzt1  nightly build of …  2026-11-21 02:40')
  const id = '0d4cf5b0-5f4a-4f6b-9a0f-3a4f1f0c2b11'
  const rows = [
    [id, ...build, null],
    [id, 'x', 'never', '2026-12-01'],
  ]
  assert.equal(
    formatTable(['ID', 'NAME', 'CREATED', 'EXPIRES'], rows, 60),
    `ID       ${id}
NAME     nightly build of the main branch
CREATED  2026-11-21 02:40

ID       ${id}
NAME     x
CREATED  never
EXPIRES  2026-12-01`,
  )
  assert.equal(formatFields([['Created', time]]), 'Created  2026-11-21 02:40')
})

test('formats sizes and durations with units', () => {
  assert.deepEqual([0, 1023, 1024, 3_554_672, 1024 ** 3 - 1, 5e11].map(formatSize), [
    '0 B',
    '1023 B',
    '1.00 KB',
    '3.39 MB',
    '1.00 GB',
    '465.66 GB',
  ])
  assert.deepEqual([0, 7.2, 60, 125, 3780].map(formatDuration), [
    '0 s',
    '8 s',
    '1 min 00 s',
    '2 min 05 s',
    '1 h 03 min',
  ])
})

test('strips escape and bidirectional control characters but keeps line breaks and tabs', () => {
  assert.equal(stripControlCharacters('a\u001b[2Jb\u202ec\nd\te'), 'a[2Jbc\nd\te')
})

function recorder(isTTY: boolean, alreadyDoneBytes = 0) {
  const written: string[] = []
  const clock = { ms: 0 }
  const sink = { isTTY, columns: 100, write: (text: string) => written.push(text) }
  const options = {
    label: 'app.apk',
    totalBytes: 100 * mib,
    alreadyDoneBytes,
    nowMs: () => clock.ms,
  }
  return { written, clock, progress: showProgress(sink, options) }
}

test('logs the speed and remaining time at every 10% when the output is not a terminal', () => {
  const { written, clock, progress } = recorder(false)
  for (let step = 0; step < 100; step++) {
    clock.ms += 100
    progress.add(mib)
  }
  progress.end()
  assert.equal(written.length, 10)
  assert.equal(written[3], 'app.apk: 40%, 40.00 MB of 100.00 MB, 10.00 MB/s, 6 s left\n')
  assert.equal(written[9], 'app.apk: 100%, 100.00 MB of 100.00 MB, 10.00 MB/s\n')
})

test('excludes previously transferred bytes from the speed', () => {
  const { written, clock, progress } = recorder(false, 65 * mib)
  clock.ms += 1000
  progress.add(5 * mib)
  assert.deepEqual(written, ['app.apk: 70%, 70.00 MB of 100.00 MB, 5.00 MB/s, 6 s left\n'])
})

test('redraws a single line that fits the terminal width', () => {
  const { written, clock, progress } = recorder(true)
  for (let step = 0; step < 50; step++) {
    clock.ms += 20
    progress.add(mib)
  }
  progress.end()
  assert.ok(written.length <= 13, `${written.length} writes`)
  assert.ok(written.slice(0, -1).every((text) => text.startsWith('\r\u001b[K') && text.length - 4 < 100))
  assert.match(
    written.at(-2)!,
    /app\.apk {2}█+░+ {3}50% {2}50\.00 MB of 100\.00 MB {2}50\.00 MB\/s {2}1 s left/,
  )
  assert.equal(written.at(-1), '\n')
})

test('does not log a 10% step again when a retry repeats it', () => {
  const { written, progress } = recorder(false)
  progress.add(20 * mib)
  progress.add(-15 * mib)
  progress.add(15 * mib)
  assert.equal(written.length, 1)
})

test('omits the progress bar on a narrow terminal', () => {
  const state = {
    label: 'app.apk',
    doneBytes: mib,
    totalBytes: 4 * mib,
    bytesPerSecond: 0,
    doneFiles: 0,
    totalFiles: undefined,
  }
  assert.equal(progressLine(state, 20), ' 25%  1.00 MB of 4.0')
})

test('aligns columns with wide characters and never cuts one in two', () => {
  const rows = [
    ['1', '日本語のテスト', 'x'],
    ['2', '👩‍👩‍👧 family', 'x'],
    ['3', 'plain', 'x'],
    ['4', 'e\u0301te\u0301', 'x'],
  ]
  assert.deepEqual(formatTable(['ID', 'NAME', 'END'], rows).split('\n'), [
    'ID  NAME            END',
    '1   日本語のテスト  x',
    '2   👩‍👩‍👧 family       x',
    '3   plain           x',
    '4   e\u0301te\u0301             x',
  ])
  const narrow = formatTable(['ID', 'NAME', 'END'], [['1', '🚀'.repeat(20), 'x']], 20)
  assert.equal(narrow.split('\n')[1], `1   ${'🚀'.repeat(5)}…  x`)
  assert.ok(narrow.isWellFormed())
})
