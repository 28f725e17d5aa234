import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { requireTrustedPublisherOfPath } from './trusted-publisher-of-path.ts'
import { TrustedPublisher, TrustedPublisherId, trustedPublisherResource } from './trusted-publisher.ts'

export const getTrustedPublisher = endpoint({
  method: 'GET',
  path: '/applications/:application_id/trusted-publishers/:trusted_publisher_id',
  scope: { workspace: 'api_keys:read' },
  summary: 'Get a trusted publisher',
  params: Type.Object({ application_id: ApplicationId, trusted_publisher_id: TrustedPublisherId }),
  returns: one(TrustedPublisher),
  visible: requireTrustedPublisherOfPath,
  async handle({ publisher }) {
    return { message: 'Trusted publisher retrieved.', data: trustedPublisherResource(publisher) }
  },
})
