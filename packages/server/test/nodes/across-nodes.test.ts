import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startOwnService, type Service, type Tenant } from '../harness.ts'
import { insertMember } from '../people.ts'
import { until } from '../until.ts'
import { uploadedBuild } from '../uploading.ts'

const limit = 60

describe('two nodes with one database', () => {
  let first: Service
  let second: Service
  let tenant: Tenant
  before(async () => {
    const environment = { QUAYSIDE_RATE_LIMIT: String(limit), QUAYSIDE_PUBLIC_RATE_LIMIT: String(limit) }
    first = await startOwnService({ environment })
    second = await startOwnService({ environment, state: first.state })
    tenant = await first.tenant()
  })
  after(async () => {
    await second.stop()
    await first.close()
  })

  const newKey = () =>
    first.key(tenant.workspaceId, null, ['workspace:read', 'api_keys:write', 'members:read'])
  const statusOn = async (service: Service, key: string, path = '/workspace') =>
    (await service.call('GET', path, { key })).status
  const withinASecond = { withinMs: 1_000 }

  test('apply the rate limit of a key to the requests of both', async () => {
    const key = await newKey()
    const used = limit - 5
    for (let call = 0; call < used; call++) assert.equal(await statusOn(first, key), 200)
    assert.equal(await statusOn(second, key), 200)
    // The second node learns of the other requests once it has counted a tenth of the limit.
    let calls = 1
    const isRejected = async () => {
      calls++
      return (await statusOn(second, key)) === 429
    }
    for (let call = 0; call < limit / 10; call++) await isRejected()
    await until('the second node rejects the key', isRejected, { withinMs: 4_000, everyMs: 100 })
    assert.ok(calls < limit, 'the second node counted as many requests itself')
  })

  test('reject a revoked key within a second', async () => {
    const [key, other] = [await newKey(), await newKey()]
    assert.equal(await statusOn(second, key), 200)
    const { body } = await first.call('GET', '/workspace/api-keys', { key: other })
    const id = body.data.find(({ prefix }: { prefix: string }) => key.startsWith(prefix)).id
    const revoked = await first.call('DELETE', `/workspace/api-keys/${id}`, { key: other })
    assert.equal(revoked.status, 200)
    await until(
      'the second node rejects the key',
      async () => (await statusOn(second, key)) === 401,
      withinASecond,
    )
  })

  test('reject the session of a removed member and a session that was signed out within a second', async () => {
    const { db } = first.deps
    const owner = await first.signIn(
      await insertMember(first, tenant, { workspaceRole: 'owner' }),
      tenant.workspaceId,
    )
    for (const end of ['remove', 'sign out'] as const) {
      const userId = await insertMember(first, tenant, { workspaceRole: 'admin' })
      const session = await first.signIn(userId, tenant.workspaceId)
      assert.equal(await statusOn(second, session), 200)
      if (end === 'remove') {
        const { status, text } = await first.call('DELETE', `/workspace/members/${userId}`, { key: owner })
        assert.equal(status, 200, text)
      } else await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
      await until(
        'the second node rejects the session',
        async () => [401, 403].includes(await statusOn(second, session)),
        withinASecond,
      )
    }
  })

  test('count incorrect share link passwords together', async () => {
    const { build } = await uploadedBuild(first, tenant)
    const { body } = await first.call(
      'POST',
      `/applications/${tenant.applicationId}/builds/${build.id}/share-links`,
      { key: tenant.applicationKey, body: { password: 'correct' } },
    )
    const { pathname } = new URL(body.data.url)
    const guess = async (service: Service, password: string) =>
      (
        await service.call('POST', `${service.url}/api/v1${pathname.replace(/^\/api\/v1/, '')}/grants`, {
          key: null,
          body: { password },
        })
      ).status
    const statuses = []
    for (let attempt = 0; attempt < 6; attempt++)
      statuses.push(await guess(attempt % 2 === 0 ? first : second, 'wrong'))
    assert.equal(statuses.at(-1), 429, statuses.join())
    assert.equal(await guess(second, 'correct'), 429)
  })
})
