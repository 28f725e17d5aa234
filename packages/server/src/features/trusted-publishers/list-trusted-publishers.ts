import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { listRulesOfApplication } from './trusted-publisher.db.ts'
import { TrustedPublisher, trustedPublisherResource } from './trusted-publisher.ts'

export const listTrustedPublishers = endpoint({
  method: 'GET',
  path: '/applications/:application_id/trusted-publishers',
  scope: { workspace: 'api_keys:read' },
  summary: 'List trusted publishers',
  description: 'Lists the rules by which CI runs exchange their OIDC tokens for short-lived API keys.',
  params: Type.Object({ application_id: ApplicationId }),
  returns: listOf(TrustedPublisher),
  load: requireApplicationOfPath,
  async handle({ db, application }) {
    const rows = await listRulesOfApplication(db, application.id)
    return { message: 'Trusted publishers retrieved.', data: rows.map(trustedPublisherResource) }
  },
})
