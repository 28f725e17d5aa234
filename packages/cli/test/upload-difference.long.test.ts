import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { writeFiles } from './archived-folder.ts'
import { changeIndex, shiftSums } from './changed-index.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { killAfter } from './run-quayside.ts'
import { startService } from './running-server.ts'
import type { InProcessService } from './running-server.ts'
import { downloadedSha256, sha256 } from './upload-files.ts'

type Uploaded = { build_id: string; sent_bytes: number; reused_bytes: number }

const mib = 1024 * 1024
let service: InProcessService
let folder: string

before(async () => {
  service = await startService()
  folder = join(service.folder, 'difference')
  await mkdir(folder)
  await jsonInProcess(service, ['applications', 'create', 'Game', '--platform', 'generic'])
})
after(() => service.close())

let versions = 0
const nextVersion = () => ['--version', `1.0.${++versions}`]

/** Uploads bytes, compares what the server stored with them and computes their chunk index. */
async function upload(bytes: Buffer, ...options: string[]): Promise<Uploaded> {
  const path = join(folder, 'game.pak')
  await writeFile(path, bytes)
  return uploadPath(path, ...options)
}

async function uploadPath(path: string, ...options: string[]): Promise<Uploaded> {
  const uploaded = await jsonInProcess<Uploaded>(service, ['upload', path, ...nextVersion(), ...options])
  await service.indexChunks(uploaded.build_id)
  return uploaded
}

async function requireStored({ build_id }: Uploaded, bytes: Buffer): Promise<void> {
  const target = join(folder, 'expected')
  await writeFile(target, bytes)
  assert.equal(await downloadedSha256(service, build_id), await sha256(target))
}

test('sends only what changed after blocks were inserted, deleted, moved and repeated', async () => {
  const old = randomBytes(3 * mib)
  const [head, middle, tail] = [old.subarray(0, mib), old.subarray(mib, 2 * mib), old.subarray(2 * mib)]
  const first = await upload(old)
  assert.deepEqual([first.sent_bytes, first.reused_bytes], [old.length, 0])
  const changed = {
    inserted: Buffer.concat([head, randomBytes(1000), middle, tail]),
    deleted: Buffer.concat([head, tail]),
    moved: Buffer.concat([middle, head, tail]),
    repeated: Buffer.concat([head, middle, middle, tail]),
    unchanged: old,
  }
  for (const [name, bytes] of Object.entries(changed)) {
    const uploaded = await upload(bytes)
    assert.equal(uploaded.sent_bytes + uploaded.reused_bytes, bytes.length)
    assert.ok(uploaded.sent_bytes <= mib, `${name}: sent ${uploaded.sent_bytes} bytes`)
    await requireStored(uploaded, bytes)
  }
  assert.equal((await upload(old)).sent_bytes, 0)
  assert.equal((await upload(old, '--no-reuse')).sent_bytes, old.length)
})

test('sends only what changed in a folder, also to another stream', async () => {
  const path = join(folder, 'Build')
  await writeFiles(path, { 'data.pak': randomBytes(2 * mib), 'level/1.bin': randomBytes(mib) })
  const first = await uploadPath(path)
  await writeFiles(path, { 'level/2.bin': randomBytes(20_000) })
  const second = await uploadPath(path, '--stream', 'stable')
  assert.ok(first.sent_bytes > 3 * mib)
  assert.ok(second.sent_bytes < 0.7 * mib, `sent ${second.sent_bytes} bytes`)
  const target = join(folder, 'unpacked')
  await jsonInProcess(service, ['sync', second.build_id, target])
  for (const name of ['data.pak', 'level/1.bin', 'level/2.bin'])
    assert.ok((await readFile(join(target, name))).equals(await readFile(join(path, name))), name)
})

test('sends only pieces of the chunks that changed, or whole chunks if the checksums of pieces are wrong', async () => {
  const old = randomBytes(3 * mib)
  await upload(old)
  const bytes = Buffer.from(old)
  for (let at = 100_000; at < bytes.length; at += 300_000) randomBytes(1000).copy(bytes, at)
  const path = join(folder, 'game.pak')
  await writeFile(path, bytes)
  await using proxy = await changeIndex(service.directUrl)
  proxy.change = shiftSums
  const args = ['upload', path, '--server', proxy.url, ...nextVersion()]
  const { stderr, code } = await runInProcess(service, args)
  assert.equal(code, 0, stderr)
  const [pieces = 0, chunks = 0] = Array.from(
    stderr.matchAll(/sending ([\d.]+) ([KM])B/g),
    ([, size, unit]) => Number(size) * (unit === 'M' ? mib : 1024),
  )
  assert.match(stderr, /does not have the expected SHA-256\. Reusing only whole chunks\./)
  assert.ok(pieces <= 10 * 2 * 4096 && chunks > 10 * 16_384 && chunks < bytes.length, stderr)
  const uploaded = await upload(bytes, '--no-reuse')
  await requireStored(uploaded, bytes)
  const next = Buffer.concat([
    randomBytes(500),
    bytes.subarray(0, mib),
    randomBytes(500),
    bytes.subarray(mib),
  ])
  const last = await upload(next)
  assert.ok(last.sent_bytes <= 4 * 4096, `sent ${last.sent_bytes} bytes`)
  await requireStored(last, next)
})

test('sends all bytes if those of the server are not the expected ones', async () => {
  const [one, two] = [randomBytes(2 * mib), randomBytes(2 * mib)]
  const [first, second] = [await upload(one), await upload(two)]
  await service.confuseIndexes(second.build_id, first.build_id)
  const path = join(folder, 'game.pak')
  await writeFile(path, one)
  const { stderr, code } = await runInProcess(service, ['upload', path, ...nextVersion()])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /reusing 2\.00 MB, sending 0 B/)
  assert.match(stderr, /The SHA-256 of the composed file .* Sending all bytes\./)
  const uploaded = await jsonInProcess<Uploaded>(service, ['upload', path, ...nextVersion()])
  assert.deepEqual([uploaded.sent_bytes, uploaded.reused_bytes], [one.length, 0])
  await requireStored(uploaded, one)
})

test('resumes an upload that reuses bytes, also with another home directory', async () => {
  const old = randomBytes(4 * mib)
  await upload(old)
  const bytes = Buffer.concat([randomBytes(16 * mib), old, randomBytes(8 * mib)])
  const path = join(folder, 'game.pak')
  await writeFile(path, bytes)
  const args = ['upload', path, ...nextVersion()]
  await killAfter(service, 18 * mib, [...args, '--parallel', '1'])
  const env = { XDG_STATE_HOME: join(folder, 'other-state') }
  const uploaded = await jsonInProcess<Uploaded>(service, args, { env })
  assert.ok(uploaded.reused_bytes > 12 * mib, `reused ${uploaded.reused_bytes} bytes`)
  await requireStored(uploaded, bytes)
})
