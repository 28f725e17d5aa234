import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { sweepOrphans } from '../src/features/uploads/sweep-orphans.job.ts'
import { deleteMarkedObjects } from '../src/storage/delete-marked-objects.job.ts'
import { createCustomStoreTests, type CustomStoreTests } from './custom-stores.ts'
import { startOwnService, type Service } from './harness.ts'
import { startS3Proxy } from './s3-proxy.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { put, requestUpload, uploadedBuild, verify } from './uploading.ts'

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
