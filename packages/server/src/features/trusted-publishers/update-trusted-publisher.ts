import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { requireApplicationLock } from '../../access/application.db.ts'
import { requireUnrevokedCaller, roleChanged } from '../../access/caller.db.ts'
import { readClock } from '../../database/health.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { beyondLifetime, isBeyondLifetime, requireExpiry } from '../../http/endpoint/lifetime.ts'
import { one } from '../../http/endpoint/responses.ts'
import { revokeApiKeysOfPublisher } from '../api-keys/api-key.db.ts'
import { requireGrantable } from '../api-keys/api-key.ts'
import { requireSafeClaims } from './claim-rules.ts'
import type { ClaimRules } from './claims.ts'
import {
  requireTrustedPublisher,
  requireTrustedPublisherOfPath,
  saveTrustedPublisher,
} from './trusted-publisher.db.ts'
import {
  requireIssuer,
  TrustedPublisher,
  TrustedPublisherChanges,
  trustedPublisherAuditSnapshot,
  TrustedPublisherId,
  trustedPublisherResource,
} from './trusted-publisher.ts'

export const updateTrustedPublisher = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/trusted-publishers/:trusted_publisher_id',
  scope: { workspace: 'api_keys:write' },
  summary: 'Update a trusted publisher',
  description:
    '`claims` and `scopes` are replaced as a whole. If anything other than the name changes, your own key ' +
    'must hold every scope that the updated trusted publisher grants, the keys issued through it are ' +
    'revoked, and an expiring key must set `expires_at` to a time before its own expiry.',
  params: Type.Object({ application_id: ApplicationId, trusted_publisher_id: TrustedPublisherId }),
  body: TrustedPublisherChanges,
  refuses: [roleChanged],
  returns: one(TrustedPublisher),
  load: requireTrustedPublisherOfPath,
  async handle({ application, publisher: { id }, body, ...call }) {
    const { claims, expires_at: newExpiry, ...changes } = givenChanges(TrustedPublisherChanges, body)
    const isRenameOnly = Object.keys(body).every((field) => field === 'name')
    const publisher = await inTransaction(call.db, async (tx) => {
      await requireUnrevokedCaller(tx, call.actor)
      await requireApplicationLock(tx, application.id)
      const before = await requireTrustedPublisher(tx, application.id, id)
      const updated = { ...before, ...changes, claims: claims ?? (before.claims as ClaimRules) }
      if (!isRenameOnly) {
        requireIssuer(updated.issuer, call.issuerAddresses)
        requireSafeClaims(updated.issuer, updated.claims)
        // Otherwise, a caller with fewer scopes could point the rule at their own pipeline and obtain its scopes.
        requireGrantable(call.actor, 'application', updated.scopes)
        if (newExpiry === undefined && isBeyondLifetime(timeFrom(before.expires_at), call.actor))
          throw beyondLifetime(call.actor)
      }
      await saveTrustedPublisher(tx, id, {
        ...changes,
        ...(claims === undefined ? {} : { claims: JSON.stringify(claims) }),
        ...(newExpiry === undefined
          ? {}
          : { expires_at: requireExpiry(newExpiry, await readClock(tx), call.actor) }),
        ...(changes.scopes === undefined ? {} : { scopes: [...new Set(changes.scopes)] }),
      })
      const after = await requireTrustedPublisher(tx, application.id, id)
      const snapshots = {
        before: trustedPublisherAuditSnapshot(before),
        after: trustedPublisherAuditSnapshot(after),
      }
      if (isDeepStrictEqual(snapshots.before, snapshots.after)) return after
      const revoked = isRenameOnly ? 0 : await revokeApiKeysOfPublisher(tx, application.id, id)
      await recordEvent(tx, call, {
        action: 'trusted_publisher.updated',
        applicationId: application.id,
        subject: { type: 'trusted_publisher', id },
        before: snapshots.before,
        after: { ...snapshots.after, revoked_keys: revoked },
      })
      return after
    })
    return { message: 'Trusted publisher updated.', data: trustedPublisherResource(publisher) }
  },
})

const timeFrom = (text: string | null): Date | null => (text === null ? null : new Date(text))
