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
}

export async function insertApiKey(tx: Tx, key: NewKey) {
  const { owner, kind, name, prefix, sha256, scopes, createdBy, expiresAt } = key
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
