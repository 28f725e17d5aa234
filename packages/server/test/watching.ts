import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach } from 'node:test'
import { watch, type EventClient } from './event-client.ts'
import { startService, type Service, type Tenant } from './harness.ts'
import { untilChangesAreSettled } from './settled-changes.ts'
import { until } from './until.ts'
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
  const untilClosed = (count = 0): Promise<true> =>
    until('the streams are closed', () => service.deps.eventStreams.count() <= count, { everyMs: 5 })

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

/** Waits for an event with this action on the resource. */
export const received = (client: EventClient, id: string, action: string): Promise<void> =>
  client.until(
    () => client.changes().some((data) => data['id'] === id && data['action'] === action),
    `${id} ${action}`,
  )

/** Returns the changes except those of uploads, which every new build causes. */
export const actionsOf = (client: EventClient): unknown[][] =>
  client
    .changes()
    .filter(({ type }) => type !== 'upload')
    .map(({ type, id, action }) => [type, id, action])

/** Returns what the events reported about one resource. */
export const actionsOn = (client: EventClient, id: string): unknown[] =>
  client
    .changes()
    .filter((change) => change['id'] === id)
    .map(({ action }) => action)
