import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { put, uploadBody } from '../../../test/uploading.ts'
import { sweepPublisherKeys } from '../../features/api-keys/delete-expired-keys.job.ts'
import { clock, createPublisher, publishersPath } from './exchange.fixture.ts'

describe('exchange token', () => {
  let service: Service
  const minuteMs = 60_000

  before(async () => {
    service = await startService({ clock })
  })
  afterEach(() => {
    clock.offsetMs = 0
    clock.setBackMs = 0
  })
  after(() => service.close())

  const listKeys = ({ applicationId, workspaceKey: key }: Tenant) =>
    service.call('GET', `/applications/${applicationId}/api-keys`, { key })

  const findKey = async (tenant: Tenant, key: string) =>
    (await listKeys(tenant)).body.data.find(({ prefix }: { prefix: string }) => prefix === key.slice(0, 8))

  const uploadWith = (key: string, primary_file = { filename: 'app.tar.gz', size_bytes: 64 }) =>
    service.call('POST', '/upload/request', { key, body: uploadBody({ primary_file }) })

  test('exchanges a token from a trusted CI run for an API key that can upload a build', async () => {
    const { tenant, id, token, exchange } = await createPublisher(service)
    const run = {
      run_id: '77',
      workflow_ref: 'acme/app/.github/workflows/a.yml@refs/heads/main',
      secret: 'x',
    }
    const requestedAt = clock.now().getTime()
    const { status, body, text } = await exchange(token(run))
    assert.equal(status, 201, text)
    const { key, expires_at, ...rest } = body.data
    assert.deepEqual(rest, { scopes: ['builds:create'], application_id: tenant.applicationId })
    assert.match(key, /^qsa_/)
    const keyLifetimeMs = Date.parse(expires_at) - requestedAt
    assert.ok(keyLifetimeMs >= 15 * minuteMs && keyLifetimeMs < 16 * minuteMs, `${keyLifetimeMs}`)

    const bytes = randomBytes(64)
    const upload = await uploadWith(key)
    assert.equal((await put(upload.body.primary_file.presigned_data, bytes)).status, 200)
    const pending = { pending_upload_id: upload.body.pending_upload_id }
    const verified = await service.call('POST', '/upload/verify', { key, body: pending })
    assert.equal(verified.status, 200, verified.text)
    const home = `/applications/${tenant.applicationId}`
    for (const [method, path, expected] of [
      ['GET', `${home}/builds`, 200],
      ['DELETE', `${home}/builds/${verified.body.build_id}`, 403],
      ['GET', `${home}/releases`, 403],
      ['GET', `${home}/streams`, 403],
      ['GET', `${home}/trusted-publishers`, 403],
      ['POST', `${home}/api-keys`, 403],
      ['GET', '/workspace/members', 403],
      ['GET', `/applications/${(await service.tenant()).applicationId}/builds`, 404],
    ] as const)
      assert.equal((await service.call(method, path, { key })).status, expected, path)

    const listed = await findKey(tenant, key)
    assert.equal(listed.name, 'Main: "repo:acme/app:ref:refs/heads/main"')
    assert.deepEqual([listed.created_by, listed.kind, listed.expires_at], [null, 'application', expires_at])
    const entry = await auditEntry(service, listed.id)
    assert.deepEqual([entry.action, entry.actor_kind], ['api_key.created', 'system'])
    const { claims, trusted_publisher_ids } = entry.after as {
      claims: Record<string, string>
      trusted_publisher_ids: string[]
    }
    assert.deepEqual(trusted_publisher_ids, [id])
    assert.deepEqual(
      [claims['run_id'], claims['repository'], claims['secret']],
      ['77', 'acme/app', undefined],
    )
  })

  test('expires an issued API key after 15 minutes and deletes it a week later', async () => {
    const { tenant, token, exchange } = await createPublisher(service)
    const { key } = (await exchange(token())).body.data
    const keyCount = async () => (await listKeys(tenant)).body.pagination.total
    const before = await keyCount()
    clock.offsetMs = 14.9 * minuteMs
    assert.equal((await uploadWith(key)).status, 200)
    clock.offsetMs = 15.1 * minuteMs
    assert.equal((await uploadWith(key)).status, 401)
    clock.offsetMs = 0
    const sweepWhenExpiredFor = async (minutes: number) => {
      await sql`update api_keys set created_at = created_at - interval '30 days',
      expires_at = now() - make_interval(mins => ${minutes}::int)
      where token_sha256 is not null and application_id = ${tenant.applicationId}`.execute(service.deps.db)
      await sweepPublisherKeys.handle(service.deps, {}, new AbortController().signal)
    }
    await sweepWhenExpiredFor(7 * 24 * 60 - 1)
    assert.equal(await keyCount(), before)
    await sweepWhenExpiredFor(7 * 24 * 60 + 1)
    assert.equal(await keyCount(), before - 1)
  })

  test('identifies the mismatched claim in the error for a rejected token', async () => {
    const { token, exchange, exchangeWithoutApplication } = await createPublisher(service)
    for (const [claims, difference] of [
      [{ aud: 'https://other.example.com' }, '`aud` is "https://other.example.com"'],
      [{ aud: undefined }, '`aud` is missing'],
      [{ aud: ['a', 'b'] }, '`aud` is "a", "b"'],
      [{ aud: `${service.url}/` }, `\`aud\` is "${service.url}/"`],
      [{ ref: 'refs/heads/dev' }, '`ref` is "refs/heads/dev"'],
      [{ ref: ['refs/heads/dev', 7] }, '`ref` is "refs/heads/dev", "7"'],
      [{ ref: { a: 1 } }, '`ref` is not a string, number or boolean'],
      [{ ref: undefined }, '`ref` is missing'],
    ] as [Record<string, unknown>, string][]) {
      const { status, body } = await exchange(token(claims))
      assert.equal(status, 403)
      assert.equal(
        body.message,
        `The trusted publisher "Main" does not match this token: ${difference}. Change the workflow or the trusted publisher.`,
      )
    }
    const undetailed = await exchangeWithoutApplication(token({ ref: 'refs/heads/dev' }))
    assert.deepEqual([undetailed.status, undetailed.body.code], [403, 'oidc.not_trusted'])
    for (const claims of [{ aud: ['x', service.url] }, { ref: ['x', 'refs/heads/main'] }])
      assert.equal((await exchange(token(claims))).status, 201)
  })

  test('returns the same error for an untrusted token whether or not the application exists', async () => {
    const { issuer, tenant, token, exchange, exchangeWithoutApplication } = await createPublisher(service)
    const trustsNobody = await service.tenant()
    const text = issuer.token({
      sub: 'repo:evil/app:x',
      repository: 'evil/app',
      ref: 'refs/heads/main',
      aud: service.url,
    })
    const responses = []
    for (const id of [tenant.applicationId, trustsNobody.applicationId, 'nothing', '', '__proto__'])
      responses.push(await exchange(text, id))
    const unknown = token({ iss: 'https://issuer.example.com', repository: 'evil/app' })
    const without = [await exchangeWithoutApplication(text), await exchangeWithoutApplication(unknown)]
    for (const { status, body } of responses) {
      assert.equal(status, 404)
      assert.deepEqual({ ...body, request_id: '' }, { ...responses[0]!.body, request_id: '' })
      assert.ok(!JSON.stringify(body).includes('Main'))
    }
    assert.deepEqual(
      without.map(({ status, body }) => [status, body.code]),
      [
        [403, 'oidc.not_trusted'],
        [403, 'oidc.not_trusted'],
      ],
    )
  })

  test('requires application_id when two applications trust the same token', async () => {
    const { tenant, trust, token, exchange, exchangeWithoutApplication } = await createPublisher(service)
    const alone = await exchangeWithoutApplication(token())
    assert.deepEqual([alone.status, alone.body.data.application_id], [201, tenant.applicationId])
    const other = await service.tenant()
    await trust({}, other)
    const both = await exchangeWithoutApplication(token())
    assert.deepEqual([both.status, both.body.code], [409, 'oidc.ambiguous'])
    for (const id of [tenant.applicationId, other.applicationId])
      assert.equal((await exchange(token(), id)).body.data.application_id, id)
  })

  test('combines the scopes of all matching publishers and revokes the key when any of them is deleted', async () => {
    const { tenant, id, trust, token, exchange } = await createPublisher(service)
    const second = await trust({
      name: 'Releases',
      claims: { ref: 'refs/heads/main' },
      scopes: ['releases:create'],
    })
    await trust({ name: 'Tags', claims: { ref: 'refs/tags/*' }, scopes: ['webhooks:write'] })
    for (const deletedId of [second, id]) {
      const { key, scopes } = (await exchange(token())).body.data
      assert.deepEqual(
        scopes,
        deletedId === second ? ['builds:create', 'releases:create'] : ['builds:create'],
      )
      assert.equal((await uploadWith(key)).status, 200)
      await service.call('DELETE', `${publishersPath(tenant)}/${deletedId}`, { key: tenant.workspaceKey })
      await until('the key is rejected', async () => (await uploadWith(key)).status === 401)
    }
    assert.equal((await exchange(token())).status, 404)
  })

  test('revokes issued keys when the claims of a publisher change but not when the publisher is renamed', async () => {
    const { tenant, id, token, exchange } = await createPublisher(service)
    const { key } = (await exchange(token())).body.data
    const change = (body: object) =>
      service.call('PATCH', `${publishersPath(tenant)}/${id}`, { key: tenant.workspaceKey, body })
    const revokedAt = async () => (await findKey(tenant, key)).revoked_at
    await change({ name: 'Renamed' })
    assert.equal(await revokedAt(), null)
    await change({ claims: { repository: 'acme/app', ref: 'refs/heads/next' } })
    assert.notEqual(await revokedAt(), null)
    assert.equal((await exchange(token())).status, 403)
    assert.equal((await exchange(token({ ref: 'refs/heads/next' }))).status, 201)
  })

  test('rejects tokens for an application in the trash', async () => {
    const { tenant, token, exchange, exchangeWithoutApplication } = await createPublisher(service)
    await service.call('DELETE', `/applications/${tenant.applicationId}`, { key: tenant.workspaceKey })
    assert.equal((await exchange(token())).status, 404)
    assert.equal((await exchangeWithoutApplication(token())).status, 403)
  })

  test('issues 100 keys for 100 concurrent tokens but no more than 10 keys for the same token', async () => {
    const { issuer, token, exchange } = await createPublisher(service)
    const exchange100 = (next: () => string) =>
      Promise.all(Array.from({ length: 100 }, next).map((text) => exchange(text)))
    const many = await exchange100(() => token())
    assert.deepEqual(new Set(many.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(many.map(({ body }) => body.data.key)).size, 100)
    assert.deepEqual(issuer.requestCounts, { '/.well-known/openid-configuration': 1, '/keys': 1 })
    const again = token()
    const same = await exchange100(() => again)
    assert.equal(same.filter(({ status }) => status === 201).length, 10)
    const refused = same.filter(({ status }) => status === 429)
    assert.equal(refused.length, 90)
    assert.ok(Number(refused[0]!.headers.get('retry-after')) > 0)
  })

  test('sanitizes claims that contain control characters or unpaired surrogates', async () => {
    const { tenant, token, exchange } = await createPublisher(service)
    const { status, text, body } = await exchange(
      token({ sub: 'a\0b\u202e\ud800c', run_id: '\0', actor: 'x'.repeat(5000) }),
    )
    assert.equal(status, 201, text)
    assert.ok((await findKey(tenant, body.data.key)).name.startsWith('Main: "a b'))
  })
})
