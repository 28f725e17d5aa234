import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../lib/problem.ts'
import { isPrefetch } from './accept.ts'

const maxUserAgentLength = 500
const maxParamLength = 255

/** Returns the path parameters. Throws 404 if one of them cannot identify anything. */
function pathParams({ params }: FastifyRequest): Record<string, string> {
  // Names in paths are normalized to NFC, because they are stored in NFC. This does not change IDs, which are ASCII.
  const entries = Object.entries((params ?? {}) as Record<string, string>).map(
    ([name, value]) => [name, value.normalize('NFC')] as const,
  )
  if (
    entries.some(
      ([, value]) => value.length > maxParamLength || value.includes('\0') || !value.isWellFormed(),
    )
  )
    throw notFound()
  return Object.fromEntries(entries)
}

/** Returns the input that endpoints and pages receive: the dependencies and metadata of the request. */
export const callOf = (deps: Deps, request: FastifyRequest) => ({
  ...deps,
  actor: request.actor,
  requestId: request.id,
  ...request.client,
  userAgent: request.headers['user-agent']?.slice(0, maxUserAgentLength) ?? null,
  isHead: request.method === 'HEAD' || isPrefetch(request.headers),
  range: request.headers.range,
  ifNoneMatch: request.headers['if-none-match'],
  params: pathParams(request),
})
