import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { requireGrantable } from '../api-keys/api-key.ts'
import { requireApplicationOfPath, requireApplicationLock } from '../applications/application.db.ts'
import { requireSoundClaims } from './claim-rules.ts'
import {
  insertTrustedPublisher,
  listTrustedPublisherRows,
  requireTrustedPublisher,
} from './trusted-publisher.db.ts'
import {
  mostRules,
  NewTrustedPublisher,
  requireIssuer,
  tooManyRules,
  TrustedPublisher,
  trustedPublisherFacts,
  trustedPublisherResource,
} from './trusted-publisher.ts'

export const createTrustedPublisher = endpoint({
  method: 'POST',
  path: '/applications/:application_id/trusted-publishers',
  scope: { workspace: 'api_keys:create' },
  summary: 'Trust the CI runs of an OIDC issuer',
  description:
    `Their tokens get keys at POST /auth/oidc/token, so that CI needs no stored secret. At most ${mostRules} an application. ` +
    'A key cannot give scopes that it has not itself.',
  params: Type.Object({ application_id: ApplicationId }),
  body: NewTrustedPublisher,
  status: 201,
  returns: one(TrustedPublisher),
  visible: requireApplicationOfPath,
  async handle({ application, body, ...call }) {
    const { issuer, audience = call.config.publicUrl, claims } = body
    requireIssuer(issuer, call.issuerAddresses)
    requireSoundClaims(issuer, claims)
    const scopes = requireGrantable(call.actor, 'application', body.scopes)
    const id = uuidV7()
    const publisher = await inTransaction(call.db, async (tx) => {
      await requireApplicationLock(tx, application.id)
      if ((await listTrustedPublisherRows(tx, application.id)).length >= mostRules) throw tooManyRules()
      await insertTrustedPublisher(tx, {
        id,
        workspace_id: application.workspace_id,
        application_id: application.id,
        name: body.name.trim(),
        issuer,
        audience: audience.trim(),
        claims: JSON.stringify(claims),
        scopes,
      })
      const row = await requireTrustedPublisher(tx, application.id, id)
      await recordEvent(tx, call, {
        action: 'trusted_publisher.created',
        applicationId: application.id,
        subject: { type: 'trusted_publisher', id },
        after: trustedPublisherFacts(row),
      })
      return row
    })
    return { message: 'Trusted publisher created.', data: trustedPublisherResource(publisher) }
  },
})
