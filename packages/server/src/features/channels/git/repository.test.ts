import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Feed } from '../adapters/adapter.ts'
import { bodyOf, sampleFeed } from '../adapters/samples/feed.fixture.ts'
import { scoop } from '../adapters/scoop.ts'

const commitOf = (number: number) => ({
  number,
  message: `Publish ${number}.0.0`,
  files: { 'bucket/harbor.json': `{"version":"${number}.0.0"}` },
  committed_at: `2026-11-28T12:00:0${number}Z`,
})

/** Reads the reference of a repository whose other commits a node learns of later. */
async function readHead(known: number[], later: number[], paths: string[]): Promise<string | undefined> {
  const feed: Feed = {
    ...sampleFeed([]),
    commit: () => Promise.resolve(known.map(commitOf)),
    listCommits: (_format, after) => Promise.resolve(later.filter((number) => number > after).map(commitOf)),
  }
  const read = async (path: string) =>
    scoop.answer({ path: ['bucket.git', ...path.split('/')], query: new URLSearchParams(), base: '' }, feed)
  await Promise.all(paths.map(read))
  return bodyOf(await read('info/refs'))
}

test('adds the commits of other nodes once when several objects are requested at once', async () => {
  const object = `objects/00/${'0'.repeat(38)}`
  const expected = await readHead([1, 2, 3], [], [])
  assert.match(expected ?? '', /^[0-9a-f]{40}\trefs\/heads\/main\n$/)
  assert.equal(await readHead([1], [2, 3], [object, object, object]), expected)
})
