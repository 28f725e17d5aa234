import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { uuidV7 } from '../../lib/ids.ts'
import { createBufferPool } from '../objects/buffer-pool.ts'
import { localLayout } from './local-layout.ts'
import { readObject, segmentRanges } from './local-reader.ts'

describe('segmentRanges', () => {
  test('lists the segments that make up a byte range in their original order', () => {
    const cases = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }).chain((sizes) => {
      const total = sizes.reduce((sum, size) => sum + size, 0)
      return fc.tuple(fc.constant(sizes), fc.nat(Math.max(total - 1, 0)), fc.nat(Math.max(total - 1, 0)))
    })
    fc.assert(
      fc.property(cases, ([sizes, a, b]) => {
        let next = 0
        const stored = new Map(
          sizes.map((size, index) => [String(index), Array.from({ length: size }, () => next++)]),
        )
        const segments = sizes.map((sizeBytes, index) => ({ name: String(index), sizeBytes }))
        const object = { key: '', sizeBytes: next, segments }
        const read = (ranges: ReturnType<typeof segmentRanges>) =>
          ranges.flatMap(({ name, position, sizeBytes }) =>
            stored.get(name)?.slice(position, position + sizeBytes),
          )
        const whole = Array.from({ length: next }, (_, index) => index)
        assert.deepEqual(read(segmentRanges(object)), whole)
        const [start, end] = [Math.min(a, b), Math.max(a, b)]
        assert.deepEqual(read(segmentRanges(object, { start, end })), whole.slice(start, end + 1))
        assert.ok(segmentRanges(object, { start, end }).every(({ sizeBytes }) => sizeBytes > 0))
      }),
    )
  })
})

test('uses large buffers as soon as they are free and releases every buffer', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'quayside-reader-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const layout = localLayout(root)
  const content = randomBytes(1024 * 1024)
  const key = uuidV7()
  await mkdir(layout.objects(key).folder, { recursive: true })
  await writeFile(join(layout.objects(key).folder, 'part'), content)
  const pool = createBufferPool({ largeBufferBytes: 256 * 1024, maxLargeBuffers: 1 })
  const other = pool.acquire(content.length)
  let occupied = 0
  const counted: typeof pool = {
    acquire(sizeBytes) {
      occupied += 1
      return pool.acquire(sizeBytes)
    },
    release(buffer) {
      occupied -= 1
      pool.release(buffer)
    },
  }
  const object = { key, sizeBytes: content.length, segments: [{ name: 'part', sizeBytes: content.length }] }
  const received: Buffer[] = []
  const areSubstitutes: boolean[] = []
  for await (const { buffer, length } of readObject(layout, object, undefined, counted)) {
    received.push(Buffer.from(buffer.bytes.subarray(0, length)))
    areSubstitutes.push(buffer.isSubstitute)
    if (received.length === 3) pool.release(other)
    if (received.length < 3) assert.equal(occupied, 1)
  }
  assert.deepEqual(Buffer.concat(received), content)
  assert.deepEqual(areSubstitutes.slice(0, 4), [true, true, true, false])
  assert.equal(occupied, 0)
})
