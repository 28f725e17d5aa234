import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { assertRanges, receiveParts } from '../../../test/multipart-ranges.ts'
import { until } from '../../../test/until.ts'
import { countOpenFiles, openDownload } from './local-driver.fixture.ts'

describe('several ranges from the local storage endpoint', { concurrency: 4 }, () => {
  test('returns several ranges of an object with several parts as multipart/byteranges in the requested order', async (t) => {
    const { url, whole } = await openDownload(t, [70_000, 1, 65_536, 3, 400_000])
    const last = whole.length - 1
    const position = fc.oneof(
      fc.nat(last),
      fc.constantFrom(0, 69_999, 70_000, 70_001, 135_537, 135_540, last),
    )
    const range = fc
      .tuple(position, fc.oneof(fc.nat(100), fc.nat(60_000)))
      .map(([start, length]) => [start, Math.min(start + length, last)] as const)
    await fc.assert(
      fc.asyncProperty(fc.array(range, { minLength: 2, maxLength: 8 }), async (ranges) => {
        const header = `bytes=${ranges.map(([start, end]) => `${start}-${end}`).join(', ')}`
        assertRanges(await receiveParts(await fetch(url, { headers: { range: header } })), ranges, whole)
      }),
      { numRuns: 100 },
    )
  })

  test('omits ranges outside the file and repeats overlapping ones', async (t) => {
    const { url, whole } = await openDownload(t, [1000])
    const get = (range: string) => fetch(url, { headers: { range } })
    assertRanges(
      await receiveParts(await get('bytes=900-, 5000-6000 ,0-9,0-9,,5-14,-1')),
      [
        [900, 999],
        [0, 9],
        [0, 9],
        [5, 14],
        [999, 999],
      ],
      whole,
    )
    const single = await get('bytes=5000-, 10-19')
    assert.equal(single.status, 206)
    assert.equal(single.headers.get('content-range'), 'bytes 10-19/1000')
    assert.ok(Buffer.from(await single.arrayBuffer()).equals(whole.subarray(10, 20)))
    const outside = await get('bytes=5000-,-0')
    assert.equal(outside.status, 416)
    assert.equal(outside.headers.get('content-range'), 'bytes */1000')
  })

  test('returns the whole file for more ranges or bytes than it sends in one response', async (t) => {
    const { url, whole } = await openDownload(t, [5000])
    const listOf = (count: number) =>
      Array.from({ length: count }, (_, index) => [index * 4, index * 4 + 1] as const)
    const get = (ranges: readonly (readonly [number, number])[]) =>
      fetch(url, { headers: { range: `bytes=${ranges.map((range) => range.join('-')).join(', ')}` } })
    const ranges = listOf(1000)
    assertRanges(await receiveParts(await get(ranges)), ranges, whole)
    for (const refused of [
      listOf(1001),
      [
        [0, 4999],
        [0, 0],
      ] as const,
    ]) {
      const response = await get(refused)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-length'), '5000')
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(whole))
    }
  })

  test('closes the files and stops reading when a client disconnects between ranges', async (t) => {
    const { origin, target, directory } = await openDownload(t, [30_000_000])
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    const range = 'bytes=0-9999999, 20000000-29999999, 10000000-19999999'
    socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\nrange: ${range}\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    assert.equal(await countOpenFiles(directory), 1)
    socket.destroy()
    await until('the file to be closed', async () => (await countOpenFiles(directory)) === 0)
  })
})
