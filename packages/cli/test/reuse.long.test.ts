import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sequence, words, writeFiles } from './archived-folder.ts'
import { changeIndex, shiftSums } from './changed-index.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { InProcessService } from './running-server.ts'
import { treeOf } from './synced-folder.ts'

type Downloaded = { files: [{ received_bytes: number; reused_bytes: number }] }

const mib = 1024 * 1024
let service: InProcessService
let folder: string

before(async () => {
  service = await startService()
  folder = join(service.folder, 'reuse')
  await mkdir(folder)
  await jsonInProcess(service, ['applications', 'create', 'Game', '--platform', 'generic'])
})
after(() => service.close())

let versions = 0
async function upload(bytes: Buffer, isIndexed = true): Promise<string> {
  const path = join(folder, 'game.pak')
  await writeFile(path, bytes)
  const args = ['upload', path, '--version', `1.0.${++versions}`]
  const { build_id } = await jsonInProcess<{ build_id: string }>(service, args)
  if (isIndexed) await service.indexChunks(build_id)
  return build_id
}

/** Downloads a build by reusing a path. Returns its bytes, what was transferred and the messages. */
async function download(buildId: string, reuse: string, ...options: string[]) {
  const target = join(folder, `${buildId}.out`)
  const args = ['download', buildId, '--output', target, '--reuse', reuse, ...options]
  const { files } = await jsonInProcess<Downloaded>(service, args)
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.endsWith('.part')),
    [],
  )
  const [{ received_bytes: received, reused_bytes: reused }] = files
  return { bytes: await readFile(target), received, reused }
}

async function local(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

test('downloads only what changed after blocks were inserted, deleted, moved and repeated', async () => {
  const old = randomBytes(3 * mib)
  const [head, middle, tail] = [old.subarray(0, mib), old.subarray(mib, 2 * mib), old.subarray(2 * mib)]
  const path = await local('old.pak', old)
  const changed = {
    inserted: Buffer.concat([head, randomBytes(1000), middle, tail]),
    deleted: Buffer.concat([head, tail]),
    moved: Buffer.concat([middle, head, tail]),
    repeated: Buffer.concat([head, middle, middle, tail]),
    zeros: Buffer.concat([head, Buffer.alloc(2 * mib), tail]),
  }
  for (const [name, next] of Object.entries(changed)) {
    const { bytes, received, reused } = await download(await upload(next), path)
    assert.ok(bytes.equals(next), name)
    assert.equal(received + reused, next.length)
    // Each of three seams changes at most two chunks of up to 256 KiB, and zeros are fetched once.
    assert.ok(received <= 1.5 * mib, `${name}: ${received} bytes`)
  }
})

test('finds the chunks of a file in a folder, and prints how much it reused', async () => {
  const bytes = randomBytes(4 * mib)
  const version = join(folder, 'version/data')
  await mkdir(version, { recursive: true })
  await writeFile(join(version, 'first.pak'), bytes.subarray(0, 2 * mib + 100))
  await writeFile(join(version, 'second.pak'), bytes.subarray(2 * mib + 100))
  const id = await upload(bytes)
  const target = join(folder, 'version.out')
  const args = ['download', id, '--output', target, '--reuse', join(folder, 'version')]
  const { code, stderr } = await runInProcess(service, args)
  assert.equal(code, 0, stderr)
  assert.ok((await readFile(target)).equals(bytes))
  assert.match(stderr, /Reused (3\.\d\d|4\.00) MB, downloaded \d+\.\d\d KB\./)
})

test('does not follow links in a folder', async () => {
  const bytes = randomBytes(2 * mib)
  const [outside, links] = [join(folder, 'outside'), join(folder, 'links')]
  for (const path of [outside, links]) await mkdir(path)
  await writeFile(join(outside, 'a.pak'), bytes)
  await symlink(outside, join(links, 'outside'))
  await symlink('.', join(links, 'circle'))
  const { received, reused } = await download(await upload(bytes), links)
  assert.deepEqual([received, reused], [bytes.length, 0])
})

test('replaces the file that it reuses', async () => {
  const old = randomBytes(3 * mib)
  const id = await upload(Buffer.concat([old, randomBytes(2000)]))
  const target = join(folder, `${id}.out`)
  await writeFile(target, old)
  const { received } = await download(id, target, '--force')
  assert.ok(received < 0.6 * mib, `${received} bytes`)
})

test('downloads the whole file if it has no chunk index or nothing in common with the local one', async () => {
  const bytes = randomBytes(2 * mib)
  const path = await local('other.pak', randomBytes(2 * mib))
  const cases = [
    { id: await upload(bytes, false), message: /has not computed its chunk index yet/ },
    { id: await upload(randomBytes(1000)), message: /The server has no chunk index of it/ },
    { id: await upload(bytes), message: /nothing in common/ },
  ]
  for (const { id, message } of cases) {
    const target = join(folder, `${id}.out`)
    const { code, stderr } = await runInProcess(service, ['download', id, '-o', target, '--reuse', path])
    assert.equal(code, 0, stderr)
    assert.match(stderr, message)
  }
})

test('continues an interrupted download from the chunks that were written', async () => {
  const [old, added] = [randomBytes(mib), randomBytes(3 * mib)]
  const path = await local('start.pak', old)
  const next = Buffer.concat([old, added])
  const id = await upload(next)
  // What a killed run leaves: chunks in their places, a torn one, and holes.
  const torn = Buffer.concat([next.subarray(0, 3 * mib), Buffer.alloc(mib / 4), next.subarray(3.25 * mib)])
  await writeFile(join(folder, `${id}.out.${id}.reuse.part`), torn)
  const { bytes, received } = await download(id, path)
  assert.ok(bytes.equals(next))
  assert.ok(received < mib, `${received} bytes`)
})

test('never writes a file that differs from its checksum, whatever the index contains', async () => {
  const old = randomBytes(3 * mib)
  const path = await local('trusted.pak', old)
  const next = Buffer.concat([randomBytes(mib), old])
  const id = await upload(next)
  const changes: Record<string, (index: Buffer) => unknown> = {
    'a hash': (index) => index.writeUInt8(index.readUInt8(64 + 10) ^ 1, 64 + 10),
    'swapped chunks': (index) => {
      const first = Buffer.from(index.subarray(64, 100))
      index.copy(index, 64, 100, 136)
      first.copy(index, 100)
    },
    'a size': (index) => index.writeUInt32LE(0xffffffff, 64),
    'a missing chunk': (index) => index.writeUInt32LE(index.readUInt32LE(56) - 1, 56),
    'the number of chunks': (index) => index.writeUInt32LE(0xffffffff, 56),
    'the version': (index) => index.writeUInt8(9, 4),
    'chunks of one byte': (index) => index.writeUInt32LE(1, 8),
    'the last chunks': (index) => index.subarray(0, 64 + 36 * (index.readUInt32LE(56) - 1)),
    'the size of a piece': (index) => index.writeUInt32LE(1, 64 + 36 * index.readUInt32LE(56) + 12),
    everything: () => Buffer.alloc(40 * mib),
    'the file size': (index) => index.writeBigUInt64LE(1n << 60n, 16),
  }
  await using proxy = await changeIndex(service.directUrl)
  for (const [name, change] of Object.entries(changes)) {
    proxy.change = (index) => {
      const changed = change(index)
      return Buffer.isBuffer(changed) ? changed : index
    }
    const target = join(folder, `${name}.out`)
    const args = ['download', id, '--output', target, '--reuse', path, '--server', proxy.url]
    const { code, stderr } = await runInProcess(service, args)
    assert.equal(code, 0, `${name}: ${stderr}`)
    assert.match(stderr, /Downloading all of/, name)
    assert.ok((await readFile(target)).equals(next), name)
    await rm(target)
  }
})

test('fetches only pieces of the chunks that changed, also if their checksums are wrong', async () => {
  const old = randomBytes(3 * mib)
  const path = await local('pieces.pak', old)
  const next = Buffer.from(old)
  for (let at = 100_000; at < next.length; at += 300_000) randomBytes(1000).copy(next, at)
  const id = await upload(next)
  const { bytes, received } = await download(id, path)
  assert.ok(bytes.equals(next))
  assert.ok(received <= 10 * 2 * 4096, `${received} bytes`)
  await using proxy = await changeIndex(service.directUrl)
  proxy.change = shiftSums
  const changed = await download(id, path, '--force', '--server', proxy.url)
  assert.ok(changed.bytes.equals(next))
  assert.ok(changed.received < next.length, `${changed.received} bytes`)
})

test('rejects a missing path and standard output', async () => {
  const id = await upload(randomBytes(100), false)
  const missing = await runInProcess(service, ['download', id, '--reuse', join(folder, 'missing')])
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /missing does not exist/)
  const { code, stderr } = await runInProcess(service, ['download', id, '-o', '-', '--reuse', folder])
  assert.equal(code, 2)
  assert.match(stderr, /--reuse needs a file/)
})

type Synced = Record<'added' | 'changed' | 'removed' | 'received_bytes' | 'reused_bytes', number>

test('syncs a folder with the builds of two nights', async () => {
  const [build, synced] = [join(folder, 'Build'), join(folder, 'synced')]
  const next = sequence(31)
  const code = words(3 * mib, next)
  await writeFiles(build, {
    'game.bin': code,
    'data/textures.pak': randomBytes(6 * mib),
    'data/old.pak': randomBytes(mib),
    ...Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`config/${index}.json`, words(2000, next)]),
    ),
  })
  await chmod(join(build, 'game.bin'), 0o755)
  await symlink('data/textures.pak', join(build, 'latest'))
  const night = async () => {
    const args = ['upload', build, '--version', `2.0.${++versions}`, '--stream', 'nightlies']
    const { build_id } = await jsonInProcess<{ build_id: string }>(service, args)
    await service.indexChunks(build_id)
    return build_id
  }
  await night()
  const sync = (...options: string[]) =>
    jsonInProcess<Synced>(service, ['sync', 'latest', synced, '--stream', 'nightlies', ...options])
  assert.equal((await sync('--dry-run')).added, 204)
  await assert.rejects(readdir(synced))
  const first = await sync()
  assert.equal(first.added, 204)
  assert.deepEqual(await treeOf(synced), await treeOf(build))
  const changed = Buffer.from(code)
  randomBytes(100_000).copy(changed, 1.5 * mib)
  await writeFile(join(build, 'game.bin'), changed)
  await rename(join(build, 'data/old.pak'), join(build, 'data/new.pak'))
  await rm(join(build, 'config/7.json'))
  await writeFile(join(build, 'config/100.json'), words(2000, next))
  await writeFile(join(synced, 'config/mine.json'), 'mine')
  const second = await night()
  const result = await sync()
  await rm(join(synced, 'config/mine.json'))
  assert.deepEqual(await treeOf(synced), await treeOf(build))
  assert.deepEqual([result.added, result.changed, result.removed], [1, 2, 2])
  assert.ok(result.received_bytes < 900_000, `${result.received_bytes} bytes`)
  const { stdout } = await runInProcess(service, ['sync', second, synced])
  assert.match(stdout, /^No files changed\. Reused 7\.\d\d MB, downloaded \d+\.\d\d KB\.\n$/)
})

test('syncs each build that becomes the newest while it watches', async () => {
  const [build, synced] = [join(folder, 'Watched'), join(folder, 'watched')]
  await jsonInProcess(service, ['streams', 'create', 'watched', '--application', 'Game'])
  const night = async (text: string) => {
    await writeFiles(build, { 'level.txt': text })
    await jsonInProcess(service, ['upload', build, '--version', `3.0.${++versions}`, '--stream', 'watched'])
  }
  await night('first')
  const controller = new AbortController()
  const outputs: string[] = []
  let onOutput = () => {}
  const args = ['sync', 'latest', synced, '--stream', 'watched', '--watch', '--json', 'changed,added']
  const ended = runInProcess(service, args, {
    signal: controller.signal,
    onOutput(text) {
      outputs.push(text)
      onOutput()
    },
  })
  const until = async (count: number) => {
    const reached = new Promise<void>((resolve) => {
      onOutput = () => outputs.length >= count && resolve()
      onOutput()
    })
    await Promise.race([reached, ended.then(({ stderr }) => assert.fail(stderr))])
  }
  await until(1)
  assert.deepEqual(await treeOf(synced), await treeOf(build))
  await night('second')
  await until(2)
  assert.deepEqual(await treeOf(synced), await treeOf(build))
  controller.abort()
  assert.equal((await ended).code, 130)
  assert.deepEqual(
    outputs.map((line) => JSON.parse(line) as unknown),
    [
      { changed: 0, added: 1 },
      { changed: 1, added: 0 },
    ],
  )
})
