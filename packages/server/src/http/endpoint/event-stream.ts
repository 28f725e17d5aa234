import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { problem } from '../../lib/problem.ts'
import type { ApiResponse } from '../idempotency/idempotency.ts'

/** The response of an endpoint that `streams`: server-sent events, or null for HEAD. */
export const EventStream = Type.Unsafe<Readable | null>({ type: 'string' })

const eventStreamType = 'text/event-stream'

// `X-Accel-Buffering` prevents nginx from delaying events in a buffer.
const headers = { 'content-type': eventStreamType, 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

/** Throws 406 if the client accepts only other content types. Such a client would wait for the response to end. */
export function requireEventStreamAccepted(accept = '*/*'): void {
  const isAccepted = accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return (
      ['*/*', 'text/*', eventStreamType].includes(type) &&
      !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
    )
  })
  if (isAccepted || accept.trim() === '') return
  throw streamNotAccepted()
}

export const streamNotAccepted = problem(
  'not_acceptable',
  'request.not_acceptable',
  `This endpoint returns an event stream. Send \`Accept: ${eventStreamType}\`.`,
)

/** Converts the `EventStream` that an endpoint returned to an HTTP response. */
export const eventStreamResponse = (stream: Readable | null): ApiResponse => ({
  status: 200,
  text: '',
  stream,
  headers,
})

/** Sends a stream, or only the headers if it is null. */
export function sendStream(
  reply: FastifyReply,
  { stream = null, headers: ownHeaders = {} }: Pick<ApiResponse, 'stream' | 'headers'>,
): FastifyReply {
  reply.headers(ownHeaders)
  if (stream !== null) return reply.send(stream)
  reply.hijack()
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>).end()
  return reply
}

/** The events of a stream: the name of each event, with the schema of its data. */
export type EventSchemas = Readonly<Record<string, object>>

/** Returns the OpenAPI description of a stream. OpenAPI 3.1 cannot describe events, so an extension describes them. */
export const eventStreamContent = (events: object) => ({
  [eventStreamType]: {
    schema: {
      type: 'string',
      contentMediaType: eventStreamType,
      description: 'Server-sent events. `x-events` contains the schema of the JSON in `data` for each event.',
      'x-events': events,
    },
  },
})

export const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `id` of the last event that the client received. The stream resumes after it. `EventSource` sends this header automatically.',
  schema: { type: 'string' },
}
