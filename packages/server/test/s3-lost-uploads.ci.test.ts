import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { acquireLease, releaseLease } from '../src/features/uploads/upload-lease.db.ts'
import { openS3Driver } from '../src/storage/s3/s3-driver.fixture.ts'
import { s3Environment, testBucket, type S3Server } from './acceptance/test-storage.ts'
import { requestPart } from './ci-clients.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { startS3Proxy, type Fault } from './s3-proxy.ts'
import { createTestClient, missingS3Server, sharedS3Server } from './s3-server.ts'
import { until } from './until.ts'
import { put, requestUpload, uploadBody, uploadedBuild, verify } from './uploading.ts'

const partBytes = 5 * 1024 * 1024
const stagedFile = {
  sizeBytes: partBytes + 1000,
  filename: 'app.tar.gz',
  contentType: 'application/gzip',
}

describe('a bucket that loses uploads', { skip: missingS3Server }, () => {
  const prefix = randomUUID()
  let server: S3Server
  let release: () => Promise<void>
  let proxy: Awaited<ReturnType<typeof startS3Proxy>>
  let service: Service
  let tenant: Tenant
  let chooseFault: (request: IncomingMessage) => Fault | undefined = () => undefined

  before(async () => {
    ;({ server, release } = await sharedS3Server())
    proxy = await startS3Proxy(server.endpoint, (request) => chooseFault(request))
    service = await startOwnService({
      environment: s3Environment({ ...server, endpoint: proxy.url }, prefix),
    })
    tenant = await service.tenant()
  })
  after(async () => {
    await service.close()
    await proxy.close()
    await release()
  })

  afterEach(() => {
    chooseFault = () => undefined
  })

  async function listUploads() {
    const client = createTestClient(server)
    const found = await client.send(new ListMultipartUploadsCommand({ Bucket: testBucket, Prefix: prefix }))
    client.destroy()
    return found.Uploads ?? []
  }

  const primary_file = { filename: 'app.tar.gz', size_bytes: partBytes + 1000 }
  const newParts = () => [randomBytes(partBytes), randomBytes(1000)] as const

  const requestPartUrl = (pending_upload_id: string, part_number: number, content_length: number) =>
    service.call('POST', '/upload/request/multipart', {
      key: tenant.applicationKey,
      body: { pending_upload_id, part_number, content_length },
    })

  async function sendPart(id: string, number: number, bytes: Uint8Array): Promise<void> {
    const { body, text } = await requestPartUrl(id, number, bytes.length)
    assert.equal((await put(body.part_presigned_url ?? assert.fail(text), bytes)).status, 200)
  }

  const fileOf = (id: string) =>
    service.deps.db
      .selectFrom('pending_upload_files')
      .selectAll()
      .where('pending_upload_id', '=', id)
      .executeTakeFirstOrThrow()

  /** Seals the file of an upload as a verify call does that is killed before it commits. */
  async function sealWithoutCommit(id: string): Promise<void> {
    const { db, storage } = service.deps
    const { id: fileId, object_key: key, multipart_id } = await fileOf(id)
    const parts = await storage.listStaged(key, multipart_id ?? '')
    const leaseId = randomUUID()
    assert.ok(await acquireLease(db, id, leaseId, [{ fileId, parts }]))
    await storage.seal(key, multipart_id ?? '', parts)
    await releaseLease(db, id, leaseId)
  }

  /** Deletes all unfinished multipart uploads, as a rule of the bucket does. */
  async function dropUploads(): Promise<number> {
    const client = createTestClient(server)
    const found = await client.send(new ListMultipartUploadsCommand({ Bucket: testBucket, Prefix: prefix }))
    for (const { Key, UploadId } of found.Uploads ?? [])
      await client.send(new AbortMultipartUploadCommand({ Bucket: testBucket, Key, UploadId }))
    client.destroy()
    return found.Uploads?.length ?? 0
  }

  test('continues an upload whose parts the store has deleted', async () => {
    const parts = [randomBytes(partBytes), randomBytes(1000)]
    const primary_file = { filename: 'app.tar.gz', size_bytes: partBytes + 1000 }
    const upload = await requestUpload(service, tenant, { primary_file })
    const { pending_upload_id } = upload
    const send = async (part_number: number) => {
      const bytes = parts[part_number - 1] ?? Buffer.alloc(0)
      const part = { pending_upload_id, part_number, content_length: bytes.length }
      return (await put(await requestPart(service, tenant, part), bytes)).status
    }
    assert.equal(await send(1), 200)
    assert.equal(await dropUploads(), 1)
    const resumed = await requestUpload(service, tenant, {
      primary_file,
      resume_pending_upload_id: pending_upload_id,
    })
    assert.equal(resumed.pending_upload_id, pending_upload_id)
    assert.equal(await send(2), 200)
    assert.equal((await verify(service, tenant, pending_upload_id)).status, 400)
    assert.equal(await send(1), 200)
    const { status, text } = await verify(service, tenant, pending_upload_id)
    assert.equal(status, 200, text)
  })

  test('keeps a file that was sealed before its upload could be committed', async () => {
    const [first, second] = newParts()
    const { pending_upload_id: id } = await requestUpload(service, tenant, { primary_file })
    await sendPart(id, 1, first)
    await sendPart(id, 2, second)
    const { multipart_id } = await fileOf(id)
    await sealWithoutCommit(id)
    for (const size of [partBytes, partBytes + 500]) {
      const { status, body } = await requestPartUrl(id, 1, size)
      assert.deepEqual([status, body.code], [409, 'upload.sealed'])
      assert.match(body.message, /Verify the upload again/)
    }
    assert.equal((await fileOf(id)).multipart_id, multipart_id)
    assert.deepEqual(await listUploads(), [])
    const { status, text, body } = await verify(service, tenant, id)
    assert.equal(status, 200, text)
    assert.equal(body.build.primary_file.size_bytes, partBytes + 1000)
  })

  test('verifies a sealed file for which another multipart upload was opened and used', async () => {
    const [first, second] = newParts()
    const { pending_upload_id: id } = await requestUpload(service, tenant, { primary_file })
    await sendPart(id, 1, first)
    await sendPart(id, 2, second)
    const { object_key: key } = await fileOf(id)
    const other = await service.deps.storage.openMultipart({ ...stagedFile, key })
    await sealWithoutCommit(id)
    const { db } = service.deps
    const renamed = db.updateTable('pending_upload_files').set({ multipart_id: other })
    await renamed.where('pending_upload_id', '=', id).execute()
    const part = { multipartId: other, partNumber: 1, sizeBytes: 1000, expiresInSeconds: 60 }
    const url = await service.deps.storage.signPart({ ...stagedFile, key }, part)
    assert.equal((await put(url, second)).status, 200)
    const status = await service.call('GET', `/upload/${id}`, { key: tenant.applicationKey })
    assert.deepEqual(
      status.body.data.files[0].parts.map(({ part_number }: { part_number: number }) => part_number),
      [1, 2],
    )
    const verified = await verify(service, tenant, id)
    assert.equal(verified.status, 200, verified.text)
    await dropUploads()
  })

  test('aborts a multipart upload that the store did not find when it opens another one', async () => {
    const [first, second] = newParts()
    const { pending_upload_id: id } = await requestUpload(service, tenant, { primary_file })
    await sendPart(id, 1, first)
    const { multipart_id } = await fileOf(id)
    chooseFault = ({ method, url = '' }) =>
      method === 'GET' && url.includes('uploadId=') ? 'no-such-upload' : undefined
    assert.equal((await requestPartUrl(id, 2, 1000)).status, 200)
    chooseFault = () => undefined
    const uploads = await listUploads()
    assert.deepEqual([uploads.length, uploads[0]?.UploadId === multipart_id], [1, false])
    await sendPart(id, 1, first)
    await sendPart(id, 2, second)
    assert.equal((await verify(service, tenant, id)).status, 200)
    assert.deepEqual(await listUploads(), [])
  })

  for (const [name, fails] of [
    ['is not writable', ({ method }) => method === 'PUT'],
    ['denies every call', () => true],
  ] as [string, (request: IncomingMessage) => boolean][])
    test(`rejects new and resumed uploads with 503 while the store ${name}`, async () => {
      const { pending_upload_id: id } = await requestUpload(service, tenant, { primary_file })
      const request = (fields: object) =>
        service.call('POST', '/upload/request', {
          key: tenant.applicationKey,
          body: uploadBody({ primary_file, ...fields }),
        })
      const build_id = (await uploadedBuild(service, tenant)).build.id
      const requests = [
        () => request({}),
        () => request({ resume_pending_upload_id: id }),
        () =>
          service.call('POST', '/upload/metadata/request', {
            key: tenant.applicationKey,
            body: { build_id, filename: 'report.xml', size_bytes: 100 },
          }),
      ]
      chooseFault = (sent) => (fails(sent) ? 'deny' : undefined)
      // A successful write is remembered for 30 s.
      await until(
        '/readyz reports the store',
        async () => (await fetch(`${service.url}/readyz`)).status === 503,
        { withinMs: 60_000 },
      )
      // A successful read is remembered for a second.
      await until('uploads are rejected', async () => (await request({})).status === 503)
      for (const send of requests) {
        const { status, body, headers } = await send()
        assert.deepEqual([status, body.code], [503, 'storage.unavailable'])
        assert.ok(Number(headers.get('retry-after')) > 0)
      }
      chooseFault = () => undefined
      await until('uploads are accepted again', async () => (await request({})).status === 200)
      for (const send of requests) assert.equal((await send()).status, 200)
    })

  test('rejects upload requests with 503 while the store cannot be reached', async () => {
    proxy.stop('refuse')
    try {
      await until('upload requests to be rejected', async () => {
        const response = await fetch(`${service.url}/api/v1/upload/request`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tenant.applicationKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(uploadBody()),
        })
        await response.body?.cancel()
        if (response.status !== 503) return false
        assert.ok(Number(response.headers.get('retry-after')) > 0)
        return true
      })
    } finally {
      proxy.heal()
    }
    await until('uploads to be accepted again', async () => {
      const primary_file = { filename: 'app.tar.gz', size_bytes: 10 }
      return (await requestUpload(service, tenant, { primary_file }).catch(() => undefined)) !== undefined
    })
  })

  test('reports a missing bucket as an outage and not as files that have not been uploaded', async (t) => {
    const { driver } = await openS3Driver(t, { bucket: 'no-such-bucket' })
    const calls = [
      () => driver.requireSpace(randomUUID(), 1),
      () => driver.listStaged(randomUUID(), ''),
      () => driver.findSealed(randomUUID()),
    ]
    for (const call of calls)
      await assert.rejects(call, { name: 'Problem', kind: 'unavailable', code: 'storage.unavailable' })
  })
})
