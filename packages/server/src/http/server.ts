import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Deps } from '../deps.ts'
import { uuidV7 } from '../lib/ids.ts'
import { noMetrics } from '../lib/metrics.ts'
import { notFound } from '../lib/problem.ts'
import type { Actor } from './endpoint/actor.ts'
import { createCallers, type Authenticate, type Callers } from './endpoint/callers.ts'
import { entityTag, isConditional, isUnchanged } from './endpoint/conditional.ts'
import type { Endpoint } from './endpoint/endpoint.ts'
import { requireEventStreamAccepted, sendStream } from './endpoint/event-stream.ts'
import { handleRequest } from './endpoint/handle-request.ts'
import {
  createUnsupportedMethods,
  shadowedMethods,
  type UnsupportedMethods,
} from './endpoint/unsupported-methods.ts'
import { createFormSlots } from './pages/form-slots.ts'
import { htmlConstraint, mountPage } from './pages/page-routes.ts'
import type { Page } from './pages/page.ts'
import { maxBodyBytes, maxPublicBodyBytes, readBody, requireDeclaredLength } from './wire/body.ts'
import { acceptChunkedWithContentLength } from './wire/chunked-with-content-length.ts'
import { createClientAddress, type ClientAddress } from './wire/client-address.ts'
import { hasBody } from './wire/close-connection.ts'
import { compressResponse, isCompressed } from './wire/compression.ts'
import { respondToMalformedRequest } from './wire/malformed-requests.ts'
import { commonHeaders, sendError } from './wire/send-error.ts'

/** Called with each response before it is sent. `route` is undefined if no endpoint matched. */
export type OnResponse = (response: {
  method: string
  route: string | undefined
  status: number
  headers: Readonly<Record<string, unknown>>
  text: string
}) => void

type Options = {
  deps: Deps
  endpoints: Readonly<Record<string, Endpoint>>
  pages: Readonly<Record<string, Page>>
  authenticate: Authenticate
  server: Server
  /** Called once with Fastify's request handler, which the caller mounts on `server`. */
  onHandler: (handler: (request: IncomingMessage, response: ServerResponse) => void) => void
  /** Returns the path and query that handle a request for this path and query. */
  rewriteUrl: (url: string, request: IncomingMessage) => string
  /** Set by tests to check every response against the OpenAPI document. */
  onResponse?: OnResponse
}

export const apiBase = '/api/v1'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    client: ClientAddress
  }
}

/**
 * Creates the HTTP API. Every request passes the same checks in the same order before its operation runs: key or session
 * (401), rate limit (429), scope (403), body (400, 413, 415), resources in the path (404) and fields (422).
 */
export function createApi(options: Options): FastifyInstance {
  const { deps } = options
  const { publicUrl } = deps.config
  const log: FastifyBaseLogger = deps.log
  const api = Fastify({
    serverFactory: (handler) => {
      options.onHandler(handler)
      return options.server
    },
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // What is logged about a request names its ID, so that requests without a line in the log need no logger of their own.
    childLoggerFactory: (logger) => logger,
    bodyLimit: maxBodyBytes,
    genReqId: () => uuidV7(),
    rewriteUrl: (request) => options.rewriteUrl(request.url ?? '/', request),
    // Long IDs must reach our own checks, which respond with 404 to an ID that cannot exist.
    routerOptions: { maxParamLength: 16 * 1024, constraints: { prefers: htmlConstraint } },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply, publicUrl),
    clientErrorHandler: (error, socket) => {
      if (!acceptChunkedWithContentLength(error, socket, options.server))
        void respondToMalformedRequest(error, socket)
    },
  })
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('*', async ({ raw, routeOptions: { bodyLimit } }: FastifyRequest) =>
    readBody(raw, bodyLimit),
  )
  api.decorateRequest('actor', null)
  api.decorateRequest('isForEndpoint', false)
  const clientOf = createClientAddress(options.deps.config.trustedProxies)
  api.decorateRequest('client', {
    getter() {
      return clientOf(this.raw)
    },
  })
  api.setErrorHandler((error, request, reply) => sendError(error, request, reply, publicUrl))
  api.setNotFoundHandler((request, reply) => sendError(notFound(), request, reply, publicUrl))
  const callers = createCallers(deps, options.authenticate)
  addHooks(api, options, callers)
  api.decorate('callers', callers)
  const pages = Object.values(options.pages)
  const pagePaths = new Set(pages.map(({ path }) => path))
  for (const endpoint of Object.values(options.endpoints))
    mount(api, endpoint, { deps, callers, hasPage: pagePaths.has(endpoint.path) })
  const formSlots = createFormSlots()
  for (const page of pages)
    mountPage(api, page, { deps, callers, base: apiBase, maxBodyBytes: maxPublicBodyBytes, formSlots })
  refuseShadowedMethods(api, options.endpoints, callers)
  return api
}

/** Adds the hooks that every request passes. */
function addHooks(api: FastifyInstance, { deps, endpoints, onResponse }: Options, callers: Callers): void {
  const findUnsupported = createUnsupportedMethods(endpoints)
  // Callbacks, because each promise would cost a feed several percent of its time.
  api.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request))
    const { is404, raw, routeOptions } = request
    if (!is404 && routeOptions.url !== undefined) deps.tracing.setRoute(request.method, routeOptions.url)
    // Requests for unknown paths are rejected before their bodies are read, because the callers are not authenticated.
    const next = () => {
      if (!is404) return done()
      const found = findUnsupported(request.method, apiPathOf(request.url))
      if (found === undefined) return done(notFound())
      request.isForEndpoint = true
      refuseMethod(found, callers, request, reply).catch(done)
    }
    // Lets Node.js parse a body that arrived with the headers. An error response then does not have to close the
    // connection.
    if (hasBody(raw)) setImmediate(next)
    else next()
  })
  if (deps.metrics !== noMetrics)
    api.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions, is404 } = request
      const isStream = reply.getHeader('content-type') === 'text/event-stream'
      deps.metrics.recordRequest({
        method,
        route: is404 ? 'unmatched' : (routeOptions.url ?? 'unmatched'),
        status: reply.statusCode,
        seconds: isStream ? undefined : reply.elapsedTime / 1_000,
      })
      done()
    })
  if (onResponse !== undefined)
    api.addHook('onSend', async ({ method, routeOptions: { url: route, config } }, reply, payload) => {
      const isDocument = String(reply.getHeader('content-type')).startsWith('text/html')
      if (config.serves !== 'endpoint' && (config.serves !== undefined || isDocument)) return
      const text = typeof payload === 'string' ? payload : ''
      onResponse({ method, route, status: reply.statusCode, headers: reply.getHeaders(), text })
    })
  // Runs after the hook above, because that hook needs the uncompressed text.
  api.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.getHeader('content-encoding') !== 'gzip' || typeof payload !== 'string')
      return done(null, payload)
    compressResponse(payload).then((compressed) => done(null, compressed), done)
  })
  api.addHook('preParsing', ({ method, raw, routeOptions: { bodyLimit } }, reply, _payload, done) => {
    if (method !== 'GET' && method !== 'HEAD') {
      requireDeclaredLength(raw, bodyLimit)
      if (raw.headers.expect !== undefined && raw.httpVersion === '1.1') reply.raw.writeContinue()
    }
    done()
  })
}

/** Returns the path below the base of the API, or an empty string. */
const apiPathOf = (url: string): string =>
  url.startsWith(apiBase) ? (url.slice(apiBase.length).split('?', 1)[0] ?? '') : ''

function refuseShadowedMethods(
  api: FastifyInstance,
  endpoints: Options['endpoints'],
  callers: Callers,
): void {
  for (const unsupported of shadowedMethods(endpoints))
    api.route({
      method: unsupported.methods,
      url: `${apiBase}${unsupported.path}`,
      exposeHeadRoute: false,
      config: { serves: 'endpoint' },
      onRequest: (request, reply) => refuseMethod(unsupported, callers, request, reply),
      handler: () => undefined,
    })
}

async function refuseMethod(
  { isPublic, problem }: UnsupportedMethods,
  callers: Callers,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<never> {
  if (isPublic) callers.admitPublic(request, reply)
  else await callers.admit(request, reply)
  throw problem
}

type Mounting = {
  deps: Deps
  callers: Callers
  /** Whether browsers get a page at the same path. */
  hasPage: boolean
}

function mount(api: FastifyInstance, endpoint: Endpoint, { deps, callers, hasPage }: Mounting): void {
  const { scope, budget } = endpoint
  api.route({
    method: endpoint.method,
    url: `${apiBase}${endpoint.path}`,
    bodyLimit: scope === 'public' ? maxPublicBodyBytes : maxBodyBytes,
    config: { serves: 'endpoint' },
    onRequest: async (request, reply) => {
      if (scope === 'public') return callers.admitPublic(request, reply)
      request.actor = callers.narrow(await callers.admit(request, reply, budget), request, scope)
      if (endpoint.streams !== undefined) requireEventStreamAccepted(request.headers.accept)
    },
    handler: async (request, reply) => {
      const {
        status,
        text,
        file,
        stream,
        headers = {},
        isReplayed,
      } = await deps.runOnDatabase(endpoint, request.actor, (db) =>
        handleRequest(endpoint, { ...deps, db }, request, {
          callers,
          setCookie: (cookie) => void reply.headers({ 'set-cookie': cookie, 'cache-control': 'no-store' }),
        }),
      )
      if (endpoint.method !== 'GET') deps.eventStreams.announce()
      if (stream !== undefined) return sendStream(reply, { stream, headers })
      const content = file ?? text
      reply.code(status).type('application/json; charset=utf-8').headers(headers)
      if (isReplayed === true) reply.header('idempotency-replayed', 'true')
      const { etag } = headers
      if (etag !== undefined && isUnchanged(request.headers['if-none-match'], etag))
        return reply.code(304).removeHeader('content-type').removeHeader('location').send()
      if (!isConditional(endpoint)) return reply.send(content)
      const acceptEncoding = request.headers['accept-encoding']
      const isEncoded = file === undefined && isCompressed(text, acceptEncoding)
      if (file === undefined) reply.header('vary', hasPage ? 'accept, accept-encoding' : 'accept-encoding')
      const tag = entityTag(content)
      reply.header('etag', isEncoded ? `W/${tag}` : tag)
      return isUnchanged(request.headers['if-none-match'], tag)
        ? reply.code(304).removeHeader('content-type').send()
        : reply.headers(isEncoded ? { 'content-encoding': 'gzip' } : {}).send(content)
    },
  })
}
