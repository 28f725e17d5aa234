import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { InProcessService } from './running-server.ts'
import { treeOf } from './synced-folder.ts'

type File = { received_bytes: number; reused_bytes: number; method: string }

let service: InProcessService
let folder: string

before(async () => {
  service = await startService()
  folder = join(service.folder, 'patches')
  await mkdir(folder)
  await jsonInProcess(service, ['applications', 'create', 'Tool', '--platform', 'generic'])
})
after(() => service.close())

const code = randomBytes(1_500_000)
let versions = 0

/** Returns a program whose addresses differ from those of each other one, so that they share only their first bytes. */
function nextProgram(): Buffer {
  const bytes = Buffer.from(code)
  const shift = 16 * ++versions
  for (let at = 300_000; at + 64 <= bytes.length; at += 64) bytes.writeUInt32LE((at * 7 + shift) >>> 0, at)
  // A patch contains these bytes.
  return Buffer.concat([bytes, randomBytes(20_000)])
}

async function upload(bytes: Buffer): Promise<string> {
  const path = join(folder, 'tool.bin')
  await writeFile(path, bytes)
  const args = ['upload', path, '--version', `1.0.${versions}`]
  const { build_id } = await jsonInProcess<{ build_id: string }>(service, args)
  await service.indexChunks(build_id)
  return build_id
}

/** Uploads two versions with a patch between them. Returns the path of the first, and the second. */
async function uploadPair() {
  const old = nextProgram()
  await upload(old)
  const next = nextProgram()
  const id = await upload(next)
  await service.createPatch(id)
  const path = join(folder, `${id}.old`)
  await writeFile(path, old)
  return { id, old, next, path, target: join(folder, `${id}.out`) }
}

async function download(id: string, path: string): Promise<File> {
  const args = ['download', id, '--output', join(folder, `${id}.out`), '--reuse', path, '--force']
  const { files } = await jsonInProcess<{ files: [File] }>(service, args)
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.endsWith('.part')),
    [],
  )
  return files[0]
}

test('applies a patch from the local file if it is smaller than the chunks', async () => {
  const { id, old, next, path, target } = await uploadPair()
  const { code: exit, stderr } = await runInProcess(service, ['download', id, '-o', target, '--reuse', path])
  assert.equal(exit, 0, stderr)
  assert.match(stderr, /Applied a patch: reused [\d.]+ MB, downloaded [\d.]+ KB\./)
  assert.ok((await readFile(target)).equals(next))

  await writeFile(target, 'another version')
  const patched = await download(id, path)
  await writeFile(target, 'another version')
  await writeFile(path, Buffer.concat([old, Buffer.alloc(1)]))
  const chunked = await download(id, path)
  assert.deepEqual([patched.method, chunked.method], ['patch', 'chunks'])
  assert.equal(patched.received_bytes + patched.reused_bytes, next.length)
  assert.ok(
    patched.received_bytes < 0.5 * chunked.received_bytes,
    `${patched.received_bytes} and ${chunked.received_bytes} bytes`,
  )
  assert.ok((await readFile(target)).equals(next))
})

test('finds the earlier version in a folder', async () => {
  const { id, next, path, target } = await uploadPair()
  const installed = join(folder, `${id}.installed`)
  await mkdir(join(installed, 'bin'), { recursive: true })
  await writeFile(join(installed, 'bin/tool'), await readFile(path))
  await writeFile(join(installed, 'large.log'), randomBytes(2_000_000))
  const file = await download(id, installed)
  assert.equal(file.method, 'patch')
  assert.ok((await readFile(target)).equals(next))
})

test('uses chunks, and never writes a file that differs from its checksum, whatever the patch contains', async () => {
  const { id, next, path, target } = await uploadPair()
  const changes: Record<string, (patch: Buffer) => Buffer> = {
    'other bytes': (patch) => patch.fill(1, patch.length - 5000),
    'another file': (patch) => {
      patch.writeUInt8(patch.readUInt8(25) ^ 1, 25)
      return patch
    },
    'a part': (patch) => patch.subarray(0, 3000),
    'no patch': () => randomBytes(1000),
  }
  for (const [name, change] of Object.entries(changes)) {
    await service.changePatch(id, change)
    await writeFile(target, 'another version')
    const file = await download(id, path)
    assert.equal(file.method, 'chunks', name)
    assert.ok((await readFile(target)).equals(next), name)
  }
})

test('resumes the download of a patch after the command was killed', async () => {
  const { id, next, path, target } = await uploadPair()
  let patch = Buffer.alloc(0)
  await service.changePatch(id, (bytes) => (patch = Buffer.from(bytes)))
  const left = `${target}.${id}.patch.part`
  await mkdir(left)
  await writeFile(join(left, 'patch.part'), patch.subarray(0, patch.length - 1000))
  await writeFile(join(left, 'result'), next.subarray(0, 100_000))
  const file = await download(id, path)
  assert.deepEqual([file.method, file.received_bytes], ['patch', 1000])
  assert.ok((await readFile(target)).equals(next))
})

type Synced = { received_bytes: number; patched_files: number; changed: number }

/** Uploads a folder with a program and other files as the next version. */
async function uploadFolder(tool: Buffer): Promise<string> {
  const build = join(folder, 'Build')
  await mkdir(join(build, 'data'), { recursive: true })
  await writeFile(join(build, 'tool'), tool)
  await writeFile(join(build, 'data/level.txt'), `level ${versions}\n`.repeat(20_000))
  await writeFile(join(build, 'data/same.bin'), code.subarray(0, 500_000))
  const args = ['upload', build, '--version', `1.0.${versions}`]
  const { build_id } = await jsonInProcess<{ build_id: string }>(service, args)
  await service.indexChunks(build_id)
  return build_id
}

const sync = (id: string, path: string) => jsonInProcess<Synced>(service, ['sync', id, path])

test('syncs changed files of an unpacked build with the ranges of a patch that they need', async () => {
  const installed = join(folder, 'installed')
  const other = join(folder, 'installed without state')
  const first = await uploadFolder(nextProgram())
  await sync(first, installed)
  await sync(first, other)
  await rm(join(other, '.quayside'), { recursive: true })
  const next = await uploadFolder(nextProgram())
  await service.createPatch(next)
  const built = await treeOf(join(folder, 'Build'))
  const [patched, chunked] = [await sync(next, installed), await sync(next, other)]
  for (const path of [installed, other]) assert.deepEqual(await treeOf(path), built)
  assert.deepEqual([patched.patched_files, chunked.patched_files], [1, 0])
  assert.ok(
    patched.received_bytes < 0.5 * chunked.received_bytes,
    `${patched.received_bytes} and ${chunked.received_bytes} bytes`,
  )
  const { stderr, stdout } = await runInProcess(service, ['sync', next, installed])
  assert.match(`${stdout}${stderr}`, /No files changed/)

  const last = await uploadFolder(nextProgram())
  await service.createPatch(last)
  await service.changePatch(last, (patch) => patch.fill(1, patch.length - 15_000))
  const fallen = await sync(last, installed)
  assert.equal(fallen.patched_files, 0)
  assert.deepEqual(await treeOf(installed), await treeOf(join(folder, 'Build')))
})
