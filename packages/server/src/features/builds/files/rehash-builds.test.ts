import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { until } from '../../../../test/until.ts'
import { put, uploadedBuild } from '../../../../test/uploading.ts'
import type { Deps } from '../../../deps.ts'
import type { StorageDriver } from '../../../storage/driver.ts'
import { rereadBuilds, rereadOutdatedBuilds } from '../inspection/reread-builds.job.ts'
import { rehashBuild } from './hash-file.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startOwnService()
  tenant = await service.tenant()
})
after(() => service.close())

const neverStopping = new AbortController().signal
const get = async (id: string) =>
  (
    await service.call('GET', `/applications/${tenant.applicationId}/builds/${id}`, {
      key: tenant.applicationKey,
    })
  ).body.data

/** Waits until no build is inspected for the first time. */
const inspections = () =>
  until('the inspections', async () => {
    const pending = service.deps.db.selectFrom('builds').where('processing', 'in', ['queued', 'waiting'])
    return (await pending.select('id').executeTakeFirst()) === undefined
  })

const reread = (deps: Partial<Deps> = {}, signal = neverStopping) =>
  rereadBuilds.handle({ ...service.deps, ...deps }, {}, signal)

async function upload(filename: string) {
  const { build } = await uploadedBuild(service, tenant, { primary_file: { filename } }, randomBytes(300))
  await inspections()
  await rehashBuild(service.deps, build.id, neverStopping)
  return build.id as string
}

async function addArtifact(buildId: string, bytes: Buffer): Promise<string> {
  const send = (path: string, body: object) =>
    service.call('POST', `/upload/metadata/${path}`, { key: tenant.applicationKey, body })
  const requested = await send('request', {
    build_id: buildId,
    filename: 'report.xml',
    size_bytes: bytes.length,
  })
  await put(requested.body.presigned_upload_data, bytes)
  const verified = await send('verify', { pending_upload_id: requested.body.metadata_pending_upload_id })
  assert.equal(verified.status, 200, verified.text)
  return verified.body.metadata_artifact_id
}

/** Makes the checksums of builds outdated, as an upgrade to a version that computes more does. */
const outdate = (ids: string[]) =>
  sql`update build_readings set version = 0, due_at = now() where build_id = any(${ids})`.execute(
    service.deps.db,
  )

const digests = (bytes: Buffer) =>
  Object.fromEntries(
    ['md5', 'sha256', 'sha1', 'sha512'].map((name) => [
      `checksum_${name}`,
      createHash(name).update(bytes).digest('hex'),
    ]),
  )

const checksumsOf = ({
  checksum_md5,
  checksum_sha256,
  checksum_sha1,
  checksum_sha512,
}: Record<string, unknown>) => ({
  checksum_md5,
  checksum_sha256,
  checksum_sha1,
  checksum_sha512,
})

test('computes the checksums that are not computed during the upload in the background', async () => {
  const bytes = randomBytes(400_000)
  const { build } = await uploadedBuild(service, tenant, { primary_file: { filename: 'app.iso' } }, bytes)
  const known = digests(bytes)
  assert.deepEqual(checksumsOf(build.primary_file), { ...known, checksum_sha1: null, checksum_sha512: null })
  await inspections()
  await reread()
  const read = await get(build.id)
  assert.deepEqual(checksumsOf(read.primary_file), known)
  assert.deepEqual(
    [read.updated_at, read.primary_file.updated_at],
    [build.updated_at, build.primary_file.updated_at],
  )
  const download = await service.call(
    'GET',
    `/applications/${tenant.applicationId}/builds/${build.id}/download`,
    {
      key: tenant.applicationKey,
    },
  )
  assert.deepEqual(checksumsOf(download.body.primary_file), known)

  const artifact = randomBytes(500)
  await addArtifact(build.id, artifact)
  await reread()
  assert.deepEqual(checksumsOf((await get(build.id)).metadata_artifacts[0]), digests(artifact))
})

async function recordWrongChecksum(id: string): Promise<void> {
  await service.deps.db
    .updateTable('files')
    .set({ checksum_sha1: null, checksum_sha512: null, checksum_sha256: 'a'.repeat(64) })
    .where('build_id', '=', id)
    .execute()
  await outdate([id])
}

test('corrects the recorded checksum of a file whose bytes are those that were uploaded', async () => {
  const id = await upload('b.iso')
  const { checksum_sha256 } = (await get(id)).primary_file
  await recordWrongChecksum(id)
  await reread()
  const { primary_file: file } = await get(id)
  assert.deepEqual([file.checksum_sha256, file.checksum_error], [checksum_sha256, null])
})

/** Returns a storage that cannot tell whether the bytes of a file are those that were uploaded. */
function unconfirmedStorage(): StorageDriver {
  const { storage } = service.deps
  return {
    ...storage,
    checksums: async (object, options) => ({
      ...(await storage.checksums(object, options)),
      isConfirmed: false,
    }),
  }
}

test('reports a file that differs from its known checksums instead of saving others', async () => {
  const id = await upload('b.iso')
  await recordWrongChecksum(id)
  await reread({ storage: unconfirmedStorage() })
  const { primary_file: file } = await get(id)
  assert.deepEqual([file.checksum_sha512, file.checksum_sha256], [null, 'a'.repeat(64)])
  assert.match(file.checksum_error, /differ/)
})

test('reports a damaged artifact once', async () => {
  const id = await upload('d.iso')
  const artifactId = await addArtifact(id, randomBytes(700))
  await reread()
  const { db, log } = service.deps
  await db
    .updateTable('metadata_artifacts')
    .set({ checksum_sha1: null, checksum_sha512: null, checksum_sha256: 'a'.repeat(64) })
    .where('id', '=', artifactId)
    .execute()
  const alarms: unknown[] = []
  const countingLog = {
    ...log,
    error: (fields: { alarm?: string }) => alarms.push(fields.alarm),
  } as unknown as Deps['log']
  for (let runs = 0; runs < 2; runs++) {
    await sql`update build_readings set due_at = now() where build_id = ${id}`.execute(db)
    if (runs === 0) await outdate([id])
    await reread({ log: countingLog, storage: unconfirmedStorage() })
  }
  assert.deepEqual(alarms, ['storage'])
  const [artifact] = (await get(id)).metadata_artifacts
  assert.equal(artifact.checksum_sha512, null)
  assert.match(artifact.checksum_error, /differ/)
})

test('renews the lease of a build while its file is read', async () => {
  const id = await upload('e.iso')
  const { db, storage } = service.deps
  await db
    .updateTable('files')
    .set({ checksum_sha1: null, checksum_sha512: null })
    .where('build_id', '=', id)
    .execute()
  await outdate([id])
  const lease = db
    .selectFrom('build_readings')
    .select(sql<boolean>`due_at > now() + interval '90 seconds'`.as('is_renewed'))
    .where('build_id', '=', id)
    .where('kind', '=', 'checksums')
  let isRenewed = false
  const slowStorage: StorageDriver = {
    ...storage,
    async checksums(object, options) {
      await sql`update build_readings set due_at = now() + interval '1 minute' where build_id = ${id}`.execute(
        db,
      )
      isRenewed = await until('a renewed lease', async () => (await lease.executeTakeFirst())?.is_renewed)
      return storage.checksums(object, options)
    },
  }
  await rereadOutdatedBuilds({ ...service.deps, storage: slowStorage }, neverStopping, { renewEveryMs: 20 })
  assert.equal(isRenewed, true)
  assert.match((await get(id)).primary_file.checksum_sha512, /^[0-9a-f]{128}$/)
})

test('reads each file once on two nodes, also if one of them is stopped while it reads', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => upload('c.iso')))
  await service.deps.db
    .updateTable('files')
    .set({ checksum_sha1: null, checksum_sha512: null })
    .where('build_id', 'in', ids)
    .execute()
  await outdate(ids)
  const stopping = new AbortController()
  const read: string[] = []
  const { storage } = service.deps
  const countingStorage: StorageDriver = {
    ...storage,
    async checksums(object, options) {
      const found = await storage.checksums(object, options)
      read.push(object.key)
      return found
    },
  }
  const stoppedStorage: StorageDriver = {
    ...storage,
    async checksums(_object, { signal } = {}) {
      stopping.abort()
      signal?.throwIfAborted()
      throw new Error('was not stopped')
    },
  }
  await reread({ storage: stoppedStorage }, stopping.signal)
  await Promise.all([reread({ storage: countingStorage }), reread({ storage: countingStorage })])
  assert.deepEqual([read.length, new Set(read).size], [4, 4])
  for (const id of ids) assert.equal((await get(id)).primary_file.checksum_sha512.length, 128)
})
