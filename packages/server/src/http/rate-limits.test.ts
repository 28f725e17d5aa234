import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service } from '../../test/harness.ts'
import { createRateLimits } from './rate-limits.ts'

const caller = { via: 'api-key', keyId: 'key', workspaceId: 'ws' } as const

describe('budgets', () => {
  const clock = { time: 0 }
  const settings = { rateLimit: 2, bootstrapRateLimit: 0, downloadRateLimit: 1 }
  const limits = () => createRateLimits(settings, () => clock.time)

  test('requests of a key, one more than allowed, say what is left and when to come back', () => {
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

  test('upload calls, ten for each request, are counted apart', () => {
    const { charge } = limits()
    for (let call = 0; call < 20; call++)
      assert.equal(charge(caller, 'uploads', undefined).problem, undefined)
    assert.equal(charge(caller, 'uploads', undefined).problem?.code, 'rate.exceeded')
    assert.equal(charge(caller, 'requests', undefined).problem, undefined)
  })

  test('downloads, by many keys, are limited an application and twice that a workspace', () => {
    const { charge } = limits()
    const by = (keyId: string, application: string) => charge({ ...caller, keyId }, 'downloads', application)
    assert.equal(by('a', 'app1').problem, undefined)
    assert.match(
      by('b', 'app1').problem?.message ?? '',
      /^Too many downloads of this application: 1 a minute/,
    )
    assert.equal(by('c', 'app2').problem, undefined)
    assert.match(by('d', 'app3').problem?.message ?? '', /^Too many downloads of this workspace: 2 a minute/)
  })

  test('the bootstrap key, without a limit of its own, is never refused and gets no headers', () => {
    const { charge } = limits()
    for (let call = 0; call < 50; call++)
      assert.deepEqual(charge({ ...caller, via: 'bootstrap-key', keyId: null }, 'requests', undefined), {
        headers: {},
      })
  })
})

describe('over HTTP', () => {
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

  test('a key, 30 requests at once, 8 are answered and the rest are 429 in JSON', async () => {
    const { workspaceId } = await service.tenant()
    const key = await service.key(workspaceId, null, ['applications:read'])
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => service.call('GET', '/applications', { key })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 8)
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(refused.length, 22)
    for (const { headers, body } of refused) {
      assert.match(
        body.message,
        /^Too many requests of this key: 8 a minute are allowed\. Try again in \d+ seconds?\.$/,
      )
      assert.equal(headers.get('retry-after'), /t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
  })

  test('a spent key, a call without its scope, is 429 before 403; no key is 401 before 429', async () => {
    const { workspaceId, applicationId } = await service.tenant()
    const key = await service.key(workspaceId, null, ['members:read'])
    const path = `/applications/${applicationId}`
    for (let call = 0; call < 8; call++) assert.equal((await service.call('GET', path, { key })).status, 403)
    assert.equal((await service.call('GET', path, { key })).status, 429)
    assert.equal((await service.call('GET', path, { key: 'x' })).status, 401)
  })

  test('downloads, more than an application may have, are 429 and other reads go on', async () => {
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
