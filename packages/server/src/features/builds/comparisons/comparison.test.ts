import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { zipFile, type ZipEntry, type ZipOptions } from '../../../../test/inspection/zip-file.ts'
import { uploadedBuild, uploadedRanges } from '../../../../test/uploading.ts'
import type { EntryChange } from '../../../inspection/comparison/comparison-schema.ts'
import { indexBuild } from '../chunks/index-build.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const signal = new AbortController().signal

async function upload(bytes: Uint8Array, filename = 'game.zip'): Promise<string> {
  const { build } = await uploadedBuild(service, tenant, { primary_file: { filename } }, bytes)
  return build.id as string
}

const zip = (entries: ZipEntry[], options: ZipOptions = {}) => upload(zipFile(entries, options))

function compare(base: string, build: string, rest = '', key = tenant.applicationKey) {
  const path = `/applications/${tenant.applicationId}/builds/${build}/comparisons/${base}${rest}`
  return service.call('GET', path, { key })
}

async function listChanges(base: string, build: string, query = '') {
  const { status, body, text } = await compare(base, build, `/entries${query}`)
  assert.equal(status, 200, text)
  return body as { data: EntryChange[]; pagination: { total: number }; unreadable: { code: string } | null }
}

const paths = ({ data }: { data: EntryChange[] }) => data.map(({ path }) => path)

const first: ZipEntry[] = [
  { name: 'folder/' },
  { name: 'same.txt', data: 'the same' },
  { name: 'grown.txt', data: 'a'.repeat(5000), isDeflated: true },
  { name: 'replaced.bin', data: 'old!' },
  { name: 'removed.bin', data: 'r'.repeat(300) },
  { name: 'old/name.png', data: 'a picture' },
  { name: 'empty' },
]
const second: ZipEntry[] = [
  { name: 'same.txt', data: 'the same', isDeflated: true },
  { name: 'grown.txt', data: 'a'.repeat(7000), isDeflated: true },
  { name: 'replaced.bin', data: 'new!' },
  { name: 'added.bin', data: 'x'.repeat(200) },
  { name: 'new/name.png', data: 'a picture' },
  { name: 'also empty' },
]

test('lists added, removed, changed and renamed entries, with totals', async () => {
  const [base, build] = [await zip(first), await zip(second)]
  const { body } = await compare(base, build)
  const [file] = body.data.files
  const counts = Object.entries(file.totals as Record<string, { entry_count: number }>)
  assert.deepEqual(Object.fromEntries(counts.map(([kind, { entry_count: count }]) => [kind, count])), {
    added: 2,
    removed: 2,
    changed: 2,
    renamed: 1,
    unchanged: 1,
  })
  const { size_before_bytes: old, size_after_bytes: current } = file.totals.changed
  assert.deepEqual([old, current], [5004, 7004])
  assert.deepEqual([file.before.filename, file.shared_bytes, file.unreadable], ['game.zip', null, null])

  const all = await listChanges(base, build)
  assert.deepEqual(
    all.data.slice(0, 3).map(({ kind, path, size_change_bytes: bytes }) => [kind, path, bytes]),
    [
      ['changed', 'grown.txt', 2000],
      ['removed', 'removed.bin', -300],
      ['added', 'added.bin', 200],
    ],
  )
  assert.equal(all.pagination.total, 7)
  const renamed = await listChanges(base, build, '?kind=renamed')
  assert.deepEqual(
    renamed.data.map(({ path, previous_path: previous }) => [path, previous]),
    [['new/name.png', 'old/name.png']],
  )
  assert.deepEqual(paths(await listChanges(base, build, '?search=OLD/')), ['new/name.png'])
  const sorted = await listChanges(base, build, '?sort_by=path&sort=asc&per_page=2&page=2')
  assert.deepEqual(paths(sorted), ['empty', 'grown.txt'])
})

test('reads builds that take bytes from earlier ones', async () => {
  const base = await zip(first)
  const bytes = zipFile(second, {})
  const half = Math.floor(bytes.length / 2)
  const source = Buffer.concat([bytes.subarray(0, half), randomBytes(1000)])
  const { build } = await uploadedBuild(service, tenant, { primary_file: { filename: 'data.bin' } }, source)
  const composed = await uploadedRanges(service, tenant, bytes, [
    { file_id: build.primary_file.id, offset: 0, size_bytes: half },
    { size_bytes: bytes.length - half },
  ])
  const { unreadable, pagination } = await listChanges(base, composed.build.id)
  assert.deepEqual([unreadable, pagination.total], [null, 7])
})

test('lists every page of a comparison with many changes', async () => {
  const base = await zip([{ name: 'a' }])
  const names = Array.from({ length: 1100 }, (_, index) => ({
    name: `file ${1000 + index}`,
    data: `${index}`,
  }))
  const build = await zip([{ name: 'a' }, ...names])
  const found: string[] = []
  for (let page = 1; page <= 37; page++)
    found.push(...paths(await listChanges(base, build, `?per_page=30&sort_by=path&sort=asc&page=${page}`)))
  assert.deepEqual(
    found,
    names.map(({ name }) => name),
  )
})

test('compares tar archives by their content', async () => {
  const base = await upload(gzipSync(tar({ 'a.txt': 'one', 'b.txt': 'two' })), 'game.tar.gz')
  const build = await upload(tar({ 'a.txt': 'ONE', 'c.txt': 'two' }), 'game.tar')
  const { data } = await listChanges(base, build)
  assert.deepEqual(
    data.map(({ kind, path, compressed_after_bytes: compressed }) => [kind, path, compressed]),
    [
      ['changed', 'a.txt', null],
      ['renamed', 'c.txt', null],
    ],
  )
})

test('reports the bytes that two files share, although they are not archives', async () => {
  const shared = randomBytes(1_500_000)
  const [base, build] = [
    await upload(shared, 'a.pak'),
    await upload(Buffer.concat([shared, randomBytes(500_000)]), 'a.pak'),
  ]
  for (const id of [base, build]) assert.ok(await indexBuild(service.deps, id, signal))
  const { body } = await compare(base, build)
  const [file] = body.data.files
  assert.equal(file.unreadable.code, 'unsupported')
  assert.ok(file.shared_bytes > 1_000_000 && file.shared_bytes <= 1_500_000, String(file.shared_bytes))
})

test('gives the reason why hostile archives cannot be compared', async () => {
  const base = await zip(first)
  const hostile: [string, string, ZipEntry[], ZipOptions?][] = [
    ['encrypted', 'encrypted', [{ name: 'secret', data: 'x', stored: Buffer.alloc(13), flags: 0x801 }]],
    ['unsafe name', 'invalid', [{ name: '../../etc/passwd', data: 'x' }]],
    [
      'overlapping entries',
      'invalid',
      [
        { name: 'a', data: 'x' },
        { name: 'b', headerOffset: 0, data: 'y' },
      ],
    ],
    ['missing entries', 'invalid', [{ name: 'a' }], { entryCount: 5 }],
    [
      'names of 6 MB',
      'invalid',
      Array.from({ length: 100 }, (_, index) => ({ name: `${index}`.padEnd(60_000, 'x') })),
    ],
  ]
  for (const [name, code, entries, options] of hostile) {
    const { data, unreadable } = await listChanges(base, await zip(entries, options))
    assert.deepEqual([data, unreadable?.code], [[], code], name)
  }
  const lying = await zip([{ name: 'huge', data: 'x', isDeflated: true, sizeBytes: 0xfffffffe, crc: 1 }])
  const { data } = await listChanges(base, lying, '?kind=added')
  assert.equal(data[0]?.size_after_bytes, 0xfffffffe)
})

test('finds no builds of other applications, and rejects files of other builds', async () => {
  const [base, build] = [await zip(first), await zip(second)]
  const other = await service.tenant()
  const foreign = await uploadedBuild(service, other)
  for (const [old, current] of [
    [base, foreign.build.id],
    [foreign.build.id, build],
    ['unknown', build],
  ])
    assert.equal((await compare(old, current)).status, 404)
  assert.equal((await compare(base, build, '', other.applicationKey)).status, 404)
  const rejected = await compare(base, build, `/entries?file_id=${foreign.build.primary_file.id}`)
  assert.deepEqual([rejected.status, Object.keys(rejected.body.errors as object)], [422, ['file_id']])
})

/** Returns a tar archive of these files. */
function tar(files: Record<string, string>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(content.length.toString(8).padStart(11, '0'), 124)
    header.write(' '.repeat(8), 148)
    header.write('0', 156)
    header.write('ustar\u000000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, Buffer.from(content.padEnd(512, '\0'))]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
