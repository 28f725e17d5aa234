import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { clock, createPublisher, publishersPath } from './exchange.fixture.ts'

describe('rule expiry', () => {
  let service: Service
  const minuteMs = 60_000

  before(async () => {
    service = await startService({ clock })
  })
  afterEach(() => {
    clock.offsetMs = 0
  })
  after(() => service.close())

  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString()

  async function expiringKey(of: Tenant, scopes: string[], expires_at: string) {
    const body = { name: 'Short', scopes, expires_at }
    const {
      body: created,
      text,
      status,
    } = await service.call('POST', '/workspace/api-keys', { key: of.workspaceKey, body })
    assert.equal(status, 201, text)
    return created.data as { id: string; key: string; expires_at: string }
  }

  test('limits the lifetime of a trusted publisher to that of the key that creates it', async () => {
    const { issuer, tenant } = await createPublisher(service)
    const { id, key, expires_at } = await expiringKey(
      tenant,
      ['api_keys:write', 'builds:write'],
      inMinutes(30),
    )
    const create = (fields: object) =>
      service.call('POST', publishersPath(tenant), {
        key,
        body: {
          name: 'Mine',
          issuer: issuer.url,
          claims: { ref: 'main' },
          scopes: ['builds:write'],
          ...fields,
        },
      })
    for (const fields of [{}, { expires_at: null }, { expires_at }]) {
      const { status, body } = await create(fields)
      assert.deepEqual([status, body.data?.expires_at, body.data?.created_by], [201, expires_at, id])
    }
    const later = await create({ expires_at: inMinutes(31) })
    assert.equal(later.status, 422)
    assert.match(later.body.errors.expires_at[0], new RegExp(expires_at))
    assert.equal((await create({ expires_at: inMinutes(-1) })).status, 422)
    assert.equal((await create({ expires_at: inMinutes(5) })).status, 201)
  })

  test('does not let an expiring key extend a trusted publisher beyond the expiry of the key', async () => {
    const { tenant, id } = await createPublisher(service)
    const { key, expires_at } = await expiringKey(tenant, ['api_keys:write', 'builds:write'], inMinutes(30))
    const path = `${publishersPath(tenant)}/${id}`
    const change = (body: object, by = key) => service.call('PATCH', path, { key: by, body })
    const redirected = await change({ claims: { repository: 'mallory/app' } })
    assert.equal(redirected.status, 422)
    assert.match(redirected.body.errors.expires_at[0], new RegExp(expires_at))
    assert.equal((await change({ expires_at: inMinutes(31) })).status, 422)
    assert.equal((await change({ name: 'Renamed' })).status, 200)
    const bounded = await change({ claims: { repository: 'acme/app' }, expires_at })
    assert.deepEqual([bounded.status, bounded.body.data.expires_at], [200, expires_at])
    assert.equal((await change({ expires_at: null })).body.data.expires_at, expires_at)
    const { body } = await change({ expires_at: null }, tenant.workspaceKey)
    assert.equal(body.data.expires_at, null)
  })

  test('rejects tokens for an expired trusted publisher and issues no keys that outlive the publisher', async () => {
    const end = inMinutes(5)
    const { tenant, token, exchange, exchangeWithoutApplication, trust } = await createPublisher(service, {
      rule: { expires_at: end },
    })
    const { data } = (await exchange(token())).body
    assert.equal(data.expires_at, isoMicroseconds(new Date(end)))
    const lasting = await trust({ scopes: ['releases:read'] })
    const combined = (await exchange(token())).body.data
    assert.deepEqual([combined.expires_at, combined.scopes.length], [data.expires_at, 2])
    await service.call('DELETE', `${publishersPath(tenant)}/${lasting}`, { key: tenant.workspaceKey })
    await service.deps.db
      .updateTable('trusted_publishers')
      .set({ expires_at: '2026-01-01T00:00:00Z' })
      .where('application_id', '=', tenant.applicationId)
      .execute()
    assert.equal((await exchange(token())).status, 404)
    assert.equal((await exchangeWithoutApplication(token())).status, 403)
  })

  test('limits the lifetime of a share link to that of the API key or trusted publisher that creates it', async () => {
    const { tenant, token, exchange, trust } = await createPublisher(service, {
      rule: { scopes: ['share_links:write', 'builds:read'] },
    })
    const { build } = await uploadedBuild(service, tenant)
    const path = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
    const create = (key: string, body: object = {}) => service.call('POST', path, { key, body })
    const { key, expires_at } = await expiringKey(tenant, ['share_links:write'], inMinutes(30))
    assert.equal((await create(key)).body.data.expires_at, expires_at)
    const sooner = inMinutes(2)
    assert.equal(
      (await create(key, { expires_at: sooner })).body.data.expires_at,
      isoMicroseconds(new Date(sooner)),
    )
    assert.equal((await create(key, { expires_at: inMinutes(31) })).status, 422)
    const lasting = (await create(tenant.workspaceKey, { is_active: false })).body.data
    assert.equal(lasting.expires_at, null)
    const change = (body: object, by = key) =>
      service.call('PATCH', `/share-links/${lasting.id}`, { key: by, body })
    assert.equal((await change({ is_active: true })).status, 422)
    assert.equal((await change({ expires_at: inMinutes(31) })).status, 422)
    assert.equal((await change({ max_downloads: 5 })).status, 200)
    assert.equal((await change({ is_active: true, expires_at: null })).body.data.expires_at, expires_at)
    assert.equal((await change({ expires_at: null }, tenant.workspaceKey)).body.data.expires_at, null)

    const ci = (await exchange(token())).body.data.key as string
    assert.equal((await create(ci)).body.data.expires_at, null)
    const end = inMinutes(60)
    await trust({ scopes: ['builds:read'], expires_at: end })
    const bounded = (await exchange(token())).body.data.key as string
    assert.equal((await create(bounded)).body.data.expires_at, isoMicroseconds(new Date(end)))
  })
})
