import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createSecretBox } from '../src/crypto/secret-box.ts'
import { sweepStores } from '../src/features/custom-stores/sweep-custom-stores.job.ts'
import { createExport } from '../src/operations/export/create-export.ts'
import {
  findStore,
  resealStoreCredentials,
  storeCredentialsContext,
} from '../src/storage/custom/custom-store.db.ts'
import { testBucket, type S3Server } from './acceptance/test-storage.ts'
import { createCustomStoreTests, type CustomStoreTests, type Store } from './custom-stores.ts'
import { startOwnService, type Service } from './harness.ts'
import { createBrowser } from './page-browser.ts'
import { startS3Proxy } from './s3-proxy.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { composedBuild, put, requestUpload, uploadedBuild, verify } from './uploading.ts'

describe('custom stores', { skip: missingS3Server }, () => {
  let server: S3Server
  let release: () => Promise<void>
  let proxy: Awaited<ReturnType<typeof startS3Proxy>>
  let service: Service
  let stores: CustomStoreTests
  const logged: string[] = []

  before(async () => {
    ;({ server, release } = await sharedS3Server())
    proxy = await startS3Proxy(server.endpoint)
    const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
    const environment = { QUAYSIDE_CUSTOM_STORE_ALLOW_PRIVATE: '127.0.0.0/8' }
    service = await startOwnService({ log, environment })
    stores = createCustomStoreTests(service, server)
  })
  after(async () => {
    await service.close()
    await proxy.close()
    await release()
  })

  test('reports every step of the test and saves the store', async () => {
    const tenant = await service.tenant()
    const store = stores.storeAt(server.endpoint)
    const tested = await stores.call('POST', tenant, '/custom-store/test', store)
    assert.deepEqual(
      tested.body.data.steps.map(({ name, state }: Record<string, string>) => `${name} ${state}`),
      [
        'reach',
        'clock',
        'authenticate',
        'ownership',
        'write',
        'read',
        'multipart',
        'list',
        'delete',
        'cors',
      ].map((name) => `${name} passed`),
      tested.text,
    )
    const unsaved = await stores.call('GET', tenant, '/custom-store')
    assert.deepEqual(unsaved.body.data, { enabled: false, store: null, previous_stores: [] })

    const saved = await stores.call('PUT', tenant, '/custom-store', store)
    assert.equal(saved.status, 200, saved.text)
    const { enabled, store: shown } = saved.body.data
    assert.deepEqual(
      [enabled, shown.endpoint, shown.bucket, shown.prefix, shown.force_path_style, shown.object_count],
      [true, server.endpoint, testBucket, store.prefix, true, 0],
    )
    assert.equal((await stores.call('GET', tenant, '')).body.data.custom_store_enabled, true)
    const again = await stores.call('POST', tenant, '/custom-store/test', {})
    assert.equal(again.body.data.passed, true, again.text)
    const withoutKeys = { endpoint: server.endpoint, bucket: testBucket, prefix: store.prefix, acl: 'none' }
    const changed = await stores.call('PUT', tenant, '/custom-store', withoutKeys)
    assert.deepEqual([changed.status, changed.body.data?.store.acl], [200, 'none'], changed.text)
  })

  const failures = {
    'an unknown access key': [{ access_key_id: 'unknown' }, 'authenticate', /access key does not exist/],
    'a wrong secret key': [{ secret_access_key: 'wrong' }, 'authenticate', /secret key does not belong/],
    'a missing bucket': [
      { bucket: 'missing-bucket' },
      'authenticate',
      /bucket missing-bucket does not exist/,
    ],
    'a closed port': [{ endpoint: 'http://127.0.0.1:2' }, 'reach', /refuses connections/],
    'a private address': [{ endpoint: 'http://10.255.255.1:9000' }, 'reach', /no public address/],
    'an address of the cloud': [{ endpoint: 'http://169.254.169.254' }, 'reach', /no public address/],
    'a mapped private address': [{ endpoint: 'http://[::ffff:10.0.0.1]' }, 'reach', /no public address/],
  } as const
  for (const [description, [fields, step, reason]] of Object.entries(failures))
    test(`saves nothing for ${description} and says what to do`, async () => {
      const tenant = await service.tenant()
      const store = stores.storeAt(server.endpoint, fields)
      const { body } = await stores.call('POST', tenant, '/custom-store/test', store)
      const failed = body.data.steps.find(({ state }: { state: string }) => state === 'failed')
      assert.deepEqual([body.data.passed, failed.name], [false, step])
      assert.match(failed.detail, reason)
      assert.ok(failed.advice.length > 0)
      assert.ok(body.data.steps.some(({ state }: { state: string }) => state === 'skipped'))
      const saved = await stores.call('PUT', tenant, '/custom-store', store)
      assert.deepEqual([saved.status, saved.body.code], [422, 'custom_store.test_failed'])
      assert.match(saved.body.message, reason)
      assert.equal((await stores.call('GET', tenant, '/custom-store')).body.data.store, null)
      assert.equal((await stores.call('GET', tenant, '')).body.data.custom_store_enabled, false)
    })

  test('rejects a location that another application uses', async () => {
    const { store } = await stores.tenantWithStore()
    const other = await service.tenant()
    const used = await stores.call('PUT', other, '/custom-store', store)
    assert.deepEqual([used.status, Object.keys(used.body.errors)], [422, ['prefix']])
    // The same bucket by another address.
    const aliased = await stores.call('PUT', other, '/custom-store', { ...store, endpoint: proxy.url })
    assert.deepEqual([aliased.status, aliased.body.code], [422, 'custom_store.test_failed'])
    assert.match(aliased.body.message, /another application or to another installation/)
  })

  test('requires the keys again for a new endpoint', async () => {
    const tenant = await stores.tenantWithStore()
    const { bucket, prefix } = tenant.store
    const { status, body } = await stores.call('POST', tenant, '/custom-store/test', {
      endpoint: proxy.url,
      bucket,
      prefix,
    })
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['access_key_id', 'secret_access_key']])
  })

  test('stores builds of one application in its store and those of another in the service', async () => {
    const hosted = await service.tenant()
    const custom = await stores.tenantWithStore()
    const own = await uploadedBuild(service, custom, {}, randomBytes(5_000))
    const other = await uploadedBuild(service, hosted, {}, randomBytes(3_000))
    const [fromStore, fromService] = [
      await stores.download(custom, own.build.id),
      await stores.download(hosted, other.build.id),
    ]
    assert.ok(fromStore.url.startsWith(`${server.endpoint}/${testBucket}/${custom.store.prefix}/objects/`))
    assert.ok(!fromService.url.startsWith(`${server.endpoint}/${testBucket}/${custom.store.prefix}/`))
    assert.deepEqual([fromStore.bytes, fromService.bytes], [Buffer.from(own.bytes), Buffer.from(other.bytes)])
    assert.deepEqual(await stores.usage(custom), {
      total_bytes: 5_000,
      hosted_bytes: 0,
      self_hosted_bytes: 5_000,
    })
    assert.deepEqual(await stores.usage(hosted), {
      total_bytes: 3_000,
      hosted_bytes: 3_000,
      self_hosted_bytes: 0,
    })
    const { store } = (await stores.call('GET', custom, '/custom-store')).body.data
    assert.deepEqual([store.object_count, store.total_bytes], [1, 5_000])
  })

  test('lets browsers download from the store on the page of a share link', async () => {
    const tenant = await stores.tenantWithStore()
    const { build, bytes } = await uploadedBuild(service, tenant)
    const { body } = await stores.call('POST', tenant, `/builds/${build.id}/share-links`, {})
    const browser = createBrowser()
    const page = await browser.open(body.data.url)
    const { location = '' } = await browser.submit(page, page.forms[0]?.label ?? '')
    assert.ok(location.startsWith(`${server.endpoint}/`))
    assert.deepEqual(Buffer.from(await (await fetch(location)).arrayBuffer()), Buffer.from(bytes))
  })

  test('uploads in parts, resumes and aborts in the store', async () => {
    const tenant = await stores.tenantWithStore()
    const parts = [randomBytes(5 * 1024 * 1024), randomBytes(1_000)]
    const whole = Buffer.concat(parts)
    const primary_file = { filename: 'app.tar.gz', size_bytes: whole.length }
    const { pending_upload_id } = await requestUpload(service, tenant, { primary_file })
    const key = tenant.applicationKey
    for (const [index, bytes] of parts.entries()) {
      const body = { pending_upload_id, part_number: index + 1, content_length: bytes.length }
      const { status, body: part } = await service.call('POST', '/upload/request/multipart', { key, body })
      assert.equal(status, 200)
      assert.ok(
        part.part_presigned_url.startsWith(`${server.endpoint}/${testBucket}/${tenant.store.prefix}/`),
      )
      assert.equal((await put(part.part_presigned_url, bytes)).status, 200)
      const { body: found } = await service.call('GET', `/upload/${pending_upload_id}`, { key })
      assert.equal(found.data.files[0].parts.length, index + 1)
    }
    const verified = await verify(service, tenant, pending_upload_id)
    assert.equal(verified.status, 200, verified.text)
    const source = { build: verified.body.build, bytes: whole }
    for (const { build, bytes } of [source, await composedBuild(service, tenant, source)])
      assert.deepEqual((await stores.download(tenant, build.id)).bytes, bytes)

    const aborted = await requestUpload(service, tenant)
    assert.equal((await put(aborted.primary_file.presigned_data, randomBytes(1024))).status, 200)
    const body = { pending_upload_id: aborted.pending_upload_id }
    assert.equal((await service.call('POST', '/upload/abort', { key, body })).status, 200)
    assert.equal((await verify(service, tenant, aborted.pending_upload_id)).status, 400)
  })

  test('keeps builds where they are when the store is disabled, enabled, replaced and removed', async () => {
    const tenant = await stores.tenantWithStore()
    const first = await uploadedBuild(service, tenant)
    const started = await requestUpload(service, tenant)
    const disabled = await stores.call('PATCH', tenant, '', { custom_store_enabled: false })
    assert.equal(disabled.body.data.custom_store_enabled, false)
    const second = await uploadedBuild(service, tenant)
    // An upload that was requested before is completed in the store.
    const bytes = randomBytes(1024)
    assert.equal((await put(started.primary_file.presigned_data, bytes)).status, 200)
    const third = await verify(service, tenant, started.pending_upload_id)
    assert.equal(third.status, 200, third.text)
    assert.deepEqual(await stores.usage(tenant), {
      total_bytes: 3_072,
      hosted_bytes: 1_024,
      self_hosted_bytes: 2_048,
    })

    assert.equal((await stores.call('PATCH', tenant, '', { custom_store_enabled: true })).status, 200)
    const replaced = await stores.call('PUT', tenant, '/custom-store', stores.storeAt(server.endpoint))
    assert.deepEqual(
      replaced.body.data.previous_stores.map((store: Store) => [store.prefix, store['object_count']]),
      [[tenant.store.prefix, 2]],
    )
    const fourth = await uploadedBuild(service, tenant)
    const removed = await stores.call('DELETE', tenant, '/custom-store')
    assert.match(removed.body.message, /1 file stays in the store/)
    assert.equal((await stores.call('PATCH', tenant, '', { custom_store_enabled: true })).status, 422)
    assert.match((await stores.call('DELETE', tenant, '/custom-store')).body.message, /has no custom store/)
    await sweepStores(service.deps)

    for (const { build, bytes: expected } of [first, second, fourth, { build: third.body.build, bytes }])
      assert.deepEqual((await stores.download(tenant, build.id)).bytes, Buffer.from(expected))
  })

  test('encrypts the keys again when the master secret is rotated', async () => {
    const tenant = await stores.tenantWithStore()
    const { id } = (await stores.call('GET', tenant, '/custom-store')).body.data.store
    const { db } = service.deps
    const current = (await readFile(join(service.dataDir, 'secret'), 'utf8')).trim()
    const next = 'the next master secret of the tests 0123456789'
    const open = async (secret: string) => {
      const row = await findStore(db, id)
      const text = createSecretBox(secret).open(
        row?.credentials_encrypted ?? new Uint8Array(),
        storeCredentialsContext(id),
      )
      return JSON.parse(text) as { secretAccessKey: string }
    }
    assert.ok((await resealStoreCredentials(db, createSecretBox(next, current))) > 0)
    assert.equal((await open(next)).secretAccessKey, server.secretAccessKey)
    await assert.rejects(open(current))
    await resealStoreCredentials(db, createSecretBox(current, next))
    await uploadedBuild(service, tenant)
  })

  test('exports the files of a store without its settings', async () => {
    const tenant = await stores.tenantWithStore()
    const { bytes } = await uploadedBuild(service, tenant)
    const folder = await mkdtemp(join(tmpdir(), 'quayside-export-'))
    const { workspaceId, applicationId } = tenant
    const { files } = await createExport({
      folder,
      scope: { workspaceId, applicationId },
      config: { dataDir: service.dataDir, publicUrl: service.url },
      connection: service.state.connection,
      storage: service.deps.storage,
      secret: (await readFile(join(service.dataDir, 'secret'), 'utf8')).trim(),
      passphrase: 'a passphrase of the tests',
      onProgress: () => {},
    })
    assert.deepEqual([files.count, files.size_bytes], [1, bytes.length])
    const rows = await readFile(join(folder, 'rows', 'applications.jsonl'), 'utf8')
    assert.equal((JSON.parse(rows) as Record<string, unknown>)['custom_store_enabled'], false)
    await rm(folder, { recursive: true })
  })

  test('never returns, logs or stores the keys in plain text', async () => {
    const secret = server.secretAccessKey
    const tenant = await stores.tenantWithStore()
    const { body: audit } = await service.call('GET', '/workspace/audit-log', { key: tenant.workspaceKey })
    assert.ok(audit.data.some(({ action }: { action: string }) => action === 'custom_store.saved'))
    const { rows: tables } = await sql<{ name: string }>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`.execute(service.deps.db)
    const dump: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(t)::text as row from ${sql.table(name)} as t`.execute(service.deps.db)
      dump.push(...rows.map(({ row }) => row))
    }
    assert.ok(dump.some((row) => row.includes('credentials_encrypted')))
    for (const texts of [dump, stores.responses, logged, [JSON.stringify(audit)]])
      assert.ok(!texts.some((text) => text.includes(secret)), 'the secret key is in plain text')
  })
})
