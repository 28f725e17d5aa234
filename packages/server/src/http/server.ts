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
import { parseJsonBody } from './body.ts'
import { answerBrokenRequest, giveUpWaiting } from './broken-requests.ts'
import { takeByChunks } from './chunks-over-length.ts'
import { entityTag, isConditional, isUnchanged } from './conditional.ts'
import type { Endpoint } from './endpoint.ts'
import { problemFrom, renderError, unauthorized } from './errors.ts'
import { fileAnswer } from './file-answer.ts'
import { answerOnce, idempotencyKeyFrom, takesIdempotencyKey, type Answer } from './idempotency.ts'
import { normaliseBody, normaliseQuery } from './normalise.ts'
import { createRateLimits, type Budget, type RateLimits } from './rate-limits.ts'
import { readOut } from './read-out.ts'
import { redirectHeaders } from './redirect.ts'
import { requireValid } from './validation.ts'
import { wrongMethods } from './wrong-methods.ts'

export type Authenticate = (bearer: string) => Promise<Actor | undefined>

/** Told of each answer before it goes out; `route` is undefined where no endpoint was found. */
export type OnAnswer = (answer: {
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
  /** Called once with Fastify's request handler, to be mounted on `server`. */
  onHandler: (handler: (request: IncomingMessage, response: ServerResponse) => void) => void
  /** Tests hold every answer against the OpenAPI document. */
  onAnswer?: OnAnswer
}

export const apiBase = '/api/v1'
const bodyIdleMs = 8_000
const longestUserAgent = 500

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
  }
}

/** The HTTP API: every endpoint behind the same order of checks. */
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
    // whatever fits into the headers reaches the checks: a long id is one that nothing has
    routerOptions: { maxParamLength: 16 * 1024 },
    trustProxy: [...options.deps.config.trustedProxies],
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: (error, socket) => {
      if (!takeByChunks(error, socket, options.server)) void answerBrokenRequest(error, socket)
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
  const { onAnswer } = options
  if (onAnswer !== undefined)
    api.addHook('onSend', async ({ method, routeOptions: { url: route } }, reply, payload) => {
      const text = typeof payload === 'string' ? payload : ''
      onAnswer({ method, route, status: reply.statusCode, headers: reply.getHeaders(), text })
    })
  // the limit is for the body alone: until here the caller has waited for us, not we for the caller
  api.addHook('preParsing', async (request, reply) => {
    request.raw.setTimeout(bodyIdleMs, () => void giveUpWaiting(request, reply))
  })
  // Node cuts a connection whose time is up while its request is worked on
  api.addHook('preValidation', async (request) => {
    request.raw.socket.setTimeout(0)
  })
  const rateLimits = createRateLimits(options.deps.config)
  for (const endpoint of Object.values(options.endpoints)) mount(api, endpoint, options, rateLimits)
  for (const { path, methods, isPublic, problem } of wrongMethods(options.endpoints))
    api.route({
      method: methods,
      url: `${apiBase}${path}`,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        if (!isPublic) await admit(request, reply, options.authenticate, rateLimits)
        throw problem
      },
      handler: () => undefined,
    })
  return api
}

type Mounted = Pick<Options, 'deps'> & { endpoint: Endpoint }

function mount(api: FastifyInstance, endpoint: Endpoint, options: Options, rateLimits: RateLimits): void {
  const mounted: Mounted = { ...options, endpoint }
  api.route({
    method: endpoint.method,
    url: `${apiBase}${endpoint.path}`,
    onRequest: async (request, reply) => {
      if (endpoint.scope === 'public') return
      const actor = await admit(request, reply, options.authenticate, rateLimits, endpoint.budget)
      requireScope(actor, endpoint.scope)
      request.actor = actor
    },
    handler: async (request, reply) => {
      const { status, text, file, headers = {}, isRepeated } = await run(mounted, request)
      const content = file ?? text
      reply.code(status).type('application/json; charset=utf-8').headers(headers)
      if (isRepeated === true) reply.header('idempotency-replayed', 'true')
      if (!isConditional(endpoint)) return reply.send(content)
      const tag = entityTag(content)
      reply.header('etag', tag)
      return isUnchanged(request.headers['if-none-match'], tag)
        ? reply.code(304).removeHeader('content-type').send()
        : reply.send(content)
    },
  })
}

/** Who asks, charged for it. */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticate: Authenticate,
  rateLimits: RateLimits,
  budget: Budget = 'requests',
): Promise<Actor> {
  const actor = await identify(request, authenticate)
  const { application_id: applicationId } = request.params as { application_id?: string }
  const { headers, problem } = rateLimits.charge(actor, budget, applicationId)
  reply.headers(headers)
  if (problem !== undefined) throw problem
  return actor
}

async function identify(request: FastifyRequest, authenticate: Authenticate): Promise<Actor> {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const actor = bearer === undefined ? undefined : await authenticate(bearer)
  if (actor === undefined) throw unauthorized()
  return actor
}

/** Body, then what the path names, then the rest of the request: nobody learns more than they may see. */
async function run(mounted: Mounted, request: FastifyRequest): Promise<Answer> {
  const { endpoint, deps } = mounted
  const idempotencyKey = takesIdempotencyKey(endpoint)
    ? idempotencyKeyFrom(request.headers['idempotency-key'])
    : undefined
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const sent = endpoint.method === 'GET' ? {} : parseJsonBody(raw, request.headers['content-type'])
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
    userAgent: request.headers['user-agent']?.slice(0, longestUserAgent) ?? null,
    isHead: request.method === 'HEAD',
    isResuming: /^bytes=0*[1-9]\d*-/.test(request.headers.range ?? ''),
    params,
  }
  const visible = await endpoint.visible?.(call as never)
  const query = normaliseQuery(endpoint.query ?? {}, (request.query ?? {}) as Record<string, unknown>)
  if (endpoint.query !== undefined) requireValid(endpoint.query, query, 'query')
  const isLenient = endpoint.lenient === true
  const body = endpoint.body === undefined ? sent : normaliseBody(endpoint.body, sent, { isLenient })
  if (endpoint.body !== undefined) requireValid(endpoint.body, body, 'body')
  const answer = (db: Db) =>
    answerOf(endpoint, { ...call, db, query, body, ...(visible as object | undefined) })
  const { actor } = request
  if (idempotencyKey === undefined || actor === null) return answer(deps.db)
  const { method, url } = request
  const wish = endpoint.body === undefined ? null : body
  return answerOnce(deps, idempotencyKey, { actor, method, url, body: wish }, answer)
}

async function answerOf(endpoint: Endpoint, call: object): Promise<Answer> {
  const answer = await endpoint.handle(call as never)
  if (endpoint.serves !== undefined) return fileAnswer(answer)
  const { status = 200 } = endpoint
  return {
    status,
    text: JSON.stringify(answer),
    ...(status === 302 ? { headers: redirectHeaders(answer) } : {}),
  }
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (problemFrom(error) === undefined)
    request.log.error({ err: error, requestId: request.id }, 'request failed')
  const { status, headers, body } = renderError(error, request.id)
  if (status === 413) readOut(request, reply)
  void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}
