import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const scopes = ['api_keys:write', 'builds:write']

async function createKey(key: string, path = '/workspace/api-keys', granted = scopes) {
  const body = { name: `of ${key.slice(0, 8)}`, scopes: granted }
  const response = await service.call('POST', path, { key, body })
  assert.equal(response.status, 201, response.text)
  return response.body.data as { id: string; key: string }
}

async function createRule({ applicationId }: Tenant, key: string): Promise<string> {
  const body = {
    name: 'Rule',
    issuer: 'https://issuer.example.com',
    claims: { project: 'a' },
    scopes: ['builds:write'],
  }
  const path = `/applications/${applicationId}/trusted-publishers`
  const response = await service.call('POST', path, { key, body })
  assert.equal(response.status, 201, response.text)
  return response.body.data.id
}

/**
 * Creates a key that creates a trusted publisher and a child key. The child key creates an application key and a
 * grandchild key, which also creates a trusted publisher. An unrelated key and trusted publisher are created as well.
 */
async function createFamily() {
  const tenant = await service.tenant()
  const applicationKeys = `/applications/${tenant.applicationId}/api-keys`
  const root = await createKey(tenant.workspaceKey)
  const child = await createKey(root.key)
  const grandchild = await createKey(child.key)
  const uploader = await createKey(child.key, applicationKeys, ['builds:create'])
  const rules = [await createRule(tenant, root.key), await createRule(tenant, grandchild.key)]
  const unrelated = await createKey(tenant.workspaceKey)
  const unrelatedRule = await createRule(tenant, tenant.workspaceKey)
  const revoke = (id: string, query = '') =>
    service.call('DELETE', `/workspace/api-keys/${id}${query}`, { key: tenant.workspaceKey })
  const validKeyIds = async () =>
    (
      await service.deps.db
        .selectFrom('api_keys')
        .select('id')
        .where('workspace_id', '=', tenant.workspaceId)
        .where('revoked_at', 'is', null)
        .execute()
    ).map(({ id }) => id)
  const ruleIds = async () => {
    const path = `/applications/${tenant.applicationId}/trusted-publishers`
    const { body } = await service.call('GET', path, { key: tenant.workspaceKey })
    return body.data.map(({ id }: { id: string }) => id)
  }
  return {
    tenant,
    root,
    child,
    grandchild,
    uploader,
    rules,
    unrelated,
    unrelatedRule,
    revoke,
    validKeyIds,
    ruleIds,
  }
}

const idsIn = (items: { id: string }[]) => items.map(({ id }) => id).toSorted()

test('lists the descendants of a revoked key and revokes them only when requested', async () => {
  const family = await createFamily()
  const { root, child, grandchild, uploader, rules, unrelated, unrelatedRule } = family
  const first = await family.revoke(root.id)
  assert.equal(first.status, 200)
  assert.match(first.body.message, /3 API keys and 2 trusted publishers that it created are still valid/)
  const { revoked, api_keys, trusted_publishers } = first.body.descendants
  assert.equal(revoked, false)
  assert.deepEqual(idsIn(api_keys), idsIn([child, grandchild, uploader]))
  assert.deepEqual(idsIn(trusted_publishers), rules.toSorted())
  assert.ok((await family.validKeyIds()).includes(grandchild.id))

  const second = await family.revoke(root.id, '?descendants=true')
  assert.equal(second.body.descendants.revoked, true)
  assert.match(second.body.message, /along with 3 API keys and 2 trusted publishers/)
  const valid = await family.validKeyIds()
  for (const { id } of [root, child, grandchild, uploader]) assert.ok(!valid.includes(id))
  assert.ok(valid.includes(unrelated.id))
  assert.deepEqual(await family.ruleIds(), [unrelatedRule])
  assert.equal((await auditEntry(service, grandchild.id)).action, 'api_key.revoked')
  assert.equal((await auditEntry(service, rules[1]!)).action, 'trusted_publisher.deleted')
  const third = await family.revoke(root.id, '?descendants=true')
  assert.deepEqual(third.body, {
    message: 'API key revoked.',
    descendants: { revoked: true, api_keys: [], trusted_publishers: [] },
  })
})

test('revokes keys created by a descendant that was itself revoked earlier', async () => {
  const family = await createFamily()
  await family.revoke(family.child.id)
  const { body } = await family.revoke(family.root.id, '?descendants=true')
  assert.deepEqual(idsIn(body.descendants.api_keys), idsIn([family.grandchild, family.uploader]))
  assert.ok(!(await family.validKeyIds()).includes(family.grandchild.id))
})

test('deletes trusted publishers that a revoked key created in a trashed application', async () => {
  const { tenant, root, revoke, ruleIds, unrelatedRule } = await createFamily()
  const path = `/applications/${tenant.applicationId}`
  const { workspaceKey: key } = tenant
  assert.equal((await service.call('DELETE', path, { key })).status, 200)
  assert.equal((await revoke(root.id, '?descendants=true')).status, 200)
  assert.equal((await service.call('POST', `${path}/restore`, { key })).status, 200)
  assert.deepEqual(await ruleIds(), [unrelatedRule])
})

test('invalidates keys and trusted publishers that are created while their parent key is being revoked', async () => {
  const { tenant, root, child, revoke, validKeyIds, ruleIds, unrelated, unrelatedRule } = await createFamily()
  const known = new Set(await validKeyIds())
  const keyBody = { name: 'Late', scopes }
  const ruleBody = {
    name: 'Late',
    issuer: 'https://issuer.example.com',
    claims: { project: 'b' },
    scopes: ['builds:write'],
  }
  const rulesPath = `/applications/${tenant.applicationId}/trusted-publishers`
  const creations = [root.key, child.key].flatMap((key) =>
    Array.from({ length: 20 }, (_, i) =>
      i % 4 === 0
        ? service.call('POST', rulesPath, { key, body: ruleBody })
        : service.call('POST', '/workspace/api-keys', { key, body: keyBody }),
    ),
  )
  const revoked = await revoke(root.id, '?descendants=true')
  assert.equal(revoked.status, 200, revoked.text)
  const statuses = (await Promise.all(creations)).map(({ status }) => status)
  assert.ok(
    statuses.every((status) => [201, 401, 409].includes(status)),
    statuses.join(),
  )
  assert.deepEqual(
    (await validKeyIds()).filter((id) => !known.has(id)),
    [],
  )
  assert.ok((await validKeyIds()).includes(unrelated.id))
  assert.deepEqual(await ruleIds(), [unrelatedRule])
})
