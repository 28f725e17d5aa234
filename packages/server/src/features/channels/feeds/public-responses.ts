import type { IncomingHttpHeaders } from 'node:http'
import type { Adapter, FeedAddress } from '../adapters/adapter.ts'
import type { ClientFacts } from '../adoption/client-facts.ts'
import type { FeedDocument, FeedResult } from './documents.ts'
import type { Publication } from './publication.ts'

const maxResponses = 500

export type PublicResponse = FeedDocument | 'no update'
type Kept = {
  response: PublicResponse
  headers: Readonly<Record<string, string>>
  address: FeedAddress
  /** What was read of the last client. The next one usually has the same program. */
  last?: { userAgent: string | undefined; facts: ClientFacts }
}
export type PublicResponses = ReturnType<typeof createPublicResponses>

/** Creates the responses of a publication that depend on nothing but the URL of the request, so that it need not be read. */
export function createPublicResponses() {
  const responses = new Map<string, Kept>()
  return {
    find: (url: string): Kept | undefined => responses.get(url),
    keep(url: string, response: Kept): void {
      const [oldest] = responses.keys()
      if (responses.size >= maxResponses && oldest !== undefined) responses.delete(oldest)
      responses.set(url, response)
    },
  }
}

/**
 * Returns whether every client gets this response: the channel is public, every version is offered to everyone, and the
 * document does not change with time.
 */
export const isForEveryone = (
  { state, partial }: Pick<Publication, 'state' | 'partial'>,
  { index }: Pick<Adapter, 'index'>,
  { url, result }: { url: string; result: FeedResult },
): boolean =>
  state.access === 'public' &&
  partial.length === 0 &&
  index === undefined &&
  !/\.(?:asc|gpg)(?:\?|$)/.test(url) &&
  result !== 'not found' &&
  !(typeof result === 'object' && 'file' in result)

/** Returns the ID of the channel in the URL of a request without credentials. */
export const publicChannelId = (url: string, { authorization }: IncomingHttpHeaders): string | undefined =>
  authorization === undefined ? /^\/u\/([^/]+)\/(?!k\/)/.exec(url)?.[1] : undefined
