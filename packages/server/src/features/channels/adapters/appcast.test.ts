import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTimeMs } from '../../../../test/cpu-time.ts'
import { readEnclosures } from './appcast.ts'

test('reads the versions and attributes of enclosures', () => {
  const xml = `<item><sparkle:version> 42
    </sparkle:version><enclosure url="https://x.example/a%20b.zip?c" sparkle:edSignature = 'x&amp;y'/></item>
    <item ><enclosure url="b.delta" sparkle:version="43" sparkle:deltaFrom="42" sparkle:edSignature="z"/></item>`
  assert.deepEqual(
    readEnclosures(xml).map(({ attributes: _, ...enclosure }) => enclosure),
    [
      { filename: 'a b.zip', signature: 'x&y', version: '42', deltaFrom: undefined },
      { filename: 'b.delta', signature: 'z', version: '43', deltaFrom: '42' },
    ],
  )
})

test('reads hostile feeds in linear time', () => {
  const length = 200_000
  for (const hostile of [
    `<enclosure ${'a'.repeat(length)}>`,
    `<enclosure ${'a '.repeat(length)}>`,
    `<enclosure a=${' '.repeat(length)}>`,
    `<enclosure ${`a='`.repeat(length / 10)}>`,
    `<sparkle:version>${' '.repeat(length)}`,
    '<enclosure '.repeat(length / 10),
    '<item>'.repeat(length / 10),
  ]) {
    const startedMs = cpuTimeMs()
    assert.deepEqual(readEnclosures(`<item>${hostile}</item>`), [], hostile.slice(0, 30))
    assert.ok(cpuTimeMs() - startedMs < 5_000, hostile.slice(0, 30))
  }
})
