import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { purgeApplications } from '../src/features/applications/purge-applications.job.ts'
import { sweepCustomStores } from '../src/features/custom-stores/sweep-custom-stores.job.ts'
import { expireUploads } from '../src/features/uploads/expire-uploads.job.ts'
import { sweepOrphans } from '../src/features/uploads/sweep-orphans.job.ts'
import { deleteMarkedObjects } from '../src/storage/objects/delete-marked-objects.job.ts'
import { markUnreferenced } from '../src/storage/objects/mark-unreferenced.job.ts'
import { testBucket } from './acceptance/test-storage.ts'
import { runAdmin } from './admin.ts'
import { createCustomStoreTests, type CustomStoreTests, type Store } from './custom-stores.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { startS3Proxy } from './s3-proxy.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { storedFiles } from './stored-files.ts'
import { until } from './until.ts'
import { put, requestUpload, uploadBody, uploadedBuild, verify } from './uploading.ts'

describe('custom stores that cannot be used', { skip: missingS3Server }, () => {
  let release: () => Promise<void>
  let proxy: Awaited<ReturnType<typeof startS3Proxy>>
  let service: Service
  let stores: CustomStoreTests

  before(async () => {
    const shared = await sharedS3Server()
    release = shared.release
    proxy = await startS3Proxy(shared.server.endpoint)
    service = await startOwnService({
      environment: { QUAYSIDE_CUSTOM_STORE_ALLOW_PRIVATE: '127.0.0.0/8' },
    })
    stores = createCustomStoreTests(service, shared.server)
  })
  after(async () => {
    await service.close()
    await proxy.close()
    await release()
  })

  /** Runs an admin command, which may connect to the stores of the tests. */
  const admin = (...args: string[]) =>
    runAdmin(service, args, { QUAYSIDE_CUSTOM_STORE_ALLOW_PRIVATE: '127.0.0.0/8' })

  // This test comes first, because the command must also open stores that contain no build yet.
  test('sweep and the nightly jobs skip an unusable store and process it later', async () => {
    const { db, storage } = service.deps
    const unreachable = await stores.tenantWithStore(proxy.url)
    const hosted = await service.tenant()
    const uploads = [await requestUpload(service, unreachable), await requestUpload(service, hosted)]
    const ids = uploads.map(({ pending_upload_id }) => pending_upload_id as string)
    for (const { primary_file } of uploads)
      assert.equal((await put(primary_file.presigned_data, randomBytes(1024))).status, 200)
    // The job of the service may run at any time and sweep the uploads too.
    const isSwept = async (id = '') => {
      const found = db.selectFrom('pending_uploads').select('swept_at').where('id', '=', id)
      return (await found.executeTakeFirstOrThrow()).swept_at !== null
    }
    const file = await db
      .selectFrom('pending_upload_files')
      .select('object_key')
      .where('pending_upload_id', '=', ids[0] ?? '')
      .executeTakeFirstOrThrow()
    proxy.stop('refuse')
    try {
      await sql`update pending_uploads set state = 'aborted' where id = any(${ids})`.execute(db)
      const { code, stdout } = await admin('sweep')
      assert.equal(code, 3, stdout)
      assert.match(
        stdout,
        new RegExp(`^unusable: the custom store s3://\\S+/${unreachable.store.prefix}/ at `, 'm'),
      )
      assert.match(stdout, /^This run is incomplete\./m)
      const { signal } = new AbortController()
      for (const job of [sweepOrphans, expireUploads, purgeApplications, sweepCustomStores, markUnreferenced])
        await job.handle(service.deps, {}, signal)
      assert.deepEqual(await Promise.all(ids.map(isSwept)), [false, true])
    } finally {
      proxy.heal()
    }
    const { code, stdout } = await admin('sweep')
    assert.equal(code, 0, stdout)
    assert.equal(await isSwept(ids[0]), true)
    assert.deepEqual(await storage.listStaged(file.object_key, ''), [])
  })

  test('returns 503 for one application while its store is unreachable, and recovers', async () => {
    const tenant = await stores.tenantWithStore(proxy.url)
    const hosted = await service.tenant()
    const upload = await requestUpload(service, tenant)
    const bytes = randomBytes(1024)
    assert.equal((await put(upload.primary_file.presigned_data, bytes)).status, 200)
    proxy.stop('refuse')
    try {
      const failed = await verify(service, tenant, upload.pending_upload_id)
      assert.deepEqual([failed.status, failed.body.code], [503, 'custom_store.unavailable'])
      assert.match(failed.body.message, /custom store of this application/)
      assert.ok(Number(failed.headers.get('retry-after')) > 0)
      await uploadedBuild(service, hosted)
      const listed = await service.call('GET', '/upload', { key: tenant.workspaceKey })
      assert.deepEqual([listed.status, listed.body.data], [200, []])
      const ready = await fetch(`${service.url}/readyz`)
      assert.equal(ready.status, 200, await ready.text())
    } finally {
      proxy.heal()
    }
    let verified = await verify(service, tenant, upload.pending_upload_id)
    for (const deadline = Date.now() + 60_000; verified.status === 503 && Date.now() < deadline;)
      verified = await verify(service, tenant, upload.pending_upload_id)
    assert.equal(verified.status, 200, verified.text)
    assert.deepEqual((await stores.download(tenant, verified.body.build.id)).bytes, bytes)
  })

  test('rejects new, resumed and metadata uploads with 503 while the bucket does not exist', async () => {
    const tenant = await stores.tenantWithStore(proxy.url)
    const { build } = await uploadedBuild(service, tenant)
    const { pending_upload_id } = await requestUpload(service, tenant)
    const moveTo = (bucket: string) =>
      sql`update custom_stores set bucket = ${bucket}, updated_at = now()
        where application_id = ${tenant.applicationId}`.execute(service.deps.db)
    await moveTo('no-such-bucket')
    const send = (path: string, body: object) =>
      service.call('POST', path, { key: tenant.applicationKey, body })
    const requests = [
      () => send('/upload/request', uploadBody()),
      () => send('/upload/request', uploadBody({ resume_pending_upload_id: pending_upload_id })),
      () => send('/upload/metadata/request', { build_id: build.id, filename: 'report.xml', size_bytes: 100 }),
    ]
    // Settings that another node has changed are used after a second.
    await until('uploads are rejected', async () => (await requests[0]?.())?.status === 503)
    for (const request of requests) {
      const { status, body, text } = await request()
      assert.deepEqual([status, body.code], [503, 'custom_store.unavailable'], text)
    }
    await uploadedBuild(service, await service.tenant())
    await moveTo(testBucket)
    await until('uploads are accepted again', async () => (await requests[0]?.())?.status === 200)
  })

  test('deletes files of other applications while one store is unreachable, and its own later', async () => {
    const { db } = service.deps
    const tenant = await stores.tenantWithStore(proxy.url)
    const hosted = await service.tenant()
    const builds = [await uploadedBuild(service, tenant), await uploadedBuild(service, hosted)]
    const ids = builds.map(({ build }) => build.id as string)
    const { url } = await stores.download(tenant, ids[0] as string)
    await sql`delete from pending_uploads where build_id = any(${ids})`.execute(db)
    const { rows } = await sql<{ object_key: string }>`
      delete from files where build_id = any(${ids}) returning object_key`.execute(db)
    const keys = rows.map(({ object_key }) => object_key)
    await sql`update stored_objects set deleted_at = now() - interval '8 days' where key = any(${keys})`.execute(
      db,
    )
    const remaining = async () => {
      const found = await sql<{
        key: string
      }>`select key from stored_objects where key = any(${keys})`.execute(db)
      return found.rows.map(({ key }) => key.includes('/'))
    }
    proxy.stop('refuse')
    try {
      await deleteMarkedObjects(service.deps)
      assert.deepEqual(await remaining(), [true])
    } finally {
      proxy.heal()
    }
    for (const deadline = Date.now() + 60_000; (await remaining()).length > 0 && Date.now() < deadline;)
      await deleteMarkedObjects(service.deps)
    assert.deepEqual(await remaining(), [])
    assert.equal((await fetch(url)).status, 404)
    assert.deepEqual(await stores.usage(hosted), {
      total_bytes: 1_024,
      hosted_bytes: 1_024,
      self_hosted_bytes: 0,
    })
  })

  const keyOfBuild = async (buildId: string): Promise<string> => {
    const files = service.deps.db.selectFrom('files').select('object_key')
    return (await files.where('build_id', '=', buildId).executeTakeFirstOrThrow()).object_key
  }

  const checksumErrorOf = async (buildId: string): Promise<string | null> => {
    const files = service.deps.db.selectFrom('files').select('checksum_error')
    return (await files.where('build_id', '=', buildId).executeTakeFirstOrThrow()).checksum_error
  }

  /** Replaces the saved keys by keys that the store has never issued, as after they were revoked. */
  async function revokeKeys(tenant: Tenant): Promise<void> {
    const { id } = (await stores.call('GET', tenant, '/custom-store')).body.data.store
    const credentials = { accessKeyId: 'revoked', secretAccessKey: 'revoked' }
    const credentials_encrypted = service.deps.customStores.sealCredentials(id, credentials)
    await service.deps.db
      .updateTable('custom_stores')
      .set({ credentials_encrypted })
      .where('id', '=', id)
      .execute()
  }

  test('fsck checks everything else, and names a store that is unreachable or rejects its keys', async () => {
    const unreachable = await stores.tenantWithStore(proxy.url)
    const revoked = await stores.tenantWithStore()
    const hosted = await service.tenant()
    const inUnreachable = await uploadedBuild(service, unreachable)
    const inRevoked = await uploadedBuild(service, revoked)
    const { build: lost } = await uploadedBuild(service, hosted)
    await revokeKeys(revoked)
    const nameOf = async (tenant: Tenant) => (await stores.call('GET', tenant, '')).body.data.name as string
    proxy.stop('refuse')
    try {
      const { code, stdout } = await admin('fsck', '--deep', '--repair')
      assert.equal(code, 3, stdout)
      for (const [tenant, reason] of [
        [unreachable, 'the store did not respond: ECONNRESET'],
        [revoked, 'the store rejected a call: InvalidAccessKeyId, status 403'],
      ] as const)
        assert.match(
          stdout,
          new RegExp(
            `^unusable: the custom store s3://${testBucket}/${tenant.store.prefix}/ at http\\S+ of "${await nameOf(tenant)}", 1 file \\(1\\.00 KB\\) not checked: ${reason}$`,
            'm',
          ),
        )
      assert.match(stdout, /^No damage found\.$/m)
      assert.match(stdout, /^The check is incomplete\./m)
      assert.doesNotMatch(stdout, /^(missing|resized|damaged)/m)
      for (const { build } of [inUnreachable, inRevoked]) assert.equal(await checksumErrorOf(build.id), null)

      const lostKey = await keyOfBuild(lost.id)
      const file = storedFiles(service).fileOf(lostKey)
      const lostBytes = await file.read()
      await file.remove()
      const damaged = await admin('fsck', '--json')
      assert.equal(damaged.code, 1)
      const { findings, is_complete, unusable_stores } = JSON.parse(damaged.stdout)
      assert.deepEqual([findings.map(({ key }: { key: string }) => key), is_complete], [[lostKey], false])
      const reported = unusable_stores.find(({ prefix }: Store) => prefix === `${revoked.store.prefix}/`)
      assert.deepEqual(
        [reported.application_id, reported.unchecked_objects, reported.unchecked_bytes],
        [revoked.applicationId, 1, 1024],
      )
      await file.write(lostBytes)
    } finally {
      proxy.heal()
    }
    assert.equal((await stores.call('PUT', revoked, '/custom-store', revoked.store)).status, 200)
    const healed = await admin('fsck', '--deep', '--repair')
    assert.equal(healed.code, 0, healed.stdout)
    assert.doesNotMatch(healed.stdout, /missing|unusable|incomplete/)
    for (const { build, bytes } of [inUnreachable, inRevoked])
      assert.deepEqual(
        (await stores.download(build === inRevoked.build ? revoked : unreachable, build.id)).bytes,
        Buffer.from(bytes),
      )
  })

  test('deletes nothing in a store that another installation has claimed', async () => {
    const tenant = await stores.tenantWithStore()
    const { build, bytes } = await uploadedBuild(service, tenant)
    const { id } = (await stores.call('GET', tenant, '/custom-store')).body.data.store
    const storage = await service.deps.customStores.open(id)
    await storage.identity.saveId(randomUUID())
    await sweepOrphans.handle(service.deps, {}, new AbortController().signal)
    const [{ object_key }] = (await service.deps.db
      .selectFrom('files')
      .select('object_key')
      .where('build_id', '=', build.id)
      .execute()) as [{ object_key: string }]
    await assert.rejects(service.deps.storage.remove({ key: object_key }), {
      code: 'custom_store.other_installation',
    })
    assert.deepEqual((await stores.download(tenant, build.id)).bytes, Buffer.from(bytes))
  })
})
