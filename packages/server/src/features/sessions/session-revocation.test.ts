import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { until } from '../../../test/until.ts'
import type { Db } from '../../database/transaction.ts'

let service: Service
let tenant: Tenant
let db: Db

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  ;({ db } = service.deps)
})
after(() => service.close())

/**
 * Changes the access directly in the database, as another node would, and asserts that the response to the request
 * changes from 200 to the status within a second.
 */
async function assertLosesAccess(key: string, path: string, change: () => Promise<unknown>, status: number) {
  const statusNow = async () => (await service.call('GET', path, { key })).status
  assert.equal(await statusNow(), 200)
  await change()
  const changed = async () => {
    const current = await statusNow()
    return current !== 200 && current
  }
  assert.equal(await until('the access is lost', changed, { withinMs: 1_000 }), status)
}

const remove = (userId: string) => db.deleteFrom('workspace_members').where('user_id', '=', userId).execute()

test('rejects a revoked session within a second', async () => {
  const id = await insertMember(service, tenant, { workspaceRole: 'owner' })
  const other = await service.signIn(id)
  const key = await service.signIn(id)
  const { id: sessionId } = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const revoke = () => db.deleteFrom('sessions').where('id', '=', sessionId).execute()
  await assertLosesAccess(key, '/workspace/api-keys', revoke, 401)
  assert.equal((await service.call('GET', '/session', { key: other })).status, 200)
})

test('applies a lower role within a second', async () => {
  const id = await insertMember(service, tenant, { workspaceRole: 'admin' })
  const key = await service.signIn(id)
  const demote = () =>
    db.updateTable('workspace_members').set({ role: 'member' }).where('user_id', '=', id).execute()
  await assertLosesAccess(key, '/workspace/api-keys', demote, 403)
})

test('rejects a member who was removed from the workspace or the application within a second', async () => {
  const [removed, moved] = await Promise.all(
    [0, 1].map(() => insertMember(service, tenant, { applicationRole: 'qa' })),
  )
  const path = `/applications/${tenant.applicationId}`
  await assertLosesAccess(await service.signIn(removed!), '/workspace/labels', () => remove(removed!), 403)
  const leave = () => db.deleteFrom('application_members').where('user_id', '=', moved!).execute()
  await assertLosesAccess(await service.signIn(moved!), path, leave, 404)
})

test('rejects a session that has expired, even if it is cached', async () => {
  const id = await insertMember(service, tenant, { workspaceRole: 'owner' })
  const key = await service.signIn(id)
  const expire = () =>
    db.updateTable('sessions').set({ expires_at: '2026-01-01T00:00:00Z' }).where('user_id', '=', id).execute()
  await assertLosesAccess(key, '/session', expire, 401)
})

test('creates no key for a session that is revoked while a node still accepts it', async () => {
  const id = await insertMember(service, tenant, { workspaceRole: 'owner' })
  const key = await service.signIn(id)
  assert.equal((await service.call('GET', '/session', { key })).status, 200)
  await db.deleteFrom('sessions').where('user_id', '=', id).execute()
  const body = { name: 'late', scopes: ['builds:read'] }
  assert.equal((await service.call('POST', '/workspace/api-keys', { key, body })).status, 401)
})

test('creates no key for a role that has changed while a node still accepts it', async () => {
  const id = await insertMember(service, tenant, { workspaceRole: 'admin' })
  const key = await service.signIn(id)
  assert.equal((await service.call('GET', '/session', { key })).status, 200)
  await db.updateTable('workspace_members').set({ role: 'member' }).where('user_id', '=', id).execute()
  const body = { name: 'late', scopes: ['builds:read'] }
  const created = await service.call('POST', '/workspace/api-keys', { key, body })
  assert.ok([403, 409].includes(created.status), created.text)
})
