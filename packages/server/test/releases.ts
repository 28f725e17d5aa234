import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../src/database/transaction.ts'
import type { ApiResponse, Service, Tenant } from './harness.ts'
import { versionOf } from './uploading.ts'

/** Returns functions that create releases of a tenant and change their status through the API. */
export function releaseCalls(service: Service, tenant: Tenant) {
  const send = (method: string, path: string, body?: unknown) =>
    service.call(method, `/applications/${tenant.applicationId}${path}`, { key: tenant.workspaceKey, body })

  async function create(fields: Record<string, unknown> = {}) {
    const response = await send('POST', '/releases', { title: 'News', ...versionOf(1), ...fields })
    assert.equal(response.status, 201, response.text)
    return response.body.data
  }

  return {
    send,
    create,
    publish: (id: string) => send('POST', `/releases/${id}/publish`),
    withdraw: (id: string) => send('POST', `/releases/${id}/withdraw`),
    schedule: (id: string, scheduled_for = future) =>
      send('POST', `/releases/${id}/schedule`, { scheduled_for }),
    read: async (id: string) => (await send('GET', `/releases/${id}`)).body.data,
    shareLink: async (id: string, fields: object = {}) =>
      (await send('POST', `/releases/${id}/share-links`, fields)).body.data,
  }
}

export const future = '2099-01-01T00:00:00.000000Z'

/** Copies a release `count` times. The IDs of the copies start with the prefix. */
export async function copyRelease(
  db: Db,
  { from, prefix, count }: { from: string; prefix: string; count: number },
): Promise<void> {
  await sql`insert into releases
    select (jsonb_populate_record(releases, jsonb_build_object('id', ${prefix}::text || number))).*
    from releases, generate_series(1, ${count}::integer) as number where id = ${from}`.execute(db)
}

/** Returns in how many transactions the releases whose IDs start with the prefix were last changed. */
export async function countWritingTransactions(db: Db, prefix: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct xmin::text) as count from releases
    where starts_with(id, ${prefix})`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the names of the events about a release, oldest first. */
export async function eventsAbout({ deps }: Service, id: string): Promise<string[]> {
  const rows = await deps.db.selectFrom('events').selectAll().orderBy('id').execute()
  return rows
    .filter(({ data }) => (data as { release?: { id: string } }).release?.id === id)
    .map(({ name }) => name)
}

export const withoutRequestId = ({ status, body }: ApiResponse) => ({
  status,
  body: { ...body, request_id: '' },
})
