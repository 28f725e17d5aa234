import { sql } from 'kysely'
import { generateCertificateKey } from '../../crypto/certificate-key.ts'
import { generateOpenPgpKey, type OpenPgpKey } from '../../crypto/openpgp-key.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { inTransaction, type Db, type Executor, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { requireLockedWorkspace } from '../workspace/workspace.db.ts'
import {
  repositoryKeyAuditSnapshot,
  repositoryKeyContext,
  type KeyKind,
  type RepositoryKeyRow,
} from './repository-key.ts'

const columns = [
  'id',
  'kind',
  'fingerprint',
  'public_key',
  'is_imported',
  'created_at',
  'retires_at',
] as const

/** The keys with which indexes are signed now. */
const selectUsable = (db: Executor, workspaceId: string) =>
  db
    .selectFrom('repository_keys')
    .where('workspace_id', '=', workspaceId)
    .where((eb) => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', sql<string>`now()`)]))
    .orderBy(sql`retires_at is not null`)
    .orderBy('created_at', 'desc')
    .orderBy('id')

const selectOfKind = (db: Executor, workspaceId: string, kind: KeyKind) =>
  selectUsable(db, workspaceId).where('kind', '=', kind)

/** Lists the current keys and the previous keys that have not retired; empty before a key is needed. */
export const listRepositoryKeyRows = (db: Executor, workspaceId: string): Promise<RepositoryKeyRow[]> =>
  selectUsable(db, workspaceId).select(columns).$narrowType<{ kind: KeyKind }>().execute()

/** Lists the IDs of the keys of a kind with which indexes are signed now. */
export async function listRepositoryKeyIds(
  db: Executor,
  workspaceId: string,
  kind: KeyKind,
): Promise<string[]> {
  const rows = await selectOfKind(db, workspaceId, kind).select('id').execute()
  return rows.map(({ id }) => id)
}

export async function requireRepositoryKeyOfPath(call: {
  db: Db
  actor: Actor
  params: { repository_key_id: string }
}): Promise<{ repositoryKey: RepositoryKeyRow }> {
  const repositoryKey = await call.db
    .selectFrom('repository_keys')
    .select(columns)
    .$narrowType<{ kind: KeyKind }>()
    .where('workspace_id', '=', call.actor.workspaceId)
    .where('id', '=', call.params.repository_key_id)
    .executeTakeFirstOrThrow(notFound)
  return { repositoryKey }
}

/** A key as text, whose private key has no passphrase. */
type KeyPair = OpenPgpKey

type NewKey = { kind: KeyKind; key: KeyPair; isImported: boolean }

/** Adds the current key of a kind, of which the workspace must not have one. */
export async function insertRepositoryKey(
  tx: Tx,
  box: SecretBox,
  workspaceId: string,
  { kind, key, isImported }: NewKey,
): Promise<RepositoryKeyRow> {
  const id = shortId(10)
  return tx
    .insertInto('repository_keys')
    .values({
      id,
      workspace_id: workspaceId,
      kind,
      fingerprint: key.fingerprint,
      public_key: key.publicKey,
      private_key_encrypted: box.seal(key.privateKey, repositoryKeyContext(id)),
      is_imported: isImported,
    })
    .returning(columns)
    .$narrowType<{ kind: KeyKind }>()
    .executeTakeFirstOrThrow()
}

/** Makes the current key of a kind a previous one, with which indexes are also signed for some days. */
export async function retireCurrentKey(
  tx: Tx,
  workspaceId: string,
  { kind, overlapDays }: { kind: KeyKind; overlapDays: number },
): Promise<void> {
  await tx
    .updateTable('repository_keys')
    .set({ retires_at: sql<string>`now() + make_interval(days => ${overlapDays})` })
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .where('retires_at', 'is', null)
    .execute()
  await tx
    .deleteFrom('repository_keys')
    .where('workspace_id', '=', workspaceId)
    .where('retires_at', '<=', sql<string>`now()`)
    .execute()
}

export async function removeRepositoryKey(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('repository_keys')
    .where('id', '=', id)
    .where('retires_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** How long before its first use a key was created, because clients reject keys from the future. */
const backdatedMs = 60 * 60 * 1000

export function generateRepositoryKey(kind: KeyKind, workspaceId: string, now: Date): Promise<KeyPair> {
  const generate = kind === 'openpgp' ? generateOpenPgpKey : generateCertificateKey
  return generate(`Package repository ${workspaceId}`, new Date(now.getTime() - backdatedMs))
}

/** A key with which indexes are signed now. */
export type SigningKey = { id: string; fingerprint: string; publicKey: string; privateKey: string }

/**
 * Returns the keys of a kind with which indexes are signed now, the current one first. The first call creates it. Of nodes that
 * call concurrently, one creates the key that all of them return.
 */
export async function ensureRepositoryKeys(
  deps: Pick<Deps, 'db' | 'secretBox' | 'clock'>,
  workspaceId: string,
  kind: KeyKind,
): Promise<SigningKey[]> {
  const { db, secretBox } = deps
  const known = await listSealedKeys(db, workspaceId, kind)
  if (known.length === 0) await createFirstKey(deps, workspaceId, kind)
  const keys = known.length > 0 ? known : await listSealedKeys(db, workspaceId, kind)
  return keys.map(({ id, fingerprint, public_key: publicKey, private_key_encrypted: sealed }) => ({
    id,
    fingerprint,
    publicKey,
    privateKey: secretBox.open(sealed, repositoryKeyContext(id)),
  }))
}

async function createFirstKey(
  { db, secretBox, clock }: Pick<Deps, 'db' | 'secretBox' | 'clock'>,
  workspaceId: string,
  kind: KeyKind,
): Promise<void> {
  const key = await generateRepositoryKey(kind, workspaceId, clock.now())
  const actor = { via: 'system', id: null, name: 'Package repositories', workspaceId } as const
  await inTransaction(db, async (tx) => {
    await requireLockedWorkspace(tx, workspaceId)
    if ((await listRepositoryKeyIds(tx, workspaceId, kind)).length > 0) return
    const created = await insertRepositoryKey(tx, secretBox, workspaceId, { kind, key, isImported: false })
    await recordEvent(
      tx,
      { actor, address: null },
      {
        action: 'repository_key.created',
        applicationId: null,
        subject: { type: 'repository_key', id: created.id },
        after: repositoryKeyAuditSnapshot(created),
      },
    )
  })
}

const listSealedKeys = (db: Executor, workspaceId: string, kind: KeyKind) =>
  selectOfKind(db, workspaceId, kind)
    .select(['id', 'fingerprint', 'public_key', 'private_key_encrypted'])
    .execute()

/** Re-encrypts the keys that were sealed with the previous master secret; returns their number. */
export async function resealRepositoryKeys(db: Db, box: SecretBox): Promise<number> {
  return inTransaction(db, async (tx) => {
    const rows = await tx
      .selectFrom('repository_keys')
      .select(['id', 'private_key_encrypted'])
      .forUpdate()
      .execute()
    let count = 0
    for (const { id, private_key_encrypted: sealed } of rows) {
      const resealed = box.reseal(sealed, repositoryKeyContext(id))
      if (resealed === undefined) continue
      count++
      await tx
        .updateTable('repository_keys')
        .set({ private_key_encrypted: resealed })
        .where('id', '=', id)
        .execute()
    }
    return count
  })
}

/** Deletes the keys whose master secret is lost; returns their number. */
export async function deleteUnreadableRepositoryKeys(tx: Tx, box: SecretBox): Promise<number> {
  const rows = await tx.selectFrom('repository_keys').select(['id', 'private_key_encrypted']).execute()
  const unreadable = rows.filter(({ id, private_key_encrypted: sealed }) => {
    try {
      box.open(sealed, repositoryKeyContext(id))
      return false
    } catch {
      return true
    }
  })
  for (const { id } of unreadable) await tx.deleteFrom('repository_keys').where('id', '=', id).execute()
  return unreadable.length
}
