import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireTrustedPublisherOfPath } from './trusted-publisher.db.ts'
import { TrustedPublisher, TrustedPublisherId, trustedPublisherResource } from './trusted-publisher.ts'

export const getTrustedPublisher = endpoint({
  method: 'GET',
  path: '/applications/:application_id/trusted-publishers/:trusted_publisher_id',
  scope: { workspace: 'api_keys:read' },
  summary: 'Get a trusted publisher',
  description: 'Returns the issuer, claims and scopes of one rule.',
  params: Type.Object({ application_id: ApplicationId, trusted_publisher_id: TrustedPublisherId }),
  returns: one(TrustedPublisher),
  load: requireTrustedPublisherOfPath,
  async handle({ publisher }) {
    return { message: 'Trusted publisher retrieved.', data: trustedPublisherResource(publisher) }
  },
})
