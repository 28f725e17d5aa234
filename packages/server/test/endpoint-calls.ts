import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../src/database/transaction.ts'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { shortId, uuidV7 } from '../src/lib/ids.ts'
import type { ApiResponse, Service } from './harness.ts'
import { untilIdle } from './idle.ts'
import { fillPath, idFor, pathNames } from './sample.ts'
import type { World } from './world.ts'

type Options = { key?: string | null; body?: unknown; headers?: Record<string, string> }

/** Calls an endpoint with these path parameters, by default without a key. */
export function send(
  service: Service,
  endpoint: Endpoint,
  values: Record<string, string>,
  { key = null, body, headers = {} }: Options,
): Promise<ApiResponse> {
  return service.call(endpoint.method, fillPath(endpoint, values), { key, body, headers })
}

/**
 * Returns the keys that may call the endpoint: the workspace key and, if the endpoint accepts it, the application key.
 * For an endpoint that accepts no keys, returns the session cookie of an owner.
 */
export function keysFor({ scope }: Endpoint, { own }: World): (string | null)[] {
  if (scope === 'public') return [null]
  if (scope.session === 'required') return [own.ownerSession]
  return scope.application === undefined ? [own.workspaceKey] : [own.workspaceKey, own.applicationKey]
}

/** Returns a random ID in the same format. */
const unknownIdLike = (id: string): string =>
  id.includes('-') ? uuidV7() : shortId(id.length === 12 ? 12 : 10)

export function randomIds({ own }: World, endpoint: Endpoint): Record<string, string> {
  return Object.fromEntries(
    pathNames(endpoint).map((name) => [name, unknownIdLike(idFor(own, endpoint, name))]),
  )
}

const withoutRequestId = (text: string): string => text.replace(/"request_id":"[^"]*"/, '"request_id":""')

const lastUses = /"last_used_at":"[^"]*"/g

/**
 * Returns the parts of a response that could reveal information to a caller. The times at which API keys were last used
 * are left out, because they change while a test calls the API.
 */
export function observableResponse({ status, headers, text }: ApiResponse): unknown {
  const ignored = new Set(['date', 'x-request-id', ...(text.search(lastUses) < 0 ? [] : ['etag'])])
  const others = [...headers].filter(([name]) => !ignored.has(name))
  const body = withoutRequestId(text).replaceAll(lastUses, '"last_used_at":""')
  return { status, headers: Object.fromEntries(others), text: body }
}

/** Asserts that `work` does not change any database rows. */
export async function assertNoChanges(service: Service, work: () => Promise<void>): Promise<void> {
  // Jobs read the builds that earlier requests have created.
  await untilIdle(service)
  const before = await fingerprint(service.deps.db)
  await work()
  assert.deepEqual(await fingerprint(service.deps.db), before)
}

/** Returns the number and a digest of the rows in each table, ignoring columns that background tasks update. */
async function fingerprint(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const digests = tables.map(
    ({ name }) => sql`
      select ${sql.lit(name)} as name, count(*) || ' ' || coalesce(md5(string_agg(row, ',' order by row)), '') as digest
      from (select (to_jsonb(t) - '{last_used_at,clock_seen_at,deletion_paused_seconds}'::text[])::text as row from ${sql.table(name)} t) as rows`,
  )
  const { rows } = await sql<{
    name: string
    digest: string
  }>`${sql.join(digests, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
