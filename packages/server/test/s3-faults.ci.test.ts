import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { s3Environment, type S3Server } from './acceptance/test-storage.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { completeFaults, isComplete, startS3Proxy } from './s3-proxy.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { startStopwatch } from './stopwatch.ts'
import { until } from './until.ts'
import { put, requestUpload, uploadBody, verify } from './uploading.ts'

const rounds = Number(process.env['QUAYSIDE_S3_ROUNDS'] ?? 12)
const stops = Number(process.env['QUAYSIDE_S3_STOPS'] ?? 2)
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
    return until('the upload is verified', async () => {
      const response = await verify(service, tenant, id)
      if (response.status === 200) return response.body.build_id as string
      assert.equal(response.status, 503, response.text)
      assert.ok(response.headers.has('retry-after'))
      return undefined
    })
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

  test('responds only with 503 while S3 is stopped under load, and recovers within 5 s', async () => {
    const faults: string[] = []
    const acknowledged = new Map<string, Buffer>()
    const loading = new AbortController()
    const key = tenant.applicationKey

    /** Sends a request and records a response that clients cannot retry or that took too long. */
    async function call(method: string, path: string, body?: unknown) {
      using stopwatch = startStopwatch()
      const response = await service.call(method, path, { key, ...(body === undefined ? {} : { body }) })
      const seconds = stopwatch.elapsedMs() / 1000
      const isRetryable = response.status === 503 && Number(response.headers.get('retry-after')) > 0
      if (!isRetryable && response.status >= 300) faults.push(`${path}: ${response.status} ${response.text}`)
      if (seconds > 15) faults.push(`${path} took ${seconds} s`)
      return response.status < 300 ? response.body : undefined
    }

    async function uploadOnce(): Promise<void> {
      const bytes = randomBytes(2000)
      const primary_file = { filename: 'app.tar.gz', size_bytes: bytes.length }
      const requested = await call('POST', '/upload/request', uploadBody({ primary_file }))
      if (requested === undefined) return
      const id = requested.pending_upload_id
      const { status } = await put(requested.primary_file.presigned_data, bytes)
      if (status !== 200) faults.push(`the PUT to S3 got ${status}`)
      for (let verified; verified === undefined && !loading.signal.aborted;) {
        await call('GET', `/upload/${id}`)
        verified = await call('POST', '/upload/verify', { pending_upload_id: id })
        if (verified !== undefined) acknowledged.set(verified.build_id, bytes)
        else await pause(100)
      }
    }

    const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200
    const workers = Array.from({ length: 4 }, async () => {
      while (!loading.signal.aborted) await uploadOnce()
    })
    for (let stop = 0; stop < stops; stop++) {
      await pause(500)
      const mode = stop % 2 === 0 ? 'refuse' : 'hang'
      proxy.stop(mode)
      // Calls that are waiting for a response are aborted after 10 s.
      await pause(mode === 'refuse' ? 500 : 10_500)
      assert.equal(await isReady(), false)
      assert.equal((await fetch(`${service.url}/livez`)).status, 200)
      const before = acknowledged.size
      proxy.heal()
      using stopwatch = startStopwatch()
      while (acknowledged.size === before && stopwatch.elapsedMs() < 5_000) await pause(20)
      assert.ok(acknowledged.size > before, 'no upload was verified within 5 s')
      // A check that began while S3 was stopped also answers requests that arrive later.
      while (!(await isReady()) && stopwatch.elapsedMs() < 5_000) await pause(20)
      assert.ok(await isReady(), 'the service is not ready after 5 s')
    }
    loading.abort()
    await Promise.all(workers)
    assert.deepEqual(faults, [])
    for (const [id, bytes] of acknowledged) assert.deepEqual(await downloaded(id), bytes)
  })
})
