import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { hashKey, isWellFormedKey, makeKey } from './api-key.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const create = (path: string, body: unknown, key = tenant.workspaceKey) =>
  service.call('POST', path, { key, body })
const ofApplication = () => `/applications/${tenant.applicationId}/api-keys`

test('a key of either kind, made, has its form, its checksum and more than 160 random bits', () => {
  const keys = Array.from({ length: 1000 }, (_, n) => makeKey(n % 2 === 0 ? 'workspace' : 'application'))
  assert.equal(new Set(keys).size, 1000)
  for (const key of keys) {
    assert.match(key, /^qs[wa]_[0-9A-Za-z]{33}$/)
    assert.ok(isWellFormedKey(key))
    const other = key.at(10) === 'x' ? 'y' : 'x'
    assert.ok(!isWellFormedKey(`${key.slice(0, 10)}${other}${key.slice(11)}`), 'one letter changed')
  }
})

test('an application key, created, works and is shown once; only its hash is kept', async () => {
  const { status, body } = await create(ofApplication(), { name: ' CI ', scopes: ['builds:create'] })
  assert.equal(status, 201)
  const { key, ...shown } = body.data
  assert.equal(shown.name, 'CI')
  assert.equal(shown.kind, 'application')
  assert.equal(shown.application_id, tenant.applicationId)
  assert.equal(shown.prefix, key.slice(0, 8))
  assert.deepEqual([shown.last_used_at, shown.expires_at, shown.revoked_at], [null, null, null])
  const used = await service.call('GET', `/applications/${tenant.applicationId}/builds`, { key })
  assert.equal(used.status, 200)
  const row = await service.deps.db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', shown.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(row.key_sha256, hashKey(key))
  assert.ok(!JSON.stringify(row).includes(key.slice(8)))
  const listed = await service.call('GET', ofApplication(), { key: tenant.workspaceKey })
  assert.ok(!listed.text.includes(key))
  assert.ok(listed.body.data.some(({ id }: { id: string }) => id === shown.id))
  const audit = await service.deps.db
    .selectFrom('audit_entries')
    .select(['action', 'after'])
    .where('subject_id', '=', shown.id)
    .execute()
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['api-key.created'],
  )
  assert.ok(!JSON.stringify(audit).includes(key))
})

test('a key that is used, last_used_at is noted', async () => {
  const { body } = await create(ofApplication(), { name: 'used', scopes: ['builds:read'] })
  const { id, key } = body.data
  await service.call('GET', `/applications/${tenant.applicationId}`, { key })
  for (;;) {
    const { last_used_at } = await service.deps.db
      .selectFrom('api_keys')
      .select('last_used_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (last_used_at !== null) break
  }
})

test('a key, revoked, is refused within a second, and revoking again answers the same', async () => {
  const { body } = await create('/workspace/api-keys', { name: 'short', scopes: ['applications:read'] })
  const { id, key } = body.data
  assert.equal((await service.call('GET', '/applications', { key })).status, 200)
  const remove = () => service.call('DELETE', `/workspace/api-keys/${id}`, { key: tenant.workspaceKey })
  assert.equal((await remove()).status, 200)
  const revokedAt = performance.now()
  while ((await service.call('GET', '/applications', { key })).status === 200)
    assert.ok(performance.now() - revokedAt < 1500)
  assert.equal((await remove()).status, 200)
  const entries = await service.deps.db
    .selectFrom('audit_entries')
    .select('action')
    .where('subject_id', '=', id)
    .where('action', '=', 'api-key.revoked')
    .execute()
  assert.equal(entries.length, 1)
})

test('a key that would do more than its maker, 403 names what is missing', async () => {
  const maker = await service.key(tenant.workspaceId, null, [
    'api_keys:create',
    'builds:read',
    'members:write',
  ])
  for (const [path, scopes, missing] of [
    ['/workspace/api-keys', ['builds:create'], 'builds:create'],
    ['/workspace/api-keys', ['api_keys:write'], 'api_keys:write'],
    [ofApplication(), ['application:read'], 'applications:read'],
    [ofApplication(), ['builds:write'], 'builds:create'],
  ] as const) {
    const answer = await create(path, { name: 'more', scopes }, maker)
    assert.equal(answer.status, 403, `${path} ${scopes.join()}`)
    assert.equal(answer.body.message, `This action requires '${missing}' scope.`)
  }
  for (const [path, scopes] of [
    ['/workspace/api-keys', ['builds:read', 'api_keys:read']],
    [ofApplication(), ['builds:read', 'members:create']],
  ] as const)
    assert.equal((await create(path, { name: 'as much', scopes }, maker)).status, 201)
})

for (const [what, body, field] of [
  ['no name', { scopes: ['builds:read'] }, 'name'],
  ['a blank name', { name: '  ', scopes: ['builds:read'] }, 'name'],
  ['no scopes', { name: 'x', scopes: [] }, 'scopes'],
  ['an unknown scope', { name: 'x', scopes: ['builds:read', 'builds:fly'] }, 'scopes.1'],
  ['a scope of the other kind', { name: 'x', scopes: ['workspace:read'] }, 'scopes.0'],
  [
    'an expiry that is over',
    { name: 'x', scopes: ['builds:read'], expires_at: '2020-01-01T00:00:00Z' },
    'expires_at',
  ],
  ['an expiry that is none', { name: 'x', scopes: ['builds:read'], expires_at: 'soon' }, 'expires_at'],
] as const) {
  test(`a key with ${what}, 422 names ${field}`, async () => {
    const answer = await create(ofApplication(), body)
    assert.equal(answer.status, 422)
    assert.ok(answer.body.errors[field], answer.text)
  })
}

test('a key past its expiry, 401', async () => {
  const { body } = await create(ofApplication(), {
    name: 'brief',
    scopes: ['builds:read'],
    expires_at: '2999-01-01T00:00:00Z',
  })
  const { id, key, expires_at } = body.data
  assert.equal(expires_at, '2999-01-01T00:00:00.000000Z')
  await service.deps.db
    .updateTable('api_keys')
    .set({ expires_at: '2020-01-01T00:00:00Z' })
    .where('id', '=', id)
    .execute()
  const { status } = await service.call('GET', `/applications/${tenant.applicationId}`, { key })
  assert.equal(status, 401)
})

test('the keys of one level, listed by pages, hold those of no other', async () => {
  const other = await service.tenant()
  for (const name of ['a', 'b', 'c'])
    await create('/workspace/api-keys', { name, scopes: ['builds:read'] }, other.workspaceKey)
  const page = (n: number) =>
    service.call('GET', `/workspace/api-keys?per_page=2&page=${n}`, { key: other.workspaceKey })
  const [first, second, third] = await Promise.all([page(1), page(2), page(3)])
  assert.equal(first.body.pagination.total, 4)
  assert.deepEqual(
    [...first.body.data, ...second.body.data].map(({ name }: { name: string }) => name),
    ['test', 'a', 'b', 'c'],
  )
  assert.deepEqual(third.body.data, [])
  assert.equal(third.body.pagination.from, null)
})
