import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { createSystemClock } from '../../lib/clock.ts'

const minuteMs = 60_000
const system = createSystemClock()
let setBackMs = 0
const clock = { ...system, now: () => new Date(Date.now() - setBackMs) }

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService({ clock })
  tenant = await service.tenant()
})
after(() => service.close())

/**
 * Uses a key, sets the clock back and revokes the key. Returns how long the key is still accepted, in milliseconds.
 * Fails if a request that is sent a second after the revocation is accepted.
 */
async function msUntilRefused(stepMs: number): Promise<number> {
  const key = await service.key(tenant.workspaceId, null, ['applications:read'])
  const isAccepted = async () => (await service.call('GET', '/applications', { key })).status === 200
  assert.ok(await isAccepted())
  setBackMs += stepMs
  const revokedAt = performance.now()
  await service.deps.db
    .updateTable('api_keys')
    .set({ revoked_at: new Date().toISOString() })
    .where('prefix', '=', key.slice(0, 8))
    .execute()
  await until('the key is rejected', async () => !(await isAccepted()), { withinMs: 1_000, everyMs: 10 })
  return performance.now() - revokedAt
}

test('compares the end of a key with the clock of the database', async () => {
  setBackMs += 10 * minuteMs
  // In the future only for this node.
  const expires_at = new Date(Date.now() - 5 * minuteMs).toISOString()
  const body = { name: 'CI', scopes: ['applications:read'], expires_at }
  const { status, body: problem } = await service.call('POST', '/workspace/api-keys', {
    key: tenant.workspaceKey,
    body,
  })
  assert.equal(status, 422)
  assert.deepEqual(Object.keys(problem.errors), ['expires_at'])
})

for (const [step, stepMs] of [
  ['a minute', minuteMs],
  ['10 minutes', 10 * minuteMs],
  ['2 days', 2 * 24 * 60 * minuteMs],
] as const)
  test(`rejects a key within one second of its revocation even if the clock was set back by ${step}`, async (t) => {
    t.diagnostic(`rejected after ${Math.round(await msUntilRefused(stepMs))} ms`)
  })
