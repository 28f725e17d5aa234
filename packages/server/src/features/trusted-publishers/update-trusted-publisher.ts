import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { updateApiKeysOfPublisherRevoked } from '../api-keys/api-key.db.ts'
import { requireGrantable } from '../api-keys/api-key.ts'
import { requireApplicationLock } from '../applications/application.db.ts'
import { requireSoundClaims } from './claim-rules.ts'
import type { ClaimRules } from './claims.ts'
import { requireTrustedPublisherOfPath } from './trusted-publisher-of-path.ts'
import { requireTrustedPublisher, updateTrustedPublisherRow } from './trusted-publisher.db.ts'
import {
  requireIssuer,
  TrustedPublisher,
  TrustedPublisherChanges,
  trustedPublisherFacts,
  TrustedPublisherId,
  trustedPublisherResource,
} from './trusted-publisher.ts'

export const updateTrustedPublisher = endpoint({
  method: 'PATCH',
  path: '/applications/:application_id/trusted-publishers/:trusted_publisher_id',
  scope: { workspace: 'api_keys:write' },
  summary: 'Change a trusted publisher',
  description:
    '`claims` and `scopes` are replaced as a whole. Unless only the name changes, the caller must hold the scopes that the ' +
    'rule then gives, and the keys it has let in end at once.',
  params: Type.Object({ application_id: ApplicationId, trusted_publisher_id: TrustedPublisherId }),
  body: TrustedPublisherChanges,
  returns: one(TrustedPublisher),
  visible: requireTrustedPublisherOfPath,
  async handle({ application, publisher: { id }, body, ...call }) {
    const { claims, ...plain } = givenChanges(TrustedPublisherChanges, body)
    const isRenameOnly = Object.keys(body).every((field) => field === 'name')
    const changed = await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      const before = await requireTrustedPublisher(tx, application.id, id)
      const wanted = { ...before, ...plain, claims: claims ?? (before.claims as ClaimRules) }
      if (!isRenameOnly) {
        requireIssuer(wanted.issuer, call.issuerAddresses)
        requireSoundClaims(wanted.issuer, wanted.claims)
        // whoever may change whom a rule trusts could else get its scopes for a pipeline of his own
        requireGrantable(call.actor, 'application', wanted.scopes)
      }
      await updateTrustedPublisherRow(tx, id, {
        ...plain,
        ...(claims === undefined ? {} : { claims: JSON.stringify(claims) }),
        ...(plain.scopes === undefined ? {} : { scopes: [...new Set(plain.scopes)] }),
      })
      const revoked = isRenameOnly ? 0 : await updateApiKeysOfPublisherRevoked(tx, application.id, id)
      const after = await requireTrustedPublisher(tx, application.id, id)
      await recordEvent(tx, call, {
        action: 'trusted_publisher.updated',
        applicationId: application.id,
        subject: { type: 'trusted_publisher', id },
        before: trustedPublisherFacts(before),
        after: { ...trustedPublisherFacts(after), revoked_keys: revoked },
      })
      return after
    })
    return { message: 'Trusted publisher updated.', data: trustedPublisherResource(changed) }
  },
})
