import type { FastifyReply, FastifyRequest } from 'fastify'
import { version } from '../../config/version.ts'
import type { Problem } from '../../lib/problem.ts'
import { documentHeaders, privateHeaders, renderDocument } from '../pages/document.ts'
import { errorDocument, explainProblem } from '../pages/error-page.ts'
import type { Page } from '../pages/page.ts'
import { textFor } from '../pages/text/text-for.ts'
import { isNavigation } from './accept.ts'
import { problemFrom, renderError } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route serves: an endpoint, another protocol or a page; undefined for other documents and files. */
    serves?: 'endpoint' | 'protocol' | Page
  }
  interface FastifyRequest {
    /** Whether no route matches, but endpoints serve the path with other methods. */
    isForEndpoint: boolean
  }
}

export const commonHeaders = ({ id }: FastifyRequest) => ({
  'x-request-id': id,
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'quayside-version': version,
})

/** Returns whether errors of a request are sent as a page for people. Endpoints always send JSON. */
const isForPeople = (request: FastifyRequest): boolean =>
  request.routeOptions.config?.serves !== 'endpoint' && !request.isForEndpoint && isNavigation(request)

/** Sends any thrown value as JSON, or as a page if a browser opened an address that is not an endpoint. Sends people who have to sign in to the console. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): void {
  const problem = problemFrom(error)
  if (problem === undefined) request.log.error({ err: error, requestId: request.id }, 'request failed')
  const { status, headers, body } = renderError(error, request.id)
  // Fastify does not run hooks for a path that it cannot decode.
  if (!reply.hasHeader('x-request-id')) reply.headers(commonHeaders(request))
  void reply.code(status).headers(headers)
  if (!isForPeople(request)) {
    void reply.type('application/json; charset=utf-8').send(body)
    return
  }
  const { serves } = request.routeOptions.config ?? {}
  const page = typeof serves === 'object' ? serves : undefined
  const location = page && problem && locationFor(page, problem.kind, request)
  if (location !== undefined) {
    void reply
      .code(303)
      .headers({ ...privateHeaders, location: `${publicUrl}${location}` })
      .send()
    return
  }
  const text = textFor(request.headers['accept-language'])
  const explanation =
    (problem && page?.explain?.(problem, text, request.originalUrl)) ?? explainProblem(problem, text)
  const requestId = status >= 500 ? { label: text.requestId, id: request.id } : undefined
  void reply
    .headers(documentHeaders(publicUrl))
    .send(renderDocument(errorDocument(explanation, requestId), text, publicUrl))
}

/** Returns where people find what a page does not show them; undefined if it explains the problem itself. */
function locationFor(
  { consolePath, publicPath }: Page,
  kind: Problem['kind'],
  request: FastifyRequest,
): string | undefined {
  const params = request.params as Record<string, string>
  const isSignedOut = kind === 'unauthorized'
  if (publicPath !== undefined && (isSignedOut || kind === 'not_found' || kind === 'forbidden')) {
    const query = new URLSearchParams(request.url.split('?', 2)[1])
    if (isSignedOut) query.set('signed_out', '')
    return `/api/v1${publicPath(params)}${query.size === 0 ? '' : `?${query.toString()}`}`
  }
  return isSignedOut && consolePath !== undefined ? signInPath(consolePath(params)) : undefined
}

/** Returns the path at which people sign in to continue at a path of the console. */
export const signInPath = (next: string): string => `/sign-in?${new URLSearchParams({ next }).toString()}`
