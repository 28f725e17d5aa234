import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged } from '../../../http/endpoint/conditional.ts'
import type { Served } from '../adoption/feed-request.ts'
import type { FeedRedirect } from './documents.ts'
import type { PublicResponse } from './public-responses.ts'

type Sharing = { isPrivate: boolean }

const sharingHeaders = ({ isPrivate }: Sharing) => ({
  'cache-control': isPrivate ? 'private, no-cache' : 'public, no-cache',
  'referrer-policy': 'no-referrer',
})

/** Clients ask each time, so that a stop takes effect at once. What depends on the client must not be shared. */
export const headersOf = (result: PublicResponse, sharing: Sharing) => ({
  ...sharingHeaders(sharing),
  ...(result === 'no update' ? {} : { ...result.headers, etag: result.etag }),
})

/** Sends a document with its headers, or that it is unchanged. */
export function sendDocument(
  result: PublicResponse,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  sent: Readonly<Record<string, string>>,
): Served {
  void reply.headers(sent)
  if (result === 'no update') {
    void reply.code(204).send()
    return { outcome: 'no_updates' }
  }
  if (method !== 'POST' && isUnchanged(headers['if-none-match'], result.etag)) {
    void reply.code(304).send()
    return { outcome: 'unchanged' }
  }
  void reply.type(result.contentType).send(result.body)
  return { outcome: 'documents' }
}

/** The location is relative, so that it is right on every host and contains a read key in the path. */
export function sendRedirect({ redirect }: FeedRedirect, reply: FastifyReply, sharing: Sharing): Served {
  void reply
    .code(302)
    .headers({ ...sharingHeaders(sharing), location: redirect })
    .send()
  return {}
}
