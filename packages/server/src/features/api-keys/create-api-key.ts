import { Type, type Static } from 'typebox'
import { requireUnrevokedCaller, roleChanged } from '../../access/caller.db.ts'
import { requireOwnerOfPath, type OwnerRef } from '../../access/owner.ts'
import { readClock } from '../../database/health.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { requireExpiry } from '../../http/endpoint/lifetime.ts'
import { one } from '../../http/endpoint/responses.ts'
import type { KeyKind } from '../../http/endpoint/scopes.ts'
import { insertApiKey } from './api-key.db.ts'
import {
  apiKeyResource,
  CreatedApiKey,
  hashKey,
  generateKey,
  NewApiKey,
  requireGrantable,
} from './api-key.ts'

const definition = {
  method: 'POST',
  scope: { workspace: 'api_keys:create' },
  description:
    'Only this response contains the complete key; the server stores just its hash. A caller cannot grant scopes that it does not hold. A key that a user creates is revoked when the user is no longer an owner or admin of the workspace.',
  body: NewApiKey,
  status: 201,
  refuses: [roleChanged],
  returns: one(CreatedApiKey),
  load: requireOwnerOfPath,
  async handle({ owner, body, ...call }: Call & { owner: OwnerRef; body: Static<typeof NewApiKey> }) {
    const { db, actor } = call
    const kind: KeyKind = owner.applicationId === null ? 'workspace' : 'application'
    const scopes = requireGrantable(actor, kind, body.scopes)
    const expiresAt = requireExpiry(body.expires_at, await readClock(db), actor)
    const key = generateKey(kind)
    const row = await inTransaction(db, async (tx) => {
      await requireUnrevokedCaller(tx, actor)
      const inserted = await insertApiKey(tx, {
        owner,
        kind,
        name: body.name.trim(),
        prefix: key.slice(0, 8),
        sha256: hashKey(key),
        scopes,
        createdBy: actor.id ?? actor.name,
        userId: actor.userId,
        expiresAt,
      })
      await recordEvent(tx, call, {
        action: 'api_key.created',
        applicationId: owner.applicationId,
        subject: { type: 'api_key', id: inserted.id },
        after: { name: inserted.name, kind, scopes, expires_at: inserted.expires_at },
      })
      return inserted
    })
    return { message: 'API key created.', data: { ...apiKeyResource(row), key } }
  },
} as const

export const createApplicationApiKey = endpoint({
  ...definition,
  path: '/applications/:application_id/api-keys',
  summary: 'Create an application API key',
  params: Type.Object({ application_id: ApplicationId }),
})

export const createWorkspaceApiKey = endpoint({
  ...definition,
  path: '/workspace/api-keys',
  summary: 'Create a workspace API key',
})
