import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuTimeMs } from '../../../test/cpu-time.ts'
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
  new_bytes: null,
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

test('orders listed parts by part number and accepts quoted and unquoted ETags', () => {
  assert.deepEqual(etagsOf([file()], [chunk(3, '"c"'), chunk(1, 'a'), chunk(2, '"b"')]), [['a', 'b', 'c']])
})

test('chooses the most recent upload of each part if the client sends no part list', () => {
  const staged = [part(1, 'old', 10), part(1, 'a', 10), part(2, 'b', 10), part(3, 'c', 10)]
  assert.deepEqual(etagsOf([file({ staged })]), [['a', 'b', 'c']])
  assert.deepEqual(etagsOf([file({ staged })], []), [['a', 'b', 'c']])
})

test('chooses an older upload of a part if the client lists its ETag', () => {
  const staged = [part(1, 'old', 10), part(1, 'new', 10), part(2, 'b', 10), part(3, 'c', 10)]
  assert.deepEqual(etagsOf([file({ staged })], [chunk(1, 'old'), chunk(2, 'b'), chunk(3, 'c')]), [
    ['old', 'b', 'c'],
  ])
})

test('prefers a file from a single PUT over individual parts if the client sends no part list', () => {
  assert.deepEqual(etagsOf([file({ staged: [part(0, 'w', 30), part(1, 'a', 10)] })]), [['w']])
})

test('accepts a file from a single PUT that is listed as part 1', () => {
  assert.deepEqual(
    etagsOf([file({ staged: [part(0, 'w', 30)], number_of_parts: null })], [chunk(1, '"w"')]),
    [['w']],
  )
})

test('returns an error for a file that has not been uploaded', () => {
  assert.match(errorsOf([file({ staged: [] })])['primary_file']?.[0] ?? '', /"app.apk" has not been uploaded/)
})

test('identifies the part and the file in the error for a mismatched ETag', () => {
  const errors = errorsOf([file()], [chunk(1, 'a'), chunk(2, 'zzz'), chunk(3, 'c')])
  assert.match(errors['multipart_chunks.1.ETag']?.[0] ?? '', /part 2 of "app.apk"/)
})

test('returns an error for a part that is missing from the list or from storage', () => {
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

test('accepts parts of any size that add up to the file size', () => {
  const staged = [part(1, 'a', 25), part(2, 'b', 5)]
  assert.deepEqual(etagsOf([file({ staged })], [chunk(1, 'a'), chunk(2, 'b')]), [['a', 'b']])
})

test('includes the actual and expected sizes in the error if the total part size is incorrect', () => {
  const short = file({ number_of_parts: null, staged: [part(1, 'a', 10), part(2, 'b', 10)] })
  assert.match(errorsOf([short])['primary_file']?.[0] ?? '', /its parts have 20 of 30 bytes/)
  const long = file({ staged: [part(1, 'a', 20), part(2, 'b', 20), part(3, 'c', 20)] })
  assert.match(
    errorsOf([long])['primary_file']?.[0] ?? '',
    /60 bytes, more than the 30 in the upload request/,
  )
})

test('assigns a repeated part number first to the primary file and then to the expansion file', () => {
  const expansion = file({ id: 'obb', role: 'expansion', filename: 'main.obb' })
  expansion.staged = [part(1, 'x', 15), part(2, 'y', 15)]
  const listed = [chunk(1, 'a'), chunk(2, 'b'), chunk(3, 'c'), chunk(1, 'x'), chunk(2, 'y')]
  assert.deepEqual(etagsOf([file(), expansion], listed), [
    ['a', 'b', 'c'],
    ['x', 'y'],
  ])
})

test('assigns parts to the primary and expansion files even if their ETags are identical', () => {
  const expansion = file({ id: 'obb', role: 'expansion', filename: 'main.obb' })
  const listed = ['a', 'b', 'c', 'a', 'b', 'c'].map((etag, index) => chunk((index % 3) + 1, etag))
  assert.deepEqual(etagsOf([file(), expansion], listed), [
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
})

test('accepts a multipart primary file together with a single-PUT expansion file', () => {
  const expansion = file({ id: 'obb', role: 'expansion', filename: 'main.obb', number_of_parts: null })
  expansion.staged = [part(0, 'w', 30)]
  assert.deepEqual(etagsOf([file(), expansion], [chunk(1, 'a'), chunk(2, 'b'), chunk(3, 'c')]), [
    ['a', 'b', 'c'],
    ['w'],
  ])
})

test('rejects a part list that contains the same part twice', () => {
  const errors = errorsOf([file()], [chunk(1, 'a'), chunk(1, 'a'), chunk(2, 'b'), chunk(3, 'c')])
  assert.deepEqual(Object.keys(errors), ['multipart_chunks.1.PartNumber'])
})

test('rejects a part list that lists a single-PUT file twice', () => {
  const whole = file({ staged: [part(0, 'w', 30)], number_of_parts: null })
  const errors = errorsOf([whole], [chunk(1, 'w'), chunk(1, 'w')])
  assert.deepEqual(Object.keys(errors), ['multipart_chunks.1.PartNumber'])
})

test('rejects a list with more parts than the files of the upload can have', () => {
  const listed = Array.from({ length: 61 }, (_, index) => chunk(index + 1, 'a'))
  const [text] = errorsOf([file(), file({ id: 'obb' })], listed)['multipart_chunks'] ?? []
  assert.match(text ?? '', /lists 61 parts, but the files of this upload can have at most 60\./)
})

test('reports only the first 20 invalid parts of a list', () => {
  const listed = Array.from({ length: 10_000 }, (_, index) => chunk(index + 1, 'zzz'))
  const fields = Object.keys(errorsOf([file({ size_bytes: 1e9 })], listed))
  assert.equal(fields.length, 20)
  assert.equal(fields.at(-1), 'multipart_chunks.19.PartNumber')
})

test('chooses 10,000 listed parts from 40,000 stored attempts within 500 ms of CPU time', () => {
  const fingerprints = Array.from({ length: 4 }, (_, n) => String(n).repeat(32))
  const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1)
  const staged = numbers.flatMap((number) => fingerprints.map((etag) => part(number, etag, 1)))
  const listed = numbers.toReversed().map((number) => chunk(number, fingerprints[0] ?? ''))
  const start = cpuTimeMs()
  const choice = chooseParts([file({ size_bytes: 10_000, number_of_parts: null, staged })], listed)
  const elapsedMs = cpuTimeMs() - start
  assert.ok('chosen' in choice)
  assert.ok(elapsedMs < 500, `${Math.round(elapsedMs)} ms`)
})

test('chooses only stored and listed parts that are contiguous and add up to the file size', () => {
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
