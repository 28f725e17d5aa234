import { Type } from 'typebox'
import { requireApplicationOfPath, requireApplicationLock } from '../../access/application.db.ts'
import { requireUnrevokedCaller, roleChanged } from '../../access/caller.db.ts'
import { readClock } from '../../database/health.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { requireExpiry } from '../../http/endpoint/lifetime.ts'
import { one } from '../../http/endpoint/responses.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { requireGrantable } from '../api-keys/api-key.ts'
import { requireSafeClaims } from './claim-rules.ts'
import {
  insertTrustedPublisher,
  listRulesOfApplication,
  requireTrustedPublisher,
} from './trusted-publisher.db.ts'
import {
  maxRules,
  NewTrustedPublisher,
  requireIssuer,
  tooManyRules,
  TrustedPublisher,
  trustedPublisherAuditSnapshot,
  trustedPublisherResource,
} from './trusted-publisher.ts'

export const createTrustedPublisher = endpoint({
  method: 'POST',
  path: '/applications/:application_id/trusted-publishers',
  scope: { workspace: 'api_keys:create' },
  summary: 'Create a trusted publisher',
  description:
    'Lets CI runs exchange OIDC tokens for short-lived keys at `POST /auth/oidc/token`, so that CI needs ' +
    `no stored secret. An application can have at most ${maxRules} trusted publishers. Your own key must ` +
    'hold every scope that the trusted publisher grants, and the trusted publisher cannot outlive it.',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewTrustedPublisher,
  status: 201,
  refuses: [tooManyRules, roleChanged],
  returns: one(TrustedPublisher),
  load: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    const { issuer, audience = call.config.publicUrl, claims } = body
    requireIssuer(issuer, call.issuerAddresses)
    requireSafeClaims(issuer, claims)
    const scopes = requireGrantable(call.actor, 'application', body.scopes)
    const expiresAt = requireExpiry(body.expires_at, await readClock(call.db), call.actor)
    const id = uuidV7()
    const publisher = await inTransaction(call.db, async (tx) => {
      // To avoid deadlocks, the key is locked before the application, in the same order as when a key is revoked with
      // its trusted publishers.
      await requireUnrevokedCaller(tx, call.actor)
      await requireApplicationLock(tx, application.id)
      if ((await listRulesOfApplication(tx, application.id)).length >= maxRules) throw tooManyRules()
      await insertTrustedPublisher(tx, {
        id,
        workspace_id: application.workspace_id,
        application_id: application.id,
        name: body.name.trim(),
        issuer,
        audience: audience.trim(),
        claims: JSON.stringify(claims),
        scopes,
        created_by: call.actor.id ?? call.actor.name,
        expires_at: expiresAt,
      })
      const row = await requireTrustedPublisher(tx, application.id, id)
      await recordEvent(tx, call, {
        action: 'trusted_publisher.created',
        applicationId: application.id,
        subject: { type: 'trusted_publisher', id },
        after: trustedPublisherAuditSnapshot(row),
      })
      return row
    })
    return { message: 'Trusted publisher created.', data: trustedPublisherResource(publisher) }
  },
})
