import type { Static } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import type { KeyKind } from '../../http/scopes.ts'
import { insertApiKey, updateApiKeyRevoked, type KeyOwner } from './api-key.db.ts'
import {
  hashKey,
  makeKey,
  requireExpiry,
  requireGrantable,
  type ApiKeyRow,
  type NewApiKey,
} from './api-key.ts'

/** What both levels share: makes a key, keeps only its hash, and writes the audit entry. */
export async function issueApiKey(call: Call, owner: KeyOwner, wish: Static<typeof NewApiKey>) {
  const { db, actor, address, clock } = call
  const kind: KeyKind = owner.applicationId === null ? 'workspace' : 'application'
  const scopes = requireGrantable(actor, kind, wish.scopes)
  const expiresAt = requireExpiry(wish.expires_at, clock.now(), actor.expiresAt)
  const key = makeKey(kind)
  const row = await inTransaction(db, async (tx) => {
    const inserted = await insertApiKey(tx, {
      owner,
      kind,
      name: wish.name.trim(),
      prefix: key.slice(0, 8),
      sha256: hashKey(key),
      scopes,
      createdBy: actor.keyId ?? actor.name,
      expiresAt,
    })
    await recordEvent(
      tx,
      { actor, address },
      {
        action: 'api_key.created',
        applicationId: owner.applicationId,
        subject: { type: 'api_key', id: inserted.id },
        after: { name: inserted.name, kind, scopes, expires_at: inserted.expires_at },
      },
    )
    return inserted
  })
  return { ...apiKeyResource(row), key }
}

export async function revokeApiKey(call: Call, owner: KeyOwner, key: ApiKeyRow): Promise<void> {
  const { db, actor, address } = call
  await inTransaction(db, async (tx) => {
    const changed = await updateApiKeyRevoked(tx, key.id)
    if (!changed) return
    await recordEvent(
      tx,
      { actor, address },
      {
        action: 'api_key.revoked',
        applicationId: owner.applicationId,
        subject: { type: 'api_key', id: key.id },
        before: { name: key.name, kind: key.kind, scopes: key.scopes },
      },
    )
  })
}

type Row = Omit<ApiKeyRow, 'kind'> & { kind: string }

export function apiKeyResource(row: Row): ApiKeyRow {
  return { ...row, kind: row.kind as KeyKind }
}
