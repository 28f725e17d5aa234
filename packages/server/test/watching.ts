import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { selectCommittedBefore } from '../src/database/commit-order.db.ts'
import { watch, type EventClient } from './event-client.ts'
import { startService, type Service, type Tenant } from './harness.ts'
import { uploadedBuild } from './uploading.ts'

type Options = { key?: string; path?: string; lastEventId?: string; headers?: Record<string, string> }

/** Starts a service, creates a tenant for each test, and returns functions that watch the tenant's events. */
export function createWatching() {
  let service: Service
  let tenant: Tenant
  const opened: EventClient[] = []
  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  beforeEach(async () => {
    tenant = await service.tenant()
  })
  afterEach(() => {
    for (const client of opened.splice(0)) client.close()
  })
  const base = () => `/applications/${tenant.applicationId}`

  async function open({ key = tenant.workspaceKey, path, ...options }: Options = {}): Promise<EventClient> {
    await untilChangesAreSettled(service)
    const client = await watch(service.url, { key, path: path ?? `${base()}/events`, ...options })
    opened.push(client)
    return client
  }

  /** Waits until at most `count` streams are open. */
  async function untilClosed(count = 0): Promise<void> {
    for (const end = Date.now() + 10_000; service.deps.eventStreams.count() > count; await pause(5))
      assert.ok(Date.now() < end, 'streams remain open')
  }

  return {
    service: () => service,
    tenant: () => tenant,
    base,
    open,
    /** Opens a stream of new events and waits until it has started. */
    async opening(options: Options = {}): Promise<EventClient> {
      const client = await open(options)
      await client.until(() => client.events.length > 0, 'first event')
      return client
    },
    /** Closes all streams. */
    async closeAll(): Promise<void> {
      for (const client of opened.splice(0)) client.close()
      await untilClosed()
    },
    untilClosed,
    async call(method: string, path: string, body?: unknown) {
      const options = { key: tenant.workspaceKey, ...(body === undefined ? {} : { body }) }
      const response = await service.call(method, path, options)
      assert.ok(response.status < 300, response.text)
      return response.body.data
    },
    upload: async (fields: Record<string, unknown> = {}) =>
      (await uploadedBuild(service, tenant, fields)).build,
  }
}

/**
 * Waits until no transaction is older than the latest change. Until then, a new stream starts with earlier changes,
 * because transactions in the databases of other tests delay them.
 */
export async function untilChangesAreSettled({ deps }: Service): Promise<void> {
  for (const end = Date.now() + 60_000; ; await pause(20)) {
    const { rows } = await sql<{ settled: boolean }>`
      select coalesce(max(position), 0) < ${selectCommittedBefore} as settled from changes`.execute(deps.db)
    if (rows[0]?.settled === true) return
    assert.ok(Date.now() < end, 'an old transaction is still running')
  }
}

/** Waits for an event with this action on the resource. */
export const received = (client: EventClient, id: string, action: string): Promise<void> =>
  client.until(
    () => client.changes().some((data) => data['id'] === id && data['action'] === action),
    `${id} ${action}`,
  )

export const actionsOf = (client: EventClient): unknown[][] =>
  client.changes().map(({ type, id, action }) => [type, id, action])
