import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { applicationScopes, workspaceScopes, type Scope } from '../../http/endpoint/scopes.ts'
import { isWellFormedKey } from './api-key.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const levels = () => [
  { kind: 'workspace', path: '/workspace/api-keys', applicationId: null },
  {
    kind: 'application',
    path: `/applications/${tenant.applicationId}/api-keys`,
    applicationId: tenant.applicationId,
  },
]

const create = (path: string, body: Record<string, unknown>, key = tenant.workspaceKey) =>
  service.call('POST', path, { key, body: { name: 'CI', scopes: ['builds:create'], ...body } })

const rowOf = (id: string) =>
  service.deps.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const untilRefused = (key: string, withinMs = 60_000) =>
  until(
    'the key is rejected',
    async () => (await service.call('GET', '/workspace', { key })).status === 401,
    { withinMs },
  )

test('returns the full key only in the create response and stores only its prefix and hash', async () => {
  for (const { kind, path, applicationId } of levels()) {
    const { status, body, headers } = await create(path, { name: '  CI of main ' })
    assert.equal(status, 201)
    assert.equal(headers.get('cache-control'), 'private, no-cache')
    const { key, ...shown } = body.data
    assert.ok(key.startsWith(kind === 'workspace' ? 'qsw_' : 'qsa_') && isWellFormedKey(key))
    const { id, created_by, created_at } = shown
    assert.deepEqual(shown, {
      id,
      name: 'CI of main',
      kind,
      application_id: applicationId,
      scopes: ['builds:create'],
      prefix: key.slice(0, 8),
      created_by,
      created_at,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    })
    const row = await rowOf(id)
    assert.deepEqual(row.key_sha256, createHash('sha256').update(key).digest())
    assert.ok(!JSON.stringify(row).includes(key.slice(8)))
    const list = await service.call('GET', path, { key: tenant.workspaceKey })
    assert.deepEqual(
      list.body.data.find((listed: { id: string }) => listed.id === id),
      shown,
    )
    assert.ok(!list.text.includes(key.slice(8)))
    const audit = await service.deps.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('subject_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(audit.action, 'api_key.created')
    assert.ok(!JSON.stringify(audit).includes(key.slice(8)))
  }
})

test('sets last_used_at when a key is used', async () => {
  const { body } = await create('/workspace/api-keys', {})
  const { id, key } = body.data
  assert.equal((await service.call('GET', '/workspace', { key })).status, 200)
  await until('the time is saved', async () => (await rowOf(id)).last_used_at !== null)
})

test('rejects a key within 1.5 seconds of its revocation and treats a second revocation as a no-op', async () => {
  for (const { path } of levels()) {
    const { body } = await create(path, {})
    const { id, key } = body.data
    assert.equal((await service.call('GET', '/workspace', { key })).status, 200)
    const revoke = () => service.call('DELETE', `${path}/${id}`, { key: tenant.workspaceKey })
    assert.equal((await revoke()).status, 200)
    await untilRefused(key, 1_500)
    assert.equal((await revoke()).status, 200)
    assert.notEqual((await rowOf(id)).revoked_at, null)
    const audit = await service.deps.db
      .selectFrom('audit_entries')
      .select('action')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(audit, [{ action: 'api_key.created' }, { action: 'api_key.revoked' }])
    const list = await service.call('GET', `${path}?per_page=100`, { key: tenant.workspaceKey })
    assert.ok(list.body.data.find((listed: { id: string }) => listed.id === id).revoked_at)
  }
})

test('lets a key revoke itself and then rejects the key', async () => {
  const { body } = await create('/workspace/api-keys', { scopes: ['api_keys:write'] })
  const { id, key } = body.data
  assert.equal((await service.call('DELETE', `/workspace/api-keys/${id}`, { key })).status, 200)
  await untilRefused(key)
})

test('accepts a key until it expires and then rejects it', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const { status, body } = await create('/workspace/api-keys', { expires_at: inAnHour })
  assert.equal(status, 201)
  assert.equal(body.data.expires_at, inAnHour.replace('Z', '000Z'))
  const { id, key } = body.data
  assert.equal((await service.call('GET', '/workspace', { key })).status, 200)
  const soon = new Date(Date.now() + 1500).toISOString()
  await service.deps.db.updateTable('api_keys').set({ expires_at: soon }).where('id', '=', id).execute()
  await untilRefused(key)
  assert.ok(Date.now() >= Date.parse(soon))
})

test('does not let an expiring key create a key that expires later', async () => {
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const scopes = ['api_keys:create', 'builds:create']
  const creator = (await create('/workspace/api-keys', { scopes, expires_at: end })).body.data
  for (const { path } of levels()) {
    for (const fields of [{}, { expires_at: null }, { expires_at: creator.expires_at }]) {
      const { status, body } = await create(path, fields, creator.key)
      assert.deepEqual([status, body.data?.expires_at], [201, creator.expires_at])
    }
    const later = await create(path, { expires_at: '2099-01-01T00:00:00Z' }, creator.key)
    assert.equal(later.status, 422)
    assert.match(later.body.errors.expires_at[0], new RegExp(creator.expires_at))
    const sooner = new Date(Date.now() + 60_000).toISOString()
    assert.equal((await create(path, { expires_at: sooner }, creator.key)).status, 201)
  }
})

test('accepts every scope that a kind of key supports and rejects any other scope', async () => {
  const [workspace, application] = levels()
  assert.equal((await create(workspace!.path, { scopes: workspaceScopes })).status, 201)
  assert.equal((await create(application!.path, { scopes: applicationScopes })).status, 201)
  for (const [level, foreign] of [
    [workspace, 'application:read'],
    [application, 'workspace:read'],
    [application, 'api_keys:create'],
    [workspace, 'builds:delete'],
  ] as const) {
    const { status, body } = await create(level!.path, { scopes: ['builds:read', foreign] })
    assert.equal(status, 422)
    assert.match(body.errors['scopes.1'][0], new RegExp(foreign))
  }
})

test('does not let a key grant scopes that it does not have', async () => {
  const [workspace, application] = levels()
  const held: Scope[] = ['api_keys:create', 'builds:create', 'applications:read']
  const creator = await service.key(tenant.workspaceId, null, held)
  for (const [level, scopes, missing] of [
    [workspace, ['builds:create'], undefined],
    [workspace, ['builds:read', 'api_keys:read', 'applications:read'], undefined],
    [workspace, ['builds:write'], 'builds:write'],
    [workspace, ['api_keys:write'], 'api_keys:write'],
    [workspace, ['builds:read', 'members:read'], 'members:read'],
    [application, ['builds:create', 'application:read'], undefined],
    [application, ['application:write'], 'applications:write'],
    [application, ['releases:read'], 'releases:read'],
    [application, ['members:create'], 'members:read'],
  ] as [ReturnType<typeof levels>[number], string[], string | undefined][]) {
    const { status, body } = await create(level.path, { scopes }, creator)
    assert.equal(status, missing === undefined ? 201 : 403, `${scopes.join()} ${body.message}`)
    if (missing !== undefined) assert.equal(body.message, `This action requires '${missing}' scope.`)
  }
})

for (const [problem, field, value] of [
  ['an empty name', 'name', ''],
  ['a blank name', 'name', '   '],
  ['a name of 101 characters', 'name', 'x'.repeat(101)],
  ['an empty list of scopes', 'scopes', []],
  ['scopes that are not an array', 'scopes', 'builds:read'],
  ['an expiration time in the past', 'expires_at', '2020-01-01T00:00:00Z'],
  ['an expiration time that is not a timestamp', 'expires_at', 'tomorrow'],
  ['an expiration date that does not exist', 'expires_at', '2027-02-30'],
] as [string, string, unknown][]) {
  test(`rejects a key with ${problem}`, async () => {
    const { status, body } = await create('/workspace/api-keys', { [field]: value })
    assert.equal(status, 422)
    assert.ok(body.errors[field], JSON.stringify(body))
  })
}

test('paginates workspace keys and application keys separately', async () => {
  const other = await service.tenant()
  const application = `/applications/${other.applicationId}/api-keys`
  for (let n = 0; n < 4; n++) await create(application, { name: `key ${n}` }, other.workspaceKey)
  const list = async (path: string) => (await service.call('GET', path, { key: other.workspaceKey })).body
  const whole = await list(application)
  assert.equal(whole.pagination.total, 5)
  assert.ok(whole.data.every(({ kind }: { kind: string }) => kind === 'application'))
  const second = await list(`${application}?per_page=2&page=2`)
  assert.deepEqual(second.data, whole.data.slice(2, 4))
  assert.deepEqual(second.pagination, {
    current_page: 2,
    per_page: 2,
    total: 5,
    last_page: 3,
    from: 3,
    to: 4,
  })
  const workspaceKeys = await list('/workspace/api-keys')
  assert.equal(workspaceKeys.pagination.total, 1)
  assert.equal(workspaceKeys.data[0].application_id, null)
})
