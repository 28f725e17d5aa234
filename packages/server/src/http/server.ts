import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Db } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { uuidV7 } from '../lib/ids.ts'
import { notFound } from '../lib/problem.ts'
import { requireScope, type Actor } from './actor.ts'
import { drainRequestBody, parseJsonBody } from './body.ts'
import { acceptChunkedWithContentLength } from './chunked-with-content-length.ts'
import { entityTag, isConditional, isUnchanged } from './conditional.ts'
import type { Endpoint } from './endpoint.ts'
import { problemFrom, renderError, unauthorized } from './errors.ts'
import { fileResponse } from './file-response.ts'
import { acceptsIdempotencyKey, idempotencyKeyFrom, runIdempotent, type ApiResponse } from './idempotency.ts'
import { respondToMalformedRequest, respondToStalledBody } from './malformed-requests.ts'
import { normalizeBody, normalizeQuery } from './normalize.ts'
import { createRateLimits, type Budget, type RateLimits } from './rate-limits.ts'
import { redirectHeaders } from './redirect.ts'
import { unsupportedMethods } from './unsupported-methods.ts'
import { requireValid } from './validation.ts'
import { createWriteSlots, type WriteSlots } from './write-slots.ts'

export type Authenticate = (bearer: string) => Promise<Actor | undefined>

/** Called with each response before it is sent; `route` is undefined when no endpoint matched. */
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
  authenticate: Authenticate
  server: Server
  /** Called once with Fastify's request handler, which the caller mounts on `server`. */
  onHandler: (handler: (request: IncomingMessage, response: ServerResponse) => void) => void
  /** Set by tests, which check every response against the OpenAPI document. */
  onResponse?: OnResponse
}

export const apiBase = '/api/v1'
const bodyIdleMs = 8_000
const maxUserAgentLength = 500

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
  }
}

/**
 * Creates the HTTP API. Every request passes the same checks in the same order: key (401), rate limit (429), scope (403),
 * body (400, 413, 415), the resources in the path (404) and the fields (422); then the operation runs.
 */
export function createApi(options: Options): FastifyInstance {
  const log: FastifyBaseLogger = options.deps.log
  const api = Fastify({
    serverFactory: (handler) => {
      options.onHandler(handler)
      return options.server
    },
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    genReqId: () => uuidV7(),
    // Long ids must reach the checks, which respond 404 to an id that cannot exist.
    routerOptions: { maxParamLength: 16 * 1024 },
    trustProxy: [...options.deps.config.trustedProxies],
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: (error, socket) => {
      if (!acceptChunkedWithContentLength(error, socket, options.server))
        void respondToMalformedRequest(error, socket)
    },
  })
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
  api.decorateRequest('actor', null)
  api.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  api.setNotFoundHandler((request, reply) => sendError(notFound(), request, reply))
  api.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('cache-control', 'private, no-cache')
  })
  const { onResponse } = options
  if (onResponse !== undefined)
    api.addHook('onSend', async ({ method, routeOptions: { url: route } }, reply, payload) => {
      const text = typeof payload === 'string' ? payload : ''
      onResponse({ method, route, status: reply.statusCode, headers: reply.getHeaders(), text })
    })
  // The timeout covers only the body, because before that the client is waiting for the server.
  api.addHook('preParsing', async (request, reply) => {
    request.raw.setTimeout(bodyIdleMs, () => void respondToStalledBody(request, reply))
  })
  // Without this reset, Node would close the connection while the request is being processed.
  api.addHook('preValidation', async (request) => {
    request.raw.socket.setTimeout(0)
  })
  const rateLimits = createRateLimits(options.deps.config)
  const writeSlots = createWriteSlots()
  for (const endpoint of Object.values(options.endpoints))
    mount(api, endpoint, options, rateLimits, writeSlots)
  for (const { path, methods, isPublic, problem } of unsupportedMethods(options.endpoints))
    api.route({
      method: methods,
      url: `${apiBase}${path}`,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        if (!isPublic) await authenticateAndCharge(request, reply, options.authenticate, rateLimits)
        throw problem
      },
      handler: () => undefined,
    })
  return api
}

function mount(
  api: FastifyInstance,
  endpoint: Endpoint,
  { deps, authenticate }: Options,
  rateLimits: RateLimits,
  writeSlots: WriteSlots,
): void {
  api.route({
    method: endpoint.method,
    url: `${apiBase}${endpoint.path}`,
    onRequest: async (request, reply) => {
      if (endpoint.scope === 'public') return
      const actor = await authenticateAndCharge(request, reply, authenticate, rateLimits, endpoint.budget)
      requireScope(actor, endpoint.scope)
      request.actor = actor
    },
    handler: async (request, reply) => {
      const {
        status,
        text,
        file,
        headers = {},
        isReplayed,
      } = await handleRequest(endpoint, deps, request, writeSlots)
      const content = file ?? text
      reply.code(status).type('application/json; charset=utf-8').headers(headers)
      if (isReplayed === true) reply.header('idempotency-replayed', 'true')
      if (!isConditional(endpoint)) return reply.send(content)
      const tag = entityTag(content)
      reply.header('etag', tag)
      return isUnchanged(request.headers['if-none-match'], tag)
        ? reply.code(304).removeHeader('content-type').send()
        : reply.send(content)
    },
  })
}

/** Authenticates the caller (401) and charges the call to its rate limit (429). */
async function authenticateAndCharge(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticate: Authenticate,
  rateLimits: RateLimits,
  budget: Budget = 'requests',
): Promise<Actor> {
  const actor = await requireActor(request, authenticate)
  const { application_id: applicationId } = request.params as { application_id?: string }
  const { headers, problem } = rateLimits.charge(actor, budget, applicationId)
  reply.headers(headers)
  if (problem !== undefined) throw problem
  return actor
}

async function requireActor(request: FastifyRequest, authenticate: Authenticate): Promise<Actor> {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const actor = bearer === undefined ? undefined : await authenticate(bearer)
  if (actor === undefined) throw unauthorized()
  return actor
}

/** Loads the resources in the path before validating fields, so that another tenant's id always returns 404. */
async function handleRequest(
  endpoint: Endpoint,
  deps: Deps,
  request: FastifyRequest,
  writeSlots: WriteSlots,
): Promise<ApiResponse> {
  const idempotencyKey = acceptsIdempotencyKey(endpoint)
    ? idempotencyKeyFrom(request.headers['idempotency-key'])
    : undefined
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const parsed = endpoint.method === 'GET' ? {} : parseJsonBody(raw, request.headers['content-type'])
  const params = (request.params ?? {}) as Record<string, string>
  if (
    Object.values(params).some((value) => value.length > 255 || value.includes('\0') || !value.isWellFormed())
  )
    throw notFound()
  const call = {
    ...deps,
    actor: request.actor,
    requestId: request.id,
    address: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, maxUserAgentLength) ?? null,
    isHead: request.method === 'HEAD',
    params,
  }
  const loaded = await endpoint.load?.(call as never)
  const query = normalizeQuery(endpoint.query ?? {}, (request.query ?? {}) as Record<string, unknown>)
  if (endpoint.query !== undefined) requireValid(endpoint.query, query, 'query')
  const isLenient = endpoint.lenient === true
  const body = endpoint.body === undefined ? parsed : normalizeBody(endpoint.body, parsed, { isLenient })
  if (endpoint.body !== undefined) requireValid(endpoint.body, body, 'body')
  const input = { ...call, query, body, ...(loaded as object | undefined) }
  const prepare = endpoint.prepare && (async () => endpoint.prepare?.(input as never))
  const respond = (db: Db, prepared: unknown) =>
    callEndpoint(endpoint, { ...input, db, ...(prepared as object | undefined) })
  const { actor } = request
  // The calls of the upload flow lock only rows of their own upload, and clients send many of them in parallel.
  const limit = <T>(work: () => Promise<T>): Promise<T> =>
    actor === null || endpoint.method === 'GET' || endpoint.budget === 'uploads'
      ? work()
      : writeSlots(actor.keyId ?? `bootstrap ${actor.workspaceId}`, work)
  if (idempotencyKey === undefined || actor === null) {
    const prepared = await prepare?.()
    return limit(() => respond(deps.db, prepared))
  }
  const { method, url } = request
  const sent = endpoint.body === undefined ? null : body
  return runIdempotent(deps, idempotencyKey, { actor, method, url, body: sent }, { prepare, limit, respond })
}

async function callEndpoint(endpoint: Endpoint, call: object): Promise<ApiResponse> {
  const result = await endpoint.handle(call as never)
  if (endpoint.serves !== undefined) return fileResponse(result)
  const { status = 200 } = endpoint
  return {
    status,
    text: JSON.stringify(result),
    ...(status === 302 ? { headers: redirectHeaders(result) } : {}),
  }
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (problemFrom(error) === undefined)
    request.log.error({ err: error, requestId: request.id }, 'request failed')
  const { status, headers, body } = renderError(error, request.id)
  if (status === 413) drainRequestBody(request, reply)
  void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}
