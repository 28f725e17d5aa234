import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service } from '../../../test/harness.ts'
import { put, uploadBody } from '../../../test/uploading.ts'
import { deleteOldPublisherKeys } from '../api-keys/sweep-publisher-keys.job.ts'
import { movedClock as clock, rulesOf, trusting } from './exchange.fixture.ts'

let service: Service
const minuteMs = 60_000

before(async () => {
  service = await startService({ clock })
})
after(() => service.close())

const uploadWith = (key: string, primary_file = { filename: 'app.tar.gz', size_bytes: 64 }) =>
  service.call('POST', '/upload/request', { key, body: uploadBody({ primary_file }) })

test('a token of a run that is trusted, a key with the scopes of the rule, which uploads a build', async () => {
  const { tenant, id, token, exchange } = await trusting(service)
  const run = { run_id: '77', workflow_ref: 'acme/app/.github/workflows/a.yml@refs/heads/main', secret: 'x' }
  const asked = clock.now().getTime()
  const { status, body, text } = await exchange(token(run))
  assert.equal(status, 201, text)
  const { key, expires_at, ...rest } = body.data
  assert.deepEqual(rest, { scopes: ['builds:create'], application_id: tenant.applicationId })
  assert.match(key, /^qsa_/)
  const livesMs = Date.parse(expires_at) - asked
  assert.ok(livesMs >= 15 * minuteMs && livesMs < 16 * minuteMs, `${livesMs}`)

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

  const keys = await service.call('GET', `${home}/api-keys`, { key: tenant.workspaceKey })
  const listed = keys.body.data.find(({ prefix }: { prefix: string }) => prefix === key.slice(0, 8))
  assert.equal(listed.name, 'Main: "repo:acme/app:ref:refs/heads/main"')
  assert.deepEqual([listed.created_by, listed.kind, listed.expires_at], [null, 'application', expires_at])
  const entry = await auditEntry(service, listed.id)
  assert.deepEqual([entry.action, entry.actor_kind], ['api_key.created', 'system'])
  const { claims, trusted_publisher_ids } = entry.after as {
    claims: Record<string, string>
    trusted_publisher_ids: string[]
  }
  assert.deepEqual(trusted_publisher_ids, [id])
  assert.deepEqual([claims['run_id'], claims['repository'], claims['secret']], ['77', 'acme/app', undefined])
})

test('a key of a token, refused after 15 minutes; out of the list a week later, others stay', async () => {
  const { tenant, token, exchange } = await trusting(service)
  const { key } = (await exchange(token())).body.data
  const keyCount = async () =>
    (
      await service.call('GET', `/applications/${tenant.applicationId}/api-keys`, {
        key: tenant.workspaceKey,
      })
    ).body.pagination.total
  const before = await keyCount()
  try {
    clock.byMs = 14.9 * minuteMs
    assert.equal((await uploadWith(key)).status, 200)
    clock.byMs = 15.1 * minuteMs
    assert.equal((await uploadWith(key)).status, 401)
    await deleteOldPublisherKeys(service.deps)
    assert.equal(await keyCount(), before)
    clock.byMs = (7 * 24 * 60 + 16) * minuteMs
    await deleteOldPublisherKeys(service.deps)
    assert.equal(await keyCount(), before - 1)
  } finally {
    clock.byMs = 0
  }
})

test('a token for somebody else, no key; the author of the workflow reads which claim differs', async () => {
  const { token, exchange, exchangeAnywhere } = await trusting(service)
  for (const [claims, said] of [
    [{ aud: 'https://other.example.com' }, 'aud is "https://other.example.com"'],
    [{ aud: undefined }, 'aud is missing'],
    [{ aud: ['a', 'b'] }, 'aud is "a", "b"'],
    [{ aud: `${service.url}/` }, `aud is "${service.url}/"`],
    [{ ref: 'refs/heads/dev' }, 'ref is "refs/heads/dev"'],
    [{ ref: ['refs/heads/dev', 7] }, 'ref is "refs/heads/dev", "7"'],
    [{ ref: { a: 1 } }, 'ref is neither text nor number'],
    [{ ref: undefined }, 'ref is missing'],
  ] as [Record<string, unknown>, string][]) {
    const { status, body } = await exchange(token(claims))
    assert.equal(status, 403)
    assert.equal(
      body.message,
      `The trusted publisher "Main" does not take this token: ${said}. Change the workflow or the rule.`,
    )
  }
  const untold = await exchangeAnywhere(token({ ref: 'refs/heads/dev' }))
  assert.deepEqual([untold.status, untold.body.code], [403, 'oidc.not_trusted'])
  for (const claims of [{ aud: ['x', service.url] }, { ref: ['x', 'refs/heads/main'] }])
    assert.equal((await exchange(token(claims))).status, 201)
})

test('a stranger at the same issuer, the same answer whether the application trusts it, trusts nobody or is not there', async () => {
  const { issuer, tenant, token, exchange, exchangeAnywhere } = await trusting(service)
  const trustsNobody = await service.tenant()
  const text = issuer.token({
    sub: 'repo:evil/app:x',
    repository: 'evil/app',
    ref: 'refs/heads/main',
    aud: service.url,
  })
  const answers = []
  for (const id of [tenant.applicationId, trustsNobody.applicationId, 'nothing', '', '__proto__'])
    answers.push(await exchange(text, id))
  const unknown = token({ iss: 'https://issuer.example.com', repository: 'evil/app' })
  const without = [await exchangeAnywhere(text), await exchangeAnywhere(unknown)]
  for (const { status, body } of answers) {
    assert.equal(status, 404)
    assert.deepEqual({ ...body, request_id: '' }, { ...answers[0]!.body, request_id: '' })
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

test('two applications with the same rule, a 409 without application_id, with it a key of the one', async () => {
  const { tenant, trust, token, exchange, exchangeAnywhere } = await trusting(service)
  const alone = await exchangeAnywhere(token())
  assert.deepEqual([alone.status, alone.body.data.application_id], [201, tenant.applicationId])
  const other = await service.tenant()
  await trust({}, other)
  const both = await exchangeAnywhere(token())
  assert.deepEqual([both.status, both.body.code], [409, 'oidc.ambiguous'])
  for (const id of [tenant.applicationId, other.applicationId])
    assert.equal((await exchange(token(), id)).body.data.application_id, id)
})

test('two rules of an application that fit, the scopes of both; the key ends with either', async () => {
  const { tenant, id, trust, token, exchange } = await trusting(service)
  const second = await trust({
    name: 'Releases',
    claims: { ref: 'refs/heads/main' },
    scopes: ['releases:create'],
  })
  await trust({ name: 'Tags', claims: { ref: 'refs/tags/*' }, scopes: ['webhooks:write'] })
  for (const gone of [second, id]) {
    const { key, scopes } = (await exchange(token())).body.data
    assert.deepEqual(scopes, gone === second ? ['builds:create', 'releases:create'] : ['builds:create'])
    assert.equal((await uploadWith(key)).status, 200)
    await service.call('DELETE', `${rulesOf(tenant)}/${gone}`, { key: tenant.workspaceKey })
    await until(async () => (await uploadWith(key)).status === 401)
  }
  assert.equal((await exchange(token())).status, 404)
})

test('a rule that is changed, the keys it has let in end; a new name ends none', async () => {
  const { tenant, id, token, exchange } = await trusting(service)
  const { key } = (await exchange(token())).body.data
  const change = (body: object) =>
    service.call('PATCH', `${rulesOf(tenant)}/${id}`, { key: tenant.workspaceKey, body })
  const revokedAt = async () => {
    const keys = await service.call('GET', `/applications/${tenant.applicationId}/api-keys`, {
      key: tenant.workspaceKey,
    })
    return keys.body.data.find(({ prefix }: { prefix: string }) => prefix === key.slice(0, 8)).revoked_at
  }
  await change({ name: 'Renamed' })
  assert.equal(await revokedAt(), null)
  await change({ claims: { repository: 'acme/app', ref: 'refs/heads/next' } })
  assert.notEqual(await revokedAt(), null)
  assert.equal((await exchange(token())).status, 403)
  assert.equal((await exchange(token({ ref: 'refs/heads/next' }))).status, 201)
})

test('an application in the trash trusts nobody', async () => {
  const { tenant, token, exchange, exchangeAnywhere } = await trusting(service)
  await service.call('DELETE', `/applications/${tenant.applicationId}`, { key: tenant.workspaceKey })
  assert.equal((await exchange(token())).status, 404)
  assert.equal((await exchangeAnywhere(token())).status, 403)
})

test('a hundred tokens at once, a hundred keys; one token a hundred times, ten', async () => {
  const { issuer, token, exchange } = await trusting(service)
  const many = await Promise.all(Array.from({ length: 100 }, () => exchange(token())))
  assert.deepEqual(new Set(many.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(many.map(({ body }) => body.data.key)).size, 100)
  assert.deepEqual(issuer.asked, { '/.well-known/openid-configuration': 1, '/keys': 1 })
  const again = token()
  const same = await Promise.all(Array.from({ length: 100 }, () => exchange(again)))
  assert.equal(same.filter(({ status }) => status === 201).length, 10)
  const refused = same.filter(({ status }) => status === 429)
  assert.equal(refused.length, 90)
  assert.ok(Number(refused[0]!.headers.get('retry-after')) > 0)
})

test('claims with control characters and half characters, stored and shown without them', async () => {
  const { tenant, token, exchange } = await trusting(service)
  const { status, text, body } = await exchange(
    token({ sub: 'a\0b\u202e\ud800c', run_id: '\0', actor: 'x'.repeat(5000) }),
  )
  assert.equal(status, 201, text)
  const keys = await service.call('GET', `/applications/${tenant.applicationId}/api-keys`, {
    key: tenant.workspaceKey,
  })
  const listed = keys.body.data.find(({ prefix }: { prefix: string }) => prefix === body.data.key.slice(0, 8))
  assert.ok(listed.name.startsWith('Main: "a b'))
})

async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((done) => setTimeout(done, 50))
}
