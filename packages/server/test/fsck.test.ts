import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runAdmin } from './admin.ts'
import { startOwnService, type Service } from './harness.ts'
import { until } from './until.ts'
import { uploadedBuild, versionOf } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

type StoredBuild = { id: string; fileId: string; key: string; path: string }

let service: Service
let fixture: Fixture
let builds: StoredBuild[]

before(async () => {
  service = await startOwnService({})
  fixture = await createFixture(service)
  builds = []
  for (let minor = 1; minor <= 5; minor++) builds.push(await storedBuild(minor))
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
  const folder = join(service.dataDir, 'storage/objects', key.slice(-2), key)
  const [name = ''] = await readdir(folder)
  return { id: build.id, fileId: file.id, key, path: join(folder, name) }
}

const fsck = (...options: string[]) => runAdmin(service, ['fsck', ...options])

const buildAt = (index: number): StoredBuild => builds[index] ?? assert.fail()

/** Changes a file with `damage`, calls `check`, and restores the file. */
async function whileDamaged(
  path: string,
  damage: (bytes: Buffer) => Promise<void>,
  check: () => Promise<void>,
): Promise<void> {
  const bytes = await readFile(path)
  await damage(bytes)
  try {
    await check()
  } finally {
    await writeFile(path, bytes)
  }
}

test('finds no damage in an intact installation while the server is running', async () => {
  const { code, stdout, stderr } = await fsck('--deep')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Checked [1-9]\d* files \([\d.]+ K?B\) in [\d.]+ s\.\nNo damage found\.$/m)
})

test('names the build and the file of a missing, a truncated and a changed file', async () => {
  const [missing, truncated, changed] = [buildAt(0), buildAt(1), buildAt(2)]
  const remove = () => rm(missing.path)
  const shorten = () => truncate(truncated.path, 5)
  const flipBit = async (bytes: Buffer) => {
    const flipped = Buffer.from(bytes)
    flipped[3]! ^= 1
    await writeFile(changed.path, flipped)
  }
  await whileDamaged(missing.path, remove, () =>
    whileDamaged(truncated.path, shorten, () =>
      whileDamaged(changed.path, flipBit, async () => {
        const quick = await fsck()
        assert.equal(quick.code, 1)
        assert.match(
          quick.stdout,
          new RegExp(`^missing: ".+" of build ${missing.id} \\(version 7\\.1\\.0 of "`, 'm'),
        )
        assert.match(quick.stdout, new RegExp(`^resized: ".+" of build ${truncated.id} `, 'm'))
        assert.doesNotMatch(quick.stdout, new RegExp(changed.id))
        assert.match(
          quick.stdout,
          /^Damage found: 2, of which 0 were repaired\. Run the command with --repair/m,
        )
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
  const { id, path } = buildAt(2)
  const checksumError = async () => {
    const { body } = await service.call('GET', `/applications/${fixture.applicationId}/builds/${id}`, {
      key: fixture.applicationKey,
    })
    return body.data.primary_file.checksum_error as string | null
  }
  const flipBit = async (bytes: Buffer) => writeFile(path, Buffer.from(bytes).fill(1, 0, 1))
  await whileDamaged(path, flipBit, async () => {
    const { code, stdout } = await fsck('--deep', '--repair')
    assert.equal(code, 1, stdout)
    assert.match((await checksumError()) ?? '', /differ from the uploaded bytes/)
  })
  const { code, stdout } = await fsck('--deep', '--repair')
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^unhashed: .* repaired: saved the checksums$/m)
  assert.equal(await checksumError(), null)
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
  assert.match(repaired.stdout, /^missing: .* repaired: restored from quarantine$/m)
  assert.match(repaired.stdout, /^marked: .* repaired: no longer marked for deletion$/m)
  assert.match(repaired.stdout, /^unhashed: .* repaired: saved the checksums$/m)
  assert.match(repaired.stdout, /^Repaired 3\. No other damage found\.$/m)
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

test('finds files without a row, which sweep moves into quarantine', async () => {
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
  const path = join(service.dataDir, 'storage/installation-id')
  const id = await readFile(path, 'utf8')
  await writeFile(path, '00000000-0000-4000-8000-000000000000\n')
  const { code, stderr } = await fsck().finally(() => writeFile(path, id))
  assert.equal(code, 1)
  assert.match(stderr, /belongs to installation 00000000/)
})
