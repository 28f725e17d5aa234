import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { s3Environment, type S3Server } from './acceptance/test-storage.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { completeFaults, isComplete, startS3Proxy } from './s3-proxy.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { put, requestUpload, verify } from './uploading.ts'

const rounds = Number(process.env['QUAYSIDE_S3_ROUNDS'] ?? 12)
const concurrentRounds = 6

describe('uploads to a faulty S3 server', { skip: missingS3Server }, () => {
  let server: S3Server
  let release: () => Promise<void>
  let proxy: Awaited<ReturnType<typeof startS3Proxy>>
  let service: Service
  let tenant: Tenant
  let completeCalls = 0
  let isCompleteFaulty = false

  before(async () => {
    ;({ server, release } = await sharedS3Server())
    proxy = await startS3Proxy(server.endpoint, (request) => {
      if (!isCompleteFaulty || !isComplete(request)) return undefined
      // Two of three calls are faulty, so that repeated calls fail too.
      const call = completeCalls++
      return call % 3 === 2 ? undefined : completeFaults[Math.floor(call / 3) % completeFaults.length]
    })
    service = await startOwnService({
      environment: {
        ...s3Environment({ ...server, endpoint: proxy.url }),
        QUAYSIDE_S3_PUBLIC_ENDPOINT: server.endpoint,
      },
    })
    tenant = await service.tenant()
  })
  after(async () => {
    await service.close()
    await proxy.close()
    await release()
  })

  /** Sends a file as one part and returns the ID of the upload. */
  async function sendPart(bytes: Buffer): Promise<string> {
    const primary_file = { filename: 'app.tar.gz', size_bytes: bytes.length }
    const { pending_upload_id: id } = await requestUpload(service, tenant, { primary_file })
    const body = { pending_upload_id: id, part_number: 1, content_length: bytes.length }
    const signed = await service.call('POST', '/upload/request/multipart', {
      key: tenant.applicationKey,
      body,
    })
    assert.equal(signed.status, 200, signed.text)
    assert.equal((await put(signed.body.part_presigned_url, bytes)).status, 200)
    return id
  }

  async function verifyWithRetries(id: string): Promise<string> {
    const deadline = performance.now() + 15_000
    for (;;) {
      const response = await verify(service, tenant, id)
      if (response.status === 200) return response.body.build_id
      assert.equal(response.status, 503, response.text)
      assert.ok(response.headers.has('retry-after'))
      assert.ok(performance.now() < deadline, 'the upload was not verified within 15 s')
      await pause(50)
    }
  }

  async function downloaded(buildId: string): Promise<Buffer> {
    const path = `/applications/${tenant.applicationId}/builds/${buildId}/download`
    const { body } = await service.call('GET', path, { key: tenant.applicationKey })
    return Buffer.from(await (await fetch(body.primary_file.temp_url)).arrayBuffer())
  }

  async function countBuilds(): Promise<number> {
    const path = `/applications/${tenant.applicationId}/builds`
    return (await service.call('GET', path, { key: tenant.applicationKey })).body.pagination.total
  }

  test('creates exactly one build per upload when responses to completed uploads are lost or false', async () => {
    isCompleteFaulty = true
    for (let first = 0; first < rounds; first += concurrentRounds) {
      const size = Math.min(concurrentRounds, rounds - first)
      await Promise.all(
        Array.from({ length: size }, async () => {
          const bytes = randomBytes(2000)
          const buildId = await verifyWithRetries(await sendPart(bytes))
          assert.deepEqual(await downloaded(buildId), bytes)
        }),
      )
    }
    isCompleteFaulty = false
    assert.ok(completeCalls > rounds)
    assert.equal(await countBuilds(), rounds)
  })

  test('keeps every byte when eight verify calls and an abort run at the same time', async () => {
    const total = await countBuilds()
    let built = 0
    for (let round = 0; round < rounds; round++) {
      const bytes = randomBytes(2000)
      const id = await sendPart(bytes)
      const body = { pending_upload_id: id }
      const aborting = async () => {
        // The abort starts before, between and after the verify calls.
        await pause(round % 8)
        return service.call('POST', '/upload/abort', { key: tenant.applicationKey, body })
      }
      const [aborted, ...verified] = await Promise.all([
        round % 2 === 0 ? undefined : aborting(),
        ...Array.from({ length: 8 }, () => verify(service, tenant, id)),
      ])
      const successes = verified.filter(({ status }) => status === 200)
      assert.ok(successes.length === 8 || successes.length === 0, verified.map(({ text }) => text).join('\n'))
      assert.equal(aborted?.status === 200, successes.length === 0)
      if (successes.length === 0) continue
      built++
      assert.deepEqual(await downloaded(successes[0]?.body.build_id), bytes)
    }
    assert.equal(await countBuilds(), total + built)
  })

  for (const mode of ['refuse', 'hang'] as const) {
    test(`responds with 503 while S3 does not work and recovers within 5 s (${mode})`, async () => {
      const bytes = randomBytes(2000)
      const id = await sendPart(bytes)
      proxy.stop(mode)
      const calls = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const startedAt = performance.now()
          const response =
            index % 2 === 0
              ? await verify(service, tenant, id)
              : await service.call('GET', `/upload/${id}`, { key: tenant.applicationKey })
          return { response, seconds: (performance.now() - startedAt) / 1000 }
        }),
      )
      for (const { response, seconds } of calls) {
        assert.equal(response.status, 503, response.text)
        assert.ok(Number(response.headers.get('retry-after')) > 0)
        assert.ok(seconds < 15, `responded after ${seconds} s`)
      }
      assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
      assert.equal((await fetch(`${service.url}/livez`)).status, 200)
      proxy.heal()
      const healedAt = performance.now()
      const buildId = await verifyWithRetries(id)
      assert.ok(performance.now() - healedAt < 5000)
      assert.deepEqual(await downloaded(buildId), bytes)
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
    })
  }
})
