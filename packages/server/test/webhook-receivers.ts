import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after, before, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { startService, type Service, type Tenant } from './harness.ts'
import { until } from './until.ts'

type Received = { headers: IncomingHttpHeaders; body: string; path: string }
type Responder = (response: ServerResponse) => void
export type RequestResource = {
  id: string
  state: string
  response_code: number | null
  response_headers: Record<string, string>
  response_payload: string
  request_headers: Record<string, string>
  request_payload: { id: string }
  duration: number
  delivery_attempts: number
  attempts: { started_at: string; response_code: number | null }[]
  error: string | null
}

const settings = { sendsWebhooks: true, environment: { QUAYSIDE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' } }
const bounds = { withinMs: 120_000 }

/** Starts a receiver on loopback that records every request and responds with 200 unless `respond` is set. */
export async function startReceiver(t: TestContext, respond: Responder = (response) => response.end('ok')) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      received.push({ headers: request.headers, body, path: request.url ?? '' })
      respond(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    until: (count: number) => until(`${count} requests`, () => received.length >= count && received, bounds),
  }
}

/** Starts a service that sends webhook requests to loopback addresses, for all tests in a file. */
export function useWebhookService() {
  let service: Service
  let tenant: Tenant
  before(async () => {
    service = await startService(settings)
  })
  after(() => service.close())

  const base = () => `/applications/${tenant.applicationId}/webhooks`

  // The body is not typed, because tests assert the shape they expect.
  // oxlint-disable-next-line typescript/no-explicit-any
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const response = await service.call(method, path, { key: tenant.applicationKey, body })
    assert.ok(response.status < 300, response.text)
    return response.body.data
  }

  const listRequests = (id: string): Promise<RequestResource[]> =>
    call('GET', `${base()}/${id}/requests?per_page=100`)

  return {
    service: () => service,
    tenant: () => tenant,
    db: () => service.deps.db,
    call,
    listRequests,
    /** Creates an application. Its webhooks are deleted after the test, so that later tests receive no requests. */
    async newTenant(t: TestContext): Promise<void> {
      tenant = await service.tenant()
      const { applicationId } = tenant
      t.after(() =>
        service.deps.db.deleteFrom('webhooks').where('application_id', '=', applicationId).execute(),
      )
    },
    async createWebhook(url: string, fields: object = {}): Promise<string> {
      return (await call('POST', base(), { url, event: 'build.created', ...fields })).id
    },
    callWebhook: (method: string, id: string, path = '', body?: unknown) =>
      call(method, `${base()}/${id}${path}`, body),
    /** Waits until `matches` returns true for a request of the webhook, and returns that request. */
    requestWith: (id: string, matches: (request: RequestResource) => boolean) =>
      until('a matching request', async () => (await listRequests(id)).find(matches), bounds),
    /** Makes the waiting requests of a webhook due immediately. */
    async makeDue(id: string): Promise<void> {
      await service.deps.db
        .updateTable('webhook_requests')
        .set({ next_attempt_at: sql<string>`now()` })
        .where('webhook_id', '=', id)
        .where('state', '=', 'waiting')
        .execute()
    },
    async nextAttemptAt(id: string): Promise<Date> {
      const row = await service.deps.db
        .selectFrom('webhook_requests')
        .select('next_attempt_at')
        .where('webhook_id', '=', id)
        .executeTakeFirstOrThrow()
      return new Date(row.next_attempt_at ?? 0)
    },
    /** Waits until every event of the application is dispatched and none of its requests is waiting for an attempt. */
    untilDispatched: () =>
      until(
        'all events are dispatched',
        async () => {
          const pending = await service.deps.db
            .selectFrom('events')
            .select('id')
            .where('application_id', '=', tenant.applicationId)
            .where('dispatched_at', 'is', null)
            .execute()
          const waiting = await service.deps.db
            .selectFrom('webhook_requests')
            .innerJoin('webhooks', 'webhooks.id', 'webhook_requests.webhook_id')
            .select('webhook_requests.id')
            .where('webhooks.application_id', '=', tenant.applicationId)
            .where('webhook_requests.state', '=', 'waiting')
            .execute()
          return pending.length === 0 && waiting.length === 0
        },
        bounds,
      ),
    async restart(): Promise<void> {
      await service.stop()
      service = await startService({ ...settings, state: service.state })
    },
  }
}
