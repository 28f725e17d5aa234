import { Type } from 'typebox'
import { requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, Nullable } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { chatFormats } from '../../net/chat/chat-format.ts'
import { chatCard } from './chat-card.ts'
import { encodePayload } from './webhook-format.ts'
import { RequestPayload } from './webhook-request.ts'
import { samplePayload } from './webhook-sample.ts'
import { WebhookEvent, WebhookFormat } from './webhook.ts'

const Card = Type.Object({
  title: Type.String(),
  subject: Type.String(),
  url: Nullable(Type.String()),
  facts: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), url: Nullable(Type.String()) })),
  notes: Nullable(Type.String()),
})

const WebhookSample = Type.Object(
  {
    payload: RequestPayload,
    content_type: Type.String(),
    body: Type.String({ description: 'The body that is sent to the receiver.' }),
    card: Nullable(Card),
  },
  { title: 'WebhookSample' },
)

export const getWebhookSample = endpoint({
  method: 'GET',
  path: '/applications/:application_id/webhook-sample',
  scope: { workspace: 'webhooks:read', application: 'webhooks:read' },
  summary: 'Get a sample webhook request',
  description:
    'Returns what a test would send, without sending it. The default event is `build.created`. `card` is the content of the chat message and is `null` if the format is `json` or `form`.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object({
    event: Type.Optional(WebhookEvent),
    format: Type.Optional(WebhookFormat),
  }),
  returns: one(WebhookSample),
  load: requireApplicationOfPath,
  async handle({ application, query: { event = 'build.created', format = 'json' }, ...call }) {
    const payload = await samplePayload(call, application.id, event)
    const { name } = application
    const { contentType, body } = encodePayload({
      payload: JSON.stringify(payload),
      format,
      application_name: name,
    })
    const isChat = chatFormats.some((each) => each === format)
    return {
      message: 'Sample retrieved.',
      data: { payload, content_type: contentType, body, card: isChat ? cardOf(payload, name) : null },
    }
  },
})

function cardOf(...[payload, name]: Parameters<typeof chatCard>) {
  const { title, subject, url = null, facts, notes = null } = chatCard(payload, name)
  return { title, subject, url, facts: facts.map((fact) => ({ url: null, ...fact })), notes }
}
