import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'
import type { KeyKind } from '../../http/scopes.ts'
import { shortId } from '../../lib/ids.ts'

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

export type KeyOwner = { workspaceId: string; applicationId: string | null }

type NewKey = {
  owner: KeyOwner
  kind: KeyKind
  name: string
  prefix: string
  sha256: Buffer
  scopes: string[]
  createdBy: string | null
  expiresAt: Date | null
  /** What let it in, where no key made it: the hash of an OIDC token, and the rules that took the token. */
  token?: { sha256: Buffer; trustedPublisherIds: string[] }
}

export async function insertApiKey(tx: Tx, key: NewKey) {
  const { owner, kind, name, prefix, sha256, scopes, createdBy, expiresAt, token } = key
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
      expires_at: expiresAt,
      token_sha256: token?.sha256 ?? null,
      trusted_publisher_ids: token?.trustedPublisherIds ?? null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

function keysOf(db: Executor, { workspaceId, applicationId }: KeyOwner) {
  return db
    .selectFrom('api_keys')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', applicationId === null ? 'is' : '=', applicationId)
}

export async function listApiKeysPage(db: Executor, owner: KeyOwner, page: Page) {
  const [rows, counted] = await Promise.all([
    keysOf(db, owner)
      .select(columns)
      .orderBy('created_at')
      .orderBy('id')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    keysOf(db, owner)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: counted.total }
}

export async function findApiKey(db: Executor, owner: KeyOwner, id: string) {
  return keysOf(db, owner).select(columns).where('id', '=', id).executeTakeFirst()
}

export async function updateApiKeyRevoked(tx: Tx, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn<string>('now') }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The key behind a hash while it is valid: not revoked, not expired, its application not in the trash. */
export async function findValidKey(db: Executor, sha256: Buffer) {
  return db
    .selectFrom('api_keys')
    .leftJoin('applications', 'applications.id', 'api_keys.application_id')
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.kind',
      'api_keys.workspace_id',
      'api_keys.application_id',
      'api_keys.scopes',
      'api_keys.expires_at',
    ])
    .where('api_keys.key_sha256', '=', sha256)
    .where('api_keys.revoked_at', 'is', null)
    .where('applications.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', eb.fn<string>('now'))]),
    )
    .executeTakeFirst()
}

export async function findWorkspaceHasKeys(db: Executor, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateApiKeyLastUsed(db: Executor, id: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set((eb) => ({ last_used_at: eb.fn<string>('now') }))
    .where('id', '=', id)
    .execute()
}

export async function findApiKeyCountOfToken(
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

/** Ends the keys that a rule has let in; answers how many lived. */
export async function updateApiKeysOfPublisherRevoked(
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

/** Removes keys of tokens that expired before, at most `most`; answers how many. */
export async function deleteExpiredTokenKeys(
  db: Executor,
  { expiredBefore, most }: { expiredBefore: Date; most: number },
): Promise<number> {
  const result = await db
    .deleteFrom('api_keys')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('api_keys')
        .select('id')
        .where('token_sha256', 'is not', null)
        .where('expires_at', '<', expiredBefore.toISOString())
        .orderBy('expires_at')
        .limit(most),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
