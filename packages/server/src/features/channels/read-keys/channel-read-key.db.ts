import { sql } from 'kysely'
import { listWithTotal } from '../../../database/page-with-total.ts'
import type { Db, Executor, Tx } from '../../../database/transaction.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import type { Page } from '../../../http/endpoint/pagination.ts'
import { shortId } from '../../../lib/ids.ts'
import { notFound } from '../../../lib/problem.ts'
import { requireChannelOfPath } from '../channel.db.ts'

const columns = [
  'id',
  'name',
  'prefix',
  'cohort',
  'max_downloads',
  'download_count',
  'created_at',
  'expires_at',
  'revoked_at',
] as const

export type ReadKeyRow = {
  id: string
  name: string
  prefix: string
  cohort: string | null
  max_downloads: number | null
  download_count: number
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

export async function listReadKeysPage(db: Executor, channelId: string, page: Page) {
  const keys = db.selectFrom('channel_read_keys').where('channel_id', '=', channelId)
  return listWithTotal(
    keys.select(columns).orderBy('created_at').orderBy('id').limit(page.limit).offset(page.offset),
    keys,
  )
}

/** Loads the channel and the read key that the path identifies; throws 404 if either does not exist. */
export async function requireReadKeyOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; channel_id: string; read_key_id: string }
}) {
  const { application, channel } = await requireChannelOfPath(call)
  const readKey = await call.db
    .selectFrom('channel_read_keys')
    .select(columns)
    .where('channel_id', '=', channel.id)
    .where('id', '=', call.params.read_key_id)
    .executeTakeFirstOrThrow(notFound)
  return { application, channel, readKey }
}

export async function countUsableReadKeys(tx: Tx, channelId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('channel_read_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

type NewKey = {
  name: string
  prefix: string
  key_sha256: Buffer
  cohort: string | null
  max_downloads: number | null
  expires_at: Date | null
}

export async function insertReadKey(tx: Tx, channelId: string, key: NewKey): Promise<ReadKeyRow> {
  return tx
    .insertInto('channel_read_keys')
    .values({ id: shortId(10), channel_id: channelId, ...key })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Revokes the key; returns false if it was already revoked. */
export async function revokeReadKey(tx: Tx, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('channel_read_keys')
    .set({ revoked_at: sql`now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Lists the keys of a channel that are not revoked, with their hashes. */
export async function listReadKeyHashes(db: Executor, channelId: string) {
  return db
    .selectFrom('channel_read_keys')
    .select(['id', 'key_sha256', 'cohort', 'expires_at', 'max_downloads'])
    .where('channel_id', '=', channelId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Counts a download against the limit of a key; returns false if the limit is reached or the key was revoked. */
export async function countKeyDownload(tx: Executor, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('channel_read_keys')
    .set((eb) => ({ download_count: eb('download_count', '+', 1) }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((eb) =>
      eb.or([eb('max_downloads', 'is', null), eb('download_count', '<', eb.ref('max_downloads'))]),
    )
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
