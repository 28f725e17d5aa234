import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service } from '../../../test/harness.ts'
import { createRateLimits } from './rate-limits.ts'
import { createWindowCounter } from './window-counter.ts'

const caller = { via: 'api-key', id: 'key', workspaceId: 'ws' } as const

describe('rate limit budgets', () => {
  const clock = { time: 0 }
  const settings = { rateLimit: 2, bootstrapRateLimit: 0, sessionRateLimit: 4, downloadRateLimit: 1 }
  const limits = () =>
    createRateLimits(settings, (_name, options) => createWindowCounter({ ...options, now: () => clock.time }))

  test('returns the number of remaining requests and the retry delay in headers', () => {
    const { charge } = limits()
    assert.deepEqual(charge(caller, 'requests', undefined), {
      headers: { 'ratelimit-policy': '"requests";q=2;w=60', ratelimit: '"requests";r=1;t=60' },
    })
    assert.equal(charge(caller, 'requests', undefined).problem, undefined)
    const { headers, problem } = charge(caller, 'requests', undefined)
    assert.equal(headers['ratelimit'], '"requests";r=0;t=60')
    assert.equal(problem?.status, 429)
    assert.equal(problem.headers['retry-after'], '60')
    clock.time += 60_000
    assert.equal(charge(caller, 'requests', undefined).problem, undefined)
  })

  test('counts upload requests separately and allows ten times as many as other requests', () => {
    const { charge } = limits()
    for (let call = 0; call < 20; call++)
      assert.equal(charge(caller, 'uploads', undefined).problem, undefined)
    assert.equal(charge(caller, 'uploads', undefined).problem?.code, 'rate.exceeded')
    assert.equal(charge(caller, 'requests', undefined).problem, undefined)
  })

  test('counts the requests of a signed-in user separately from those of API keys', () => {
    const { charge } = limits()
    const user = { via: 'session', id: 'user', workspaceId: 'ws' } as const
    charge(caller, 'requests', undefined)
    const { headers } = charge(user, 'requests', undefined)
    assert.equal(headers['ratelimit'], '"requests";r=3;t=60')
    for (let call = 0; call < 3; call++) charge(user, 'requests', undefined)
    const { problem } = charge(user, 'requests', undefined)
    assert.match(problem?.message ?? '', /^Too many requests by this user: the limit is 4 per minute\./)
    assert.equal(charge(caller, 'requests', undefined).problem, undefined)
  })

  test('limits downloads per application and allows twice as many per workspace', () => {
    const { charge } = limits()
    const download = (id: string, application: string) => charge({ ...caller, id }, 'downloads', application)
    assert.equal(download('a', 'app1').problem, undefined)
    assert.match(
      download('b', 'app1').problem?.message ?? '',
      /^Too many downloads of this application: the limit is 1 per minute/,
    )
    assert.equal(download('c', 'app2').problem, undefined)
    assert.match(
      download('d', 'app3').problem?.message ?? '',
      /^Too many downloads of this workspace: the limit is 2 per minute/,
    )
  })

  test('does not limit the bootstrap key or return rate limit headers for it if its limit is 0', () => {
    const { charge } = limits()
    for (let call = 0; call < 50; call++)
      assert.deepEqual(charge({ ...caller, via: 'bootstrap-key', id: null }, 'requests', undefined), {
        headers: {},
      })
  })
})

describe('rate limits over HTTP', () => {
  let service: Service
  before(async () => {
    const environment = {
      QUAYSIDE_RATE_LIMIT: '8',
      QUAYSIDE_BOOTSTRAP_RATE_LIMIT: '0',
      QUAYSIDE_DOWNLOAD_RATE_LIMIT: '3',
    }
    service = await startService({ environment })
  })
  after(() => service.close())

  test('serves 8 of 30 concurrent requests and returns 429 for the rest if the limit is 8 per minute', async () => {
    const { workspaceId } = await service.tenant()
    const key = await service.key(workspaceId, null, ['applications:read'])
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => service.call('GET', '/applications', { key })),
    )
    assert.equal(responses.filter(({ status }) => status === 200).length, 8)
    const refused = responses.filter(({ status }) => status === 429)
    assert.equal(refused.length, 22)
    for (const { headers, body } of refused) {
      assert.match(
        body.message,
        /^Too many requests with this key: the limit is 8 per minute\. Try again in \d+ seconds?\.$/,
      )
      assert.equal(headers.get('retry-after'), /t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
  })

  test('checks authentication before the rate limit and the rate limit before scopes', async () => {
    const { workspaceId, applicationId } = await service.tenant()
    const key = await service.key(workspaceId, null, ['members:read'])
    const path = `/applications/${applicationId}`
    for (let call = 0; call < 8; call++) assert.equal((await service.call('GET', path, { key })).status, 403)
    assert.equal((await service.call('GET', path, { key })).status, 429)
    assert.equal((await service.call('GET', path, { key: 'x' })).status, 401)
  })

  test('does not reject other requests when the download budget is exhausted', async () => {
    const { applicationId, applicationKey } = await service.tenant()
    const path = `/applications/${applicationId}/builds/none/download`
    for (let call = 0; call < 3; call++)
      assert.equal((await service.call('GET', path, { key: applicationKey })).status, 404)
    const refused = await service.call('GET', path, { key: applicationKey })
    assert.equal(refused.status, 429)
    assert.equal(
      refused.headers.get('ratelimit-policy'),
      '"requests";q=8;w=60, "application-downloads";q=3;w=60',
    )
    assert.equal(
      (await service.call('GET', `/applications/${applicationId}`, { key: applicationKey })).status,
      200,
    )
  })
})
