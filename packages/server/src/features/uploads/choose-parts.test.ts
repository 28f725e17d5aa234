import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { StagedPart } from '../../storage/driver.ts'
import { chooseParts, type FileWithParts, type ListedChunk } from './choose-parts.ts'

const storedAt = new Date(0)
const part = (partNumber: number, etag: string, sizeBytes: number): StagedPart => ({
  partNumber,
  etag,
  sizeBytes,
  storedAt,
  name: `${partNumber}.${etag}`,
})
const file = (fields: Partial<FileWithParts> = {}): FileWithParts => ({
  id: 'primary',
  role: 'primary',
  filename: 'app.apk',
  size_bytes: 30,
  number_of_parts: 3,
  staged: [part(1, 'a', 10), part(2, 'b', 10), part(3, 'c', 10)],
  ...fields,
})
const chunk = (PartNumber: number, ETag: string): ListedChunk => ({ PartNumber, ETag })

function etagsOf(files: FileWithParts[], listed?: ListedChunk[]): string[][] {
  const choice = chooseParts(files, listed)
  assert.ok('chosen' in choice, JSON.stringify(choice))
  return choice.chosen.map(({ parts }) => parts.map(({ etag }) => etag))
}

function errorsOf(files: FileWithParts[], listed?: ListedChunk[]): Record<string, string[]> {
  const choice = chooseParts(files, listed)
  assert.ok('errors' in choice, JSON.stringify(choice))
  return choice.errors
}

test('parts listed in any order, with or without quotes, are chosen by number', () => {
  assert.deepEqual(etagsOf([file()], [chunk(3, '"c"'), chunk(1, 'a'), chunk(2, '"b"')]), [['a', 'b', 'c']])
})

test('no list, the newest attempt at each part counts', () => {
  const staged = [part(1, 'old', 10), part(1, 'a', 10), part(2, 'b', 10), part(3, 'c', 10)]
  assert.deepEqual(etagsOf([file({ staged })]), [['a', 'b', 'c']])
  assert.deepEqual(etagsOf([file({ staged })], []), [['a', 'b', 'c']])
})

test('an older attempt that the client lists, that one is chosen', () => {
  const staged = [part(1, 'old', 10), part(1, 'new', 10), part(2, 'b', 10), part(3, 'c', 10)]
  assert.deepEqual(etagsOf([file({ staged })], [chunk(1, 'old'), chunk(2, 'b'), chunk(3, 'c')]), [
    ['old', 'b', 'c'],
  ])
})

test('a whole file beside stray parts, no list, the whole file is taken', () => {
  assert.deepEqual(etagsOf([file({ staged: [part(0, 'w', 30), part(1, 'a', 10)] })]), [['w']])
})

test('a whole file listed as part 1, as some clients do, is taken', () => {
  assert.deepEqual(
    etagsOf([file({ staged: [part(0, 'w', 30)], number_of_parts: null })], [chunk(1, '"w"')]),
    [['w']],
  )
})

test('nothing uploaded, the file is named', () => {
  assert.match(errorsOf([file({ staged: [] })])['primary_file']?.[0] ?? '', /"app.apk" has not been uploaded/)
})

test('a wrong ETag, the part and the file are named', () => {
  const errors = errorsOf([file()], [chunk(1, 'a'), chunk(2, 'zzz'), chunk(3, 'c')])
  assert.match(errors['multipart_chunks.1.ETag']?.[0] ?? '', /part 2 of "app.apk"/)
})

test('a part missing from the list, and one missing from storage, are named', () => {
  const [unlisted] = errorsOf([file()], [chunk(1, 'a'), chunk(3, 'c')])['primary_file'] ?? []
  assert.match(unlisted ?? '', /part 2 is missing/)
  const staged = [part(1, 'a', 10), part(2, 'b', 10)]
  assert.match(errorsOf([file({ staged })])['primary_file']?.[0] ?? '', /part 3 is missing/)
  const errors = errorsOf([file({ staged })], [chunk(1, 'a'), chunk(2, 'b'), chunk(3, 'c')])
  assert.match(
    errors['multipart_chunks.2.PartNumber']?.[0] ?? '',
    /part 3 of "app.apk", which has not been uploaded/,
  )
})

test('parts of a size of the client own choice, all there, are the file', () => {
  const staged = [part(1, 'a', 25), part(2, 'b', 5)]
  assert.deepEqual(etagsOf([file({ staged })], [chunk(1, 'a'), chunk(2, 'b')]), [['a', 'b']])
})

test('parts that are short or too long, their bytes are told', () => {
  const short = file({ number_of_parts: null, staged: [part(1, 'a', 10), part(2, 'b', 10)] })
  assert.match(errorsOf([short])['primary_file']?.[0] ?? '', /20 bytes of 30/)
  const long = file({ staged: [part(1, 'a', 20), part(2, 'b', 20), part(3, 'c', 20)] })
  assert.match(errorsOf([long])['primary_file']?.[0] ?? '', /60 bytes, more than the 30/)
})

test('one flat list of two files, numbers starting again at 1, the first of a number is of the primary file', () => {
  const expansion = file({ id: 'obb', role: 'expansion', filename: 'main.obb' })
  expansion.staged = [part(1, 'x', 15), part(2, 'y', 15)]
  const listed = [chunk(1, 'a'), chunk(2, 'b'), chunk(3, 'c'), chunk(1, 'x'), chunk(2, 'y')]
  assert.deepEqual(etagsOf([file(), expansion], listed), [
    ['a', 'b', 'c'],
    ['x', 'y'],
  ])
})

test('two files whose parts have the same bytes, each gets its own', () => {
  const expansion = file({ id: 'obb', role: 'expansion', filename: 'main.obb' })
  const listed = ['a', 'b', 'c', 'a', 'b', 'c'].map((etag, index) => chunk((index % 3) + 1, etag))
  assert.deepEqual(etagsOf([file(), expansion], listed), [
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
})

test('a multipart primary file and an expansion file by one PUT, both are found', () => {
  const expansion = file({ id: 'obb', role: 'expansion', filename: 'main.obb', number_of_parts: null })
  expansion.staged = [part(0, 'w', 30)]
  assert.deepEqual(etagsOf([file(), expansion], [chunk(1, 'a'), chunk(2, 'b'), chunk(3, 'c')]), [
    ['a', 'b', 'c'],
    ['w'],
  ])
})

test('a part listed twice, the list is refused', () => {
  const errors = errorsOf([file()], [chunk(1, 'a'), chunk(1, 'a'), chunk(2, 'b'), chunk(3, 'c')])
  assert.deepEqual(Object.keys(errors), ['multipart_chunks.1.PartNumber'])
})

test('any list over any attempts, what is chosen is stored, listed, gapless and exactly the size', () => {
  const attempts = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 12 })),
    { maxLength: 12 },
  )
  const lists = fc.option(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('a', 'b', 'c', 'd'))),
  )
  fc.assert(
    fc.property(attempts, lists, (stored, listed) => {
      const staged = stored
        .map(([number, etag, size]) => part(number, etag, size))
        .toSorted((a, b) => a.partNumber - b.partNumber)
      const chunks = listed?.map(([number, etag]) => chunk(number, etag))
      const choice = chooseParts([file({ staged, number_of_parts: null })], chunks)
      if ('errors' in choice) return
      const parts = choice.chosen[0]?.parts ?? []
      assert.equal(
        parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        30,
      )
      assert.ok(parts.every((chosen) => staged.includes(chosen)))
      const numbers = parts.map(({ partNumber }) => partNumber)
      assert.deepEqual(numbers, numbers[0] === 0 ? [0] : numbers.map((_, index) => index + 1))
      if (chunks !== undefined && chunks.length > 0 && numbers[0] !== 0)
        assert.ok(
          parts.every(({ partNumber, etag }) =>
            chunks.some((c) => c.PartNumber === partNumber && c.ETag === etag),
          ),
        )
    }),
    { numRuns: 2000 },
  )
})
