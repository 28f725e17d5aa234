import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { claimDeliveries } from './webhook-delivery.db.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

type Group = { webhooks: number; requests: number; failing?: boolean; format?: string }

/** Claims requests of the given webhooks. Rolls back, so that no other test finds them. */
async function claimOf(groups: Group[], limits: { limit?: number; maxFailing: number }) {
  const { applicationId, workspaceId } = tenant
  const tx = await service.deps.db.startTransaction().execute()
  try {
    await tx
      .updateTable('webhook_requests')
      .set({ next_attempt_at: '2999-01-01T00:00:00Z' })
      .where('state', '=', 'waiting')
      .execute()
    for (const { webhooks, requests, failing = false, format = 'json' } of groups) {
      const ids = Array.from({ length: webhooks }, () => uuidV7())
      const owner = { workspace_id: workspaceId, application_id: applicationId }
      const failing_since = failing ? '2026-05-01T00:00:00Z' : null
      await tx
        .insertInto('webhooks')
        .values(ids.map((id) => ({ id, ...owner, url: 'http://x.org', event: 'e', format, failing_since })))
        .execute()
      const each = Array.from({ length: requests })
      await tx
        .insertInto('webhook_requests')
        .values(
          ids.flatMap((webhook_id) =>
            each.map(() => ({
              id: uuidV7(),
              webhook_id,
              event_id: uuidV7(),
              event: 'e',
              url: 'http://x.org',
              request_payload: '{}',
              next_attempt_at: failing ? '2026-05-01T00:00:00Z' : '2026-05-02T00:00:00Z',
            })),
          ),
        )
        .execute()
    }
    return await claimDeliveries(tx, {
      limit: 384,
      inProgress: {},
      maxPerWebhook: 6,
      maxPerFailingWebhook: 2,
      serialFormats: ['slack'],
      ...limits,
    })
  } finally {
    await tx.rollback().execute()
  }
}

test('claims no more requests of failing webhooks than their share, even if many are due', async () => {
  const claimed = await claimOf(
    [
      { webhooks: 150, requests: 3, failing: true },
      { webhooks: 10, requests: 8 },
    ],
    { maxFailing: 128 },
  )
  const failing = claimed.filter(({ is_failing }) => is_failing)
  assert.equal(failing.length, 128)
  assert.equal(claimed.length - failing.length, 60)
  const perWebhook = Map.groupBy(failing, ({ webhook_id }) => webhook_id)
  assert.ok([...perWebhook.values()].every((requests) => requests.length <= 2))
})

test('claims no requests of failing webhooks while their share is exhausted', async () => {
  const claimed = await claimOf([{ webhooks: 2, requests: 1, failing: true }], { maxFailing: 0 })
  assert.equal(claimed.length, 0)
})

test('claims one request at a time for a chat service', async () => {
  const claimed = await claimOf([{ webhooks: 2, requests: 3, format: 'slack' }], { maxFailing: 128 })
  assert.equal(claimed.length, 2)
})
