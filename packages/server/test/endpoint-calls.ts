import assert from 'node:assert/strict'
import type { Endpoint } from '../src/http/endpoint.ts'
import { shortId, uuidV7 } from '../src/lib/ids.ts'
import { fingerprint } from './fingerprint.ts'
import type { Answer, Service } from './harness.ts'
import { fillPath, idFor, pathNames } from './sample.ts'
import type { World } from './world.ts'

type Sent = { key?: string | null; body?: unknown; headers?: Record<string, string> }

/** Calls an endpoint with these values in its path; without a key unless one is given. */
export function send(
  service: Service,
  endpoint: Endpoint,
  values: Record<string, string>,
  { key = null, body, headers = {} }: Sent,
): Promise<Answer> {
  return service.call(endpoint.method, fillPath(endpoint, values), { key, body, headers })
}

/** Keys that may call the endpoint: the application's own one only where it reaches that far. */
export function callers({ scope }: Endpoint, { own }: World): (string | null)[] {
  if (scope === 'public') return [null]
  return scope.application === undefined ? [own.workspaceKey] : [own.workspaceKey, own.applicationKey]
}

/** An id of the same form that names nothing. */
export const likeOf = (id: string): string =>
  id.includes('-') ? uuidV7() : shortId(id.length === 12 ? 12 : 10)

export function randomIds({ own }: World, endpoint: Endpoint): Record<string, string> {
  return Object.fromEntries(pathNames(endpoint).map((name) => [name, likeOf(idFor(own, endpoint, name))]))
}

export const withoutRequestId = (text: string): string =>
  text.replace(/"request_id":"[^"]*"/, '"request_id":""')

/** All of an answer that could tell a caller something. */
export function visible({ status, headers, text }: Answer): unknown {
  const seen = Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)))
  return { status, headers: seen, text: withoutRequestId(text) }
}

export async function nothingChanges(service: Service, work: () => Promise<void>): Promise<void> {
  const before = await fingerprint(service.deps.db)
  await work()
  assert.deepEqual(await fingerprint(service.deps.db), before)
}
