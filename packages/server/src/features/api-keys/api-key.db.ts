import { sql } from 'kysely'
import { requireOwnerOfPath, type OwnerRef } from '../../access/owner.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import type { KeyKind } from '../../http/endpoint/scopes.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'

const columns = [
  'id',
  'name',
  'kind',
  'application_id',
  'scopes',
  'prefix',
  'created_by',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const

type NewKey = {
  owner: OwnerRef
  kind: KeyKind
  name: string
  prefix: string
  sha256: Buffer
  scopes: string[]
  createdBy: string | null
  /** The user who creates the key, directly or through other keys. */
  userId?: string | null
  expiresAt: Date | null
  /**
   * Set for keys issued in exchange for an OIDC token: the hash of the token and the trusted publishers that it
   * matched.
   */
  token?: { sha256: Buffer; trustedPublisherIds: string[]; publishersExpireAt: Date | null }
}

export async function insertApiKey(tx: Tx, key: NewKey) {
  const { owner, kind, name, prefix, sha256, scopes, createdBy, userId = null, expiresAt, token } = key
  return tx
    .insertInto('api_keys')
    .values({
      id: shortId(10),
      workspace_id: owner.workspaceId,
      application_id: owner.applicationId,
      kind,
      name,
      prefix,
      key_sha256: sha256,
      scopes,
      created_by: createdBy,
      user_id: userId,
      expires_at: expiresAt,
      token_sha256: token?.sha256 ?? null,
      trusted_publisher_ids: token?.trustedPublisherIds ?? null,
      publishers_expire_at: token?.publishersExpireAt ?? null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

function selectKeysOf(db: Executor, { workspaceId, applicationId }: OwnerRef) {
  return db
    .selectFrom('api_keys')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', applicationId === null ? 'is' : '=', applicationId)
}

export async function listApiKeysPage(db: Executor, owner: OwnerRef, page: Page) {
  return listWithTotal(
    selectKeysOf(db, owner)
      .select(columns)
      .orderBy('created_at')
      .orderBy('id')
      .limit(page.limit)
      .offset(page.offset),
    selectKeysOf(db, owner),
  )
}

/** Loads the API key that the path identifies, at application or workspace level; throws 404 if it does not exist. */
export async function requireApiKeyOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id?: string; api_key_id: string }
}) {
  const { owner } = await requireOwnerOfPath(call)
  const key = await selectKeysOf(call.db, owner)
    .select(columns)
    .where('id', '=', call.params.api_key_id)
    .executeTakeFirstOrThrow(notFound)
  return { owner, key }
}

/** Revokes the key; returns false if it was already revoked. */
export async function revokeApiKey(tx: Tx, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn<string>('now') }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Returns the keys with these hashes, except keys that are revoked or expired, whose application is in the trash, or
 * whose creator is no longer an owner or admin.
 */
export async function findValidKeys(db: Executor, hashes: Buffer[]) {
  return db
    .selectFrom('api_keys')
    .leftJoin('applications', 'applications.id', 'api_keys.application_id')
    .leftJoin('workspace_members as creator', (join) =>
      join
        .onRef('creator.user_id', '=', 'api_keys.user_id')
        .onRef('creator.workspace_id', '=', 'api_keys.workspace_id'),
    )
    .select([
      'api_keys.user_id',
      'creator.role as creator_role',
      'api_keys.id',
      'api_keys.key_sha256',
      'api_keys.name',
      'api_keys.kind',
      'api_keys.workspace_id',
      'api_keys.application_id',
      'api_keys.scopes',
      'api_keys.expires_at',
      sql<string | null>`case when api_keys.token_sha256 is null then api_keys.expires_at
        else api_keys.publishers_expire_at end`.as('grants_until'),
    ])
    .where(sql<boolean>`api_keys.key_sha256 = any(${hashes}::bytea[])`)
    .where('api_keys.revoked_at', 'is', null)
    .where('applications.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('api_keys.user_id', 'is', null), eb('creator.role', 'in', ['owner', 'admin'])]))
    .where((eb) =>
      eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', eb.fn<string>('now'))]),
    )
    .execute()
}

/** Returns the ID of any key in the workspace, including keys of applications and keys that are no longer valid. */
export async function findAnyApiKey(db: Executor, workspaceId: string) {
  return db.selectFrom('api_keys').select('id').where('workspace_id', '=', workspaceId).executeTakeFirst()
}

/** Finds a workspace key that was created by `createdBy` and is neither revoked nor expired. */
export async function findUsableApiKeyBy(db: Executor, workspaceId: string, createdBy: string) {
  return selectKeysOf(db, { workspaceId, applicationId: null })
    .select(['id', 'prefix'])
    .where('created_by', '=', createdBy)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<string>`now()`)]))
    .executeTakeFirst()
}

export async function touchApiKey(db: Executor, id: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set((eb) => ({ last_used_at: eb.fn<string>('now') }))
    .where('id', '=', id)
    .execute()
}

export async function countApiKeysOfToken(
  tx: Tx,
  applicationId: string,
  tokenSha256: Buffer,
): Promise<number> {
  const { count } = await tx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .where('token_sha256', '=', tokenSha256)
    .executeTakeFirstOrThrow()
  return count
}

/** Revokes the valid keys issued through a trusted publisher; returns the number revoked. */
export async function revokeApiKeysOfPublisher(
  tx: Tx,
  applicationId: string,
  trustedPublisherId: string,
): Promise<number> {
  const result = await tx
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn<string>('now') }))
    .where('application_id', '=', applicationId)
    .where('token_sha256', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', (eb) => eb.fn<string>('now'))
    .where((eb) => eb(eb.val(trustedPublisherId), '=', eb.fn.any('trusted_publisher_ids')))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Deletes up to `limit` OIDC-issued keys that expired more than `days` days ago; returns the number deleted. */
export async function deleteSomeExpiredTokenKeys(db: Executor, days: number, limit: number): Promise<number> {
  const some = db
    .selectFrom('api_keys')
    .select('id')
    .where('token_sha256', 'is not', null)
    .where(sql<boolean>`expires_at < now() - make_interval(days => ${days}::int)`)
    .orderBy('expires_at')
    .limit(limit)
  const result = await db.deleteFrom('api_keys').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
