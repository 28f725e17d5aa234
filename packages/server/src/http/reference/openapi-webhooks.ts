import type { TSchema } from 'typebox'

/** A request that the service sends to webhooks. */
export type WebhookEvent = { summary: string; description: string; payload: TSchema }

const string = { type: 'string' }

const header = (name: string, required: boolean, description: string, schema: object = string) => ({
  name,
  in: 'header',
  required,
  description,
  schema,
})

const eventId =
  'The `id` of the payload. It is the same for every attempt and redelivery, so that a receiver can ignore duplicates.'
const time = 'Unix time of this attempt in seconds.'

const parameters = [
  header('x-webhook-event', true, 'The name of the event.'),
  header('x-webhook-id', true, eventId),
  header('webhook-id', true, eventId),
  header('x-webhook-timestamp', true, time, { type: 'string', pattern: '^[0-9]+$' }),
  header('webhook-timestamp', true, time, { type: 'string', pattern: '^[0-9]+$' }),
  header(
    'webhook-signature',
    false,
    'Signatures as defined by Standard Webhooks: `v1,` and the Base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, separated by spaces. Present if the webhook has a secret.',
  ),
  header(
    'x-webhook-signature',
    false,
    'The HMAC-SHA256 of the body in hexadecimal, with the secret as the key. Present if the webhook has a secret.',
  ),
]

/** Returns the `webhooks` object of the OpenAPI document. `schemaOf` moves named schemas to the components. */
export const webhookPaths = (
  events: Readonly<Record<string, WebhookEvent>>,
  schemaOf: (schema: TSchema) => object,
): Record<string, object> =>
  Object.fromEntries(
    Object.entries(events).map(([name, { summary, description, payload }]) => [
      name,
      {
        post: {
          operationId: `on${name.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          summary,
          description,
          tags: ['webhooks'],
          security: [],
          parameters,
          requestBody: { required: true, content: { 'application/json': { schema: schemaOf(payload) } } },
          responses: {
            '2XX': { description: 'The receiver has accepted the event. Its body is ignored.' },
            '4XX': {
              description:
                'The request is repeated later, with status 429 not before `Retry-After`. Status 410 deactivates the webhook.',
            },
            '5XX': { description: 'The request is repeated later.' },
          },
        },
      },
    ]),
  )
