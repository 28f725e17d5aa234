import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { rereadBuilds } from '../src/features/builds/inspection/reread-builds.job.ts'
import { folderOnly, storesInS3 } from './acceptance/test-storage.ts'
import { runAdmin } from './admin.ts'
import { startOwnService, type Service } from './harness.ts'
import { untilIdle } from './idle.ts'
import { uploadPatchedPair } from './offered-patches.ts'
import { storedFiles, type StoredFile } from './stored-files.ts'
import { addMapping } from './symbols.ts'
import { until } from './until.ts'
import { composedBuild, uploadedBuild, versionOf } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

type StoredBuild = { id: string; fileId: string; key: string; file: StoredFile }

let service: Service
let fixture: Fixture
let builds: StoredBuild[]

before(async () => {
  service = await startOwnService({})
  fixture = await createFixture(service)
  builds = []
  for (let minor = 1; minor <= 5; minor++) builds.push(await storedBuild(minor))
  // The job that computes checksums may still be running.
  await untilIdle(service)
})
after(() => service.close())

async function storedBuild(minor: number): Promise<StoredBuild> {
  const { build } = await uploadedBuild(service, fixture, versionOf(7, minor))
  const file = await service.deps.db
    .selectFrom('files')
    .select(['id', 'object_key'])
    .where('build_id', '=', build.id)
    .executeTakeFirstOrThrow()
  const key = file.object_key
  return { id: build.id, fileId: file.id, key, file: storedFiles(service).fileOf(key) }
}

const fsck = (...options: string[]) => runAdmin(service, ['fsck', ...options])

const buildAt = (index: number): StoredBuild => builds[index] ?? assert.fail()

/** Changes a file with `damage`, calls `check`, and restores the file. */
async function whileDamaged(
  { read, write }: StoredFile,
  damage: (bytes: Buffer) => Promise<void>,
  check: () => Promise<void>,
): Promise<void> {
  const bytes = await read()
  await damage(bytes)
  try {
    await check()
  } finally {
    await write(bytes)
  }
}

test('finds no damage in an intact installation while the server is running', async () => {
  const { code, stdout, stderr } = await fsck('--deep')
  assert.equal(code, 0, stderr + stdout)
  assert.match(
    stdout,
    /^Checked [1-9]\d* files \([\d.]+ K?B\) in [\d.]+ s(, [\d.]+ K?B\/s)?\.\nNo damage found\.$/m,
  )
})

test('names the builds that use a missing file of another build', { skip: storesInS3 }, async () => {
  const source = await uploadedBuild(service, fixture, versionOf(8, 1))
  const composed = await composedBuild(service, fixture, source, versionOf(8, 2))
  assert.equal((await fsck('--deep')).code, 0)
  const { object_key: key } = await service.deps.db
    .selectFrom('files')
    .select('object_key')
    .where('build_id', '=', source.build.id)
    .executeTakeFirstOrThrow()
  const file = storedFiles(service).fileOf(key)
  await whileDamaged(file, file.remove, async () => {
    const { code, stdout } = await fsck()
    assert.equal(code, 1)
    for (const { build } of [source, composed]) assert.ok(stdout.includes(build.id), stdout)
    assert.match(stdout, new RegExp(`part .* of ${key}`))
  })
  const flipFirst = (bytes: Buffer) =>
    file.write(Buffer.from(bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte))))
  await whileDamaged(file, flipFirst, async () => {
    const { stdout } = await fsck('--deep', '--json')
    const { findings } = JSON.parse(stdout) as { findings: { problem: string; build_id: string }[] }
    const damaged = findings.filter(({ problem }) => problem === 'damaged').map(({ build_id }) => build_id)
    assert.deepEqual(new Set(damaged), new Set([source.build.id, composed.build.id]))
  })
})

test('names the build and the file of a missing, a truncated and a changed file', async () => {
  const [missing, truncated, changed] = [buildAt(0), buildAt(1), buildAt(2)]
  const shorten = (bytes: Buffer) => truncated.file.write(bytes.subarray(0, 5))
  const flipBit = async (bytes: Buffer) => {
    const flipped = Buffer.from(bytes)
    flipped[3]! ^= 1
    await changed.file.write(flipped)
  }
  await whileDamaged(missing.file, missing.file.remove, () =>
    whileDamaged(truncated.file, shorten, () =>
      whileDamaged(changed.file, flipBit, async () => {
        const quick = await fsck()
        assert.equal(quick.code, 1)
        assert.match(
          quick.stdout,
          new RegExp(`^missing: ".+" of build ${missing.id} \\(version 7\\.1\\.0 of "`, 'm'),
        )
        assert.match(quick.stdout, new RegExp(`^resized: ".+" of build ${truncated.id} `, 'm'))
        // In S3, the ETag of the changed file differs, so that it is found without reading it.
        assert.equal(quick.stdout.includes(changed.id), storesInS3)
        const count = storesInS3 ? 3 : 2
        const summary = `^Damage found: ${count}, of which 0 were repaired\\. Run the command with --repair`
        assert.match(quick.stdout, new RegExp(summary, 'm'))
        const deep = await fsck('--deep', '--json')
        assert.equal(deep.code, 1)
        const { findings, unrepaired, is_deep } = JSON.parse(deep.stdout)
        assert.deepEqual([is_deep, unrepaired], [true, 3])
        const damaged = findings.find(({ problem }: { problem: string }) => problem === 'damaged')
        assert.equal(damaged.build_id, changed.id)
        assert.equal(damaged.key, changed.key)
      }),
    ),
  )
})

test('reports damage in the API with --repair, and removes the report once the file is intact', async () => {
  const { id, file } = buildAt(2)
  const checksumError = async () => {
    const { body } = await service.call('GET', `/applications/${fixture.applicationId}/builds/${id}`, {
      key: fixture.applicationKey,
    })
    return body.data.primary_file.checksum_error as string | null
  }
  const flipBit = async (bytes: Buffer) => file.write(Buffer.from(bytes).fill(1, 0, 1))
  await whileDamaged(file, flipBit, async () => {
    const { code, stdout } = await fsck('--deep', '--repair')
    assert.equal(code, 1, stdout)
    assert.match((await checksumError()) ?? '', /differ from the uploaded bytes/)
  })
  const { code, stdout } = await fsck('--deep', '--repair')
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^unhashed: .* repaired: saved the checksums$/m)
  assert.equal(await checksumError(), null)
})

test('reports a damaged artifact in the API with --repair until it is intact again', async () => {
  const { id } = buildAt(1)
  await addMapping(service, fixture, id)
  await untilIdle(service)
  const { key } = await service.deps.db
    .selectFrom('metadata_artifacts')
    .select('object_key as key')
    .where('build_id', '=', id)
    .executeTakeFirstOrThrow()
  const checksumError = async () => {
    const path = `/applications/${fixture.applicationId}/builds/${id}/metadata`
    const { body } = await service.call('GET', path, { key: fixture.applicationKey })
    return body.data[0].checksum_error as string | null
  }
  const file = storedFiles(service).fileOf(key)
  const flipBit = async (bytes: Buffer) => file.write(Buffer.from(bytes).fill(1, 0, 1))
  await whileDamaged(file, flipBit, async () => {
    await fsck('--deep', '--repair')
    assert.match((await checksumError()) ?? '', /differ from the uploaded bytes/)
  })
  assert.equal((await fsck('--deep', '--repair')).code, 0)
  assert.equal(await checksumError(), null)
})

test('names damaged chunk indexes and patches, and removes them with --repair', async () => {
  const [, next] = await uploadPatchedPair(service, fixture)
  const { id, primary_file } = next?.build ?? assert.fail()
  const { db } = service.deps
  const keyIn = async (table: 'chunk_indexes' | 'file_patches') => {
    const row = await db
      .selectFrom(table)
      .select('object_key')
      .where('file_id', '=', primary_file.id)
      .executeTakeFirst()
    return row?.object_key ?? undefined
  }
  const [index = '', patch = ''] = [await keyIn('chunk_indexes'), await keyIn('file_patches')]
  const { fileOf } = storedFiles(service)
  await fileOf(index).remove()
  const changed = fileOf(patch)
  await changed.write(Buffer.from(await changed.read()).fill(1, 40, 41))
  const found = await fsck('--deep')
  assert.equal(found.code, 1)
  assert.match(found.stdout, new RegExp(`^missing: the chunk index for "tool.bin" of build ${id} `, 'm'))
  assert.match(found.stdout, new RegExp(`^damaged: the patch to "tool.bin" of build ${id} `, 'm'))
  const repaired = await fsck('--deep', '--repair')
  assert.equal(repaired.code, 0, repaired.stdout)
  assert.match(repaired.stdout, /^Repaired 2\. No other damage found\.$/m)
  assert.deepEqual([await keyIn('chunk_indexes'), await keyIn('file_patches')], [undefined, undefined])
  assert.equal((await fsck('--deep')).code, 0)
  await rereadBuilds.handle(service.deps, {}, new AbortController().signal)
  assert.notEqual(await keyIn('chunk_indexes'), undefined)
})

test('restores a file from quarantine, unmarks a file in use and computes missing checksums', async () => {
  const { db, storage, clock } = service.deps
  const [quarantined, marked, unhashed] = [buildAt(0), buildAt(3), buildAt(4)]
  await storage.quarantine({ key: quarantined.key, state: 'sealed' }, clock.now())
  const markedAt = { deleted_at: clock.now().toISOString() }
  await db.updateTable('stored_objects').set(markedAt).where('key', '=', marked.key).execute()
  const noChecksums = { checksum_md5: null, checksum_sha256: null }
  await db.updateTable('files').set(noChecksums).where('id', '=', unhashed.fileId).execute()
  const found = await fsck()
  assert.equal(found.code, 1)
  const repaired = await fsck('--deep', '--repair')
  assert.equal(repaired.code, 0, repaired.stdout)
  // In S3, quarantined bytes stay where they are.
  if (!storesInS3) assert.match(repaired.stdout, /^missing: .* repaired: restored from quarantine$/m)
  assert.match(repaired.stdout, /^marked: .* repaired: no longer marked for deletion$/m)
  assert.match(repaired.stdout, /^unhashed: .* repaired: saved the checksums$/m)
  const count = storesInS3 ? 2 : 3
  assert.match(repaired.stdout, new RegExp(`^Repaired ${count}\\. No other damage found\\.$`, 'm'))
  const again = await fsck('--deep')
  assert.equal(again.code, 0, again.stdout)
})

test('lets the server compute missing checksums if the files are not read', async () => {
  const { fileId } = buildAt(4)
  const { db } = service.deps
  const noChecksums = { checksum_md5: null, checksum_sha256: null }
  await db.updateTable('files').set(noChecksums).where('id', '=', fileId).execute()
  const { code, stdout } = await fsck('--repair')
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^unhashed: .* repaired: the server will compute them$/m)
  await until('the checksums are computed', async () => {
    const { checksum_sha256 } = await db
      .selectFrom('files')
      .select('checksum_sha256')
      .where('id', '=', fileId)
      .executeTakeFirstOrThrow()
    return checksum_sha256 !== null
  })
})

// A test cannot change the age of an object in S3.
test('finds files without a row, which sweep moves into quarantine', folderOnly, async () => {
  const { storage } = service.deps
  const { key } = await storage.store(randomUUID(), Buffer.from('no row refers to this'))
  const daysAgo = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000)
  await utimes(join(service.dataDir, 'storage/objects', key.slice(-2), key), daysAgo, daysAgo)
  const found = await fsck()
  assert.equal(found.code, 0)
  assert.match(found.stdout, new RegExp(`^No row refers to 1 stored key: ${key} \\(sealed\\)\\.$`, 'm'))
  const counted = await runAdmin(service, ['sweep', '--dry-run'])
  assert.match(counted.stdout, /^stored keys without a row to quarantine: 1$/m)
  assert.match(counted.stdout, /^Nothing was changed\.$/m)
  const swept = await runAdmin(service, ['sweep'])
  assert.equal(swept.code, 0, swept.stderr)
  assert.match(swept.stdout, /^stored keys without a row to quarantine: 1, 1 done$/m)
  assert.doesNotMatch((await fsck()).stdout, /No row refers/)
})

test('refuses the storage of another installation', async () => {
  const { read, write } = storedFiles(service).installationId
  const id = await read()
  await write(Buffer.from('00000000-0000-4000-8000-000000000000\n'))
  const { code, stderr } = await fsck().finally(() => write(id))
  assert.equal(code, 1)
  assert.match(stderr, /belongs to installation 00000000/)
})
