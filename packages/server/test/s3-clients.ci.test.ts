import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { s3Environment } from './acceptance/test-storage.ts'
import { putFramed, requestPart, uploadLikePlugin, type Framing } from './ci-clients.ts'
import { createCustomStoreTests } from './custom-stores.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { compileJavaClient, missingJdk } from './java-client.ts'
import { assertRanges, receiveParts } from './multipart-ranges.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { requestUpload, uploadedBuild, verify } from './uploading.ts'

const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte
const settings = {
  QUAYSIDE_CHUNK_THRESHOLD_MB: '6',
  QUAYSIDE_PART_SIZE_MB: '5',
  QUAYSIDE_CUSTOM_STORE_ALLOW_PRIVATE: '127.0.0.0/8',
}
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('clients of S3', { skip: missingS3Server, concurrency: 2 }, () => {
  let release: () => Promise<void>
  const services: Service[] = []
  const stores = new Map<string, { service: Service; tenant: Tenant }>()

  before(async () => {
    const shared = await sharedS3Server()
    release = shared.release
    const inS3 = await startOwnService({ environment: { ...s3Environment(shared.server), ...settings } })
    const inFolder = await startOwnService({ environment: { ...settings, QUAYSIDE_STORAGE: 'local' } })
    services.push(inS3, inFolder)
    const { tenantWithStore } = createCustomStoreTests(inFolder, shared.server)
    stores.set('S3', { service: inS3, tenant: await inS3.tenant() })
    stores.set('a custom store', { service: inFolder, tenant: await tenantWithStore() })
    stores.set('a folder', { service: inFolder, tenant: await inFolder.tenant() })
  })
  after(async () => {
    for (const service of services) await service.close()
    await release()
  })

  function storeOf(name: string) {
    const store = stores.get(name)
    assert.ok(store)
    return store
  }

  async function downloadUrl(name: string, buildId: string): Promise<string> {
    const { service, tenant } = storeOf(name)
    const path = `/applications/${tenant.applicationId}/builds/${buildId}/download`
    const { body } = await service.call('GET', path, { key: tenant.applicationKey })
    return body.primary_file.temp_url
  }

  const clients: { source: string; parts: Framing }[] = [
    { source: 'jenkins', parts: 'Content-Length and Transfer-Encoding: chunked' },
    { source: 'jenkins', parts: 'Transfer-Encoding: chunked' },
    { source: 'azure-devops', parts: 'Content-Length' },
    { source: 'ghactions', parts: 'Content-Length' },
  ]
  const sizes = [1, 5 * mebibyte, 6 * mebibyte, 11 * mebibyte + 7]
  for (const name of ['S3', 'a custom store', 'a folder'])
    for (const client of clients)
      test(`stores builds of the ${client.source} plugin in ${name} (parts with ${client.parts})`, async () => {
        const { service, tenant } = storeOf(name)
        for (const size of sizes) {
          const bytes = randomBytes(size)
          const { build } = await uploadLikePlugin(service, tenant, client, bytes)
          assert.equal(build.primary_file.checksum_sha256, sha256(bytes))
          const response = await fetch(await downloadUrl(name, build.id))
          assert.equal(response.status, 200)
          assert.equal(md5(Buffer.from(await response.arrayBuffer())), md5(bytes))
        }
      })

  for (const name of ['S3', 'a custom store', 'a folder'])
    test(
      `stores what the HttpClient of Java sends to ${name} in one PUT and in parts`,
      {
        skip: missingJdk,
      },
      async () => {
        const { service, tenant } = storeOf(name)
        const java = await compileJavaClient()
        try {
          const whole = randomBytes(3 * mebibyte)
          const parts = [randomBytes(5 * mebibyte), randomBytes(1001)]
          for (const pieces of [[whole], parts]) {
            const bytes = Buffer.concat(pieces)
            const upload = await requestUpload(service, tenant, {
              source: 'jenkins',
              primary_file: { filename: 'app.tar.gz', size_bytes: bytes.length },
            })
            const { pending_upload_id, primary_file } = upload
            const chunks: { PartNumber: number; ETag: string }[] = []
            for (const [index, piece] of pieces.entries()) {
              const part = { pending_upload_id, part_number: index + 1, content_length: piece.length }
              const { status, etag, text } =
                pieces.length === 1
                  ? await java.put(
                      primary_file.presigned_data.url,
                      piece,
                      'Content-Length',
                      primary_file.presigned_data.headers,
                    )
                  : await java.put(
                      await requestPart(service, tenant, part),
                      piece,
                      index === 0
                        ? 'Content-Length and Transfer-Encoding: chunked'
                        : 'Transfer-Encoding: chunked',
                    )
              assert.equal(status, 200, text)
              assert.equal(etag, `"${md5(piece)}"`)
              chunks.push({ PartNumber: index + 1, ETag: etag })
            }
            const verified = await verify(
              service,
              tenant,
              pending_upload_id,
              pieces.length === 1 ? undefined : chunks,
            )
            assert.equal(verified.status, 200, verified.text)
            const response = await fetch(await downloadUrl(name, verified.body.build.id))
            assert.equal(md5(Buffer.from(await response.arrayBuffer())), md5(bytes))
          }
        } finally {
          await java.remove()
        }
      },
    )

  test('recommends parts to Jenkins for a file in S3 only above 5 GiB', async () => {
    for (const [name, source, size_bytes, isChunked] of [
      ['S3', 'jenkins', 5 * gibibyte, false],
      ['S3', 'jenkins', 5 * gibibyte + 1, true],
      ['S3', 'azure-devops', 6 * mebibyte, true],
      ['a custom store', 'jenkins', 5 * gibibyte, false],
      ['a custom store', 'jenkins', 5 * gibibyte + 1, true],
      ['a folder', 'jenkins', 6 * mebibyte, true],
    ] as const) {
      const { service, tenant } = storeOf(name)
      const primary_file = { filename: 'app.tar.gz', size_bytes }
      // The folder of this machine may have less free space than the size of the file.
      const upload = await requestUpload(service, tenant, { source, primary_file })
      assert.equal(upload.primary_file.chunked_upload, isChunked, `${name} ${source} ${size_bytes}`)
    }
  })

  for (const name of ['S3', 'a custom store'])
    test(`accepts chunked parts of Jenkins in ${name}, also after a failed attempt`, async () => {
      const { service, tenant } = storeOf(name)
      const parts = [randomBytes(5 * mebibyte), randomBytes(1000)]
      const upload = await requestUpload(service, tenant, {
        source: 'jenkins',
        primary_file: { filename: 'app.tar.gz', size_bytes: 5 * mebibyte + 1000 },
      })
      const { pending_upload_id } = upload
      const urlOf = (part_number: number) =>
        requestPart(service, tenant, {
          pending_upload_id,
          part_number,
          content_length: parts[part_number - 1]?.length ?? 0,
        })
      const framing: Framing = 'Content-Length and Transfer-Encoding: chunked'
      for (const [bytes, status] of [
        [randomBytes(999), 400],
        [randomBytes(1001), 413],
      ] as const)
        assert.equal((await putFramed(await urlOf(2), bytes, 'Transfer-Encoding: chunked')).status, status)
      const chunks: { PartNumber: number; ETag: string }[] = []
      for (const [index, bytes] of parts.entries()) {
        const { status, etag, text } = await putFramed(await urlOf(index + 1), bytes, framing)
        assert.equal(status, 200, text)
        assert.equal(etag, `"${md5(bytes)}"`)
        chunks.push({ PartNumber: index + 1, ETag: etag })
      }
      const late = await urlOf(2)
      const verified = await verify(service, tenant, pending_upload_id, chunks)
      assert.equal(verified.status, 200, verified.text)
      assert.equal(verified.body.build.primary_file.checksum_md5, md5(Buffer.concat(parts)))
      assert.equal((await putFramed(late, randomBytes(1000), framing)).status, 409)
      assert.equal((await putFramed(`${late}x`, randomBytes(1000), framing)).status, 403)
    })

  for (const name of ['S3', 'a custom store', 'a folder'])
    test(`sends several ranges of a build in ${name}, and headers to HEAD`, async () => {
      const { service, tenant } = storeOf(name)
      const bytes = randomBytes(4 * mebibyte)
      const { build } = await uploadedBuild(service, tenant, {}, bytes)
      const url = await downloadUrl(name, build.id)
      const get = (range: string, headers = {}) => fetch(url, { headers: { range, ...headers } })
      const ranges = [
        [2_000_000, 3_100_000],
        [0, 0],
        [100, 199],
        [150, 249],
        [70_000, 80_000],
        [bytes.length - 5, bytes.length - 1],
      ] as const
      const header = `bytes=${ranges.map((range) => range.join('-')).join(', ')}`
      assertRanges(await receiveParts(await get(header)), ranges, bytes)
      const many = Array.from(
        { length: 1000 },
        (_, index) => [index * 3000 + 1_000_000, index * 3000 + 1_000_099] as const,
      )
      const manyHeader = `bytes=${many.map((range) => range.join('-')).join(', ')}`
      assert.ok(manyHeader.length > 16 * 1024)
      assertRanges(await receiveParts(await get(manyHeader)), many, bytes)

      const head = await fetch(url, { method: 'HEAD' })
      assert.equal(head.status, 200)
      assert.equal(head.headers.get('content-length'), String(bytes.length))
      assert.equal(head.headers.get('accept-ranges'), 'bytes')
      const whole = await fetch(url)
      assert.equal(whole.headers.get('etag'), head.headers.get('etag'))
      assert.equal(md5(Buffer.from(await whole.arrayBuffer())), md5(bytes))
      const etag = head.headers.get('etag') ?? ''
      assertRanges(
        await receiveParts(await get('bytes=0-1,5-6', { 'if-range': etag })),
        [
          [0, 1],
          [5, 6],
        ],
        bytes,
      )
      const single = await get('bytes=10-19')
      assert.equal(single.status, 206)
      assert.ok(Buffer.from(await single.arrayBuffer()).equals(bytes.subarray(10, 20)))
      assert.equal((await get(`bytes=${bytes.length}-, -0`)).status, 416)
      for (const refused of [`bytes=0-${bytes.length}, 0-0`, 'bytes=0-1,x', 'bytes=9-5,0-1']) {
        const response = await get(refused)
        assert.equal(response.status, 200, refused)
        assert.equal(md5(Buffer.from(await response.arrayBuffer())), md5(bytes))
      }
      assert.equal((await fetch(`${url}x`, { method: 'HEAD' })).status, 403)
    })

  for (const name of ['S3', 'a folder'])
    test(`follows redirects of share links and the API with several ranges and HEAD to ${name}`, async () => {
      const { service, tenant } = storeOf(name)
      const bytes = randomBytes(100_000)
      const { build } = await uploadedBuild(service, tenant, {}, bytes)
      const path = `/applications/${tenant.applicationId}/builds/${build.id}`
      const { body } = await service.call('POST', `${path}/share-links`, {
        key: tenant.workspaceKey,
        body: {},
      })
      const link = body.data
      const range = 'bytes=50000-50009, 0-9'
      const ranges = [
        [50_000, 50_009],
        [0, 9],
      ] as const
      const shared = await fetch(
        `${service.url}/api/v1/public/share-links/${link.id}/${link.url.split('/').at(-1)}/download`,
        {
          headers: { range },
        },
      )
      assertRanges(await receiveParts(shared), ranges, bytes)
      const headers = { authorization: `Bearer ${tenant.applicationKey}` }
      const file = `${service.url}/api/v1${path}/file`
      assertRanges(await receiveParts(await fetch(file, { headers: { ...headers, range } })), ranges, bytes)
      const head = await fetch(file, { method: 'HEAD', headers })
      assert.equal(head.status, 200)
      assert.equal(head.headers.get('content-length'), '100000')
      const downloads = await service.call('GET', `${path}/downloads`, { key: tenant.workspaceKey })
      assert.deepEqual(downloads.body.data.map(({ channel }: { channel: string }) => channel).toSorted(), [
        'api',
        'share-link',
      ])
    })
})
