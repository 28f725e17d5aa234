import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import Fastify, {
  type FastifyBaseLogger,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Deps } from '../deps.ts'
import { uuidV7 } from '../lib/ids.ts'
import { notFound } from '../lib/problem.ts'
import { requireScope, type Actor } from './actor.ts'
import { parseJsonBody } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { problemFrom, renderError, unauthorized } from './errors.ts'
import { normaliseBody, normaliseQuery } from './normalise.ts'
import { mismatches, requireValid } from './validation.ts'

export type Authenticate = (bearer: string) => Promise<Actor | undefined>

type Options = {
  deps: Deps
  endpoints: Readonly<Record<string, Endpoint>>
  authenticate: Authenticate
  server: Server
  /** Called once with Fastify's request handler, to be mounted on `server`. */
  onHandler: (handler: (request: IncomingMessage, response: ServerResponse) => void) => void
  /** Tests hold every answer against its declared shape. */
  checkAnswers: boolean
}

export const apiBase = '/api/v1'
const bodyIdleMs = 8_000

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
    routerOptions: { maxParamLength: 1000 },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: (error, socket) => void answerBrokenRequest(error, socket),
  })
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
  api.decorateRequest('actor', null)
  api.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  api.setNotFoundHandler((request, reply) => sendError(notFound(), request, reply))
  api.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('cache-control', 'private, no-cache')
  })
  // the limit is for the body alone: until here the caller has waited for us, not we for the caller
  api.addHook('preParsing', async (request, reply) => {
    request.raw.setTimeout(bodyIdleMs, () => void giveUpWaiting(request, reply))
  })
  // Node cuts a connection whose time is up while its request is worked on
  api.addHook('preValidation', async (request) => {
    request.raw.socket.setTimeout(0)
  })
  for (const [operationId, endpoint] of Object.entries(options.endpoints))
    mount(api, operationId, endpoint, options)
  return api
}

function mount(api: FastifyInstance, operationId: string, endpoint: Endpoint, options: Options): void {
  api.route({
    method: endpoint.method,
    url: `${apiBase}${endpoint.path}`,
    onRequest: async (request) => {
      if (endpoint.scope === 'public') return
      request.actor = await identify(request, options.authenticate)
      requireScope(request.actor, endpoint.scope)
    },
    handler: async (request, reply) => {
      const answer = await run(endpoint, request, options.deps)
      if (options.checkAnswers) {
        const wrong = mismatches(endpoint.returns, answer)
        if (wrong.length > 0)
          throw new Error(`${operationId} answers against its own shape: ${wrong.join('; ')}`)
      }
      return reply
        .code(endpoint.status ?? 200)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(answer))
    },
  })
}

async function identify(request: FastifyRequest, authenticate: Authenticate): Promise<Actor> {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const actor = bearer === undefined ? undefined : await authenticate(bearer)
  if (actor === undefined) throw unauthorized()
  return actor
}

/** Body, then what the path names, then the rest of the request: nobody learns more than they may see. */
async function run(endpoint: Endpoint, request: FastifyRequest, deps: Deps): Promise<unknown> {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const sent = endpoint.method === 'GET' ? {} : parseJsonBody(raw, request.headers['content-type'])
  const params = (request.params ?? {}) as Record<string, string>
  if (
    Object.values(params).some((value) => value.length > 255 || value.includes('\0') || !value.isWellFormed())
  )
    throw notFound()
  const call = { ...deps, actor: request.actor, requestId: request.id, address: request.ip, params }
  const visible = await endpoint.visible?.(call as never)
  const query = normaliseQuery(endpoint.query ?? {}, (request.query ?? {}) as Record<string, unknown>)
  if (endpoint.query !== undefined) requireValid(endpoint.query, query, 'query')
  const isLenient = endpoint.lenient === true
  const body = endpoint.body === undefined ? sent : normaliseBody(endpoint.body, sent, { isLenient })
  if (endpoint.body !== undefined) requireValid(endpoint.body, body, 'body')
  return endpoint.handle({ ...call, query, body, ...(visible as object | undefined) } as never)
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (problemFrom(error) === undefined)
    request.log.error({ err: error, requestId: request.id }, 'request failed')
  const { status, headers, body } = renderError(error, request.id)
  void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}

async function giveUpWaiting(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (await hasMoreToRead(request.raw.socket)) return
  if (request.raw.complete || reply.sent) return
  const body = JSON.stringify({
    message: 'The rest of the request did not arrive in time.',
    code: 'request.timeout',
  })
  request.raw.socket.end(rawResponse('408 Request Timeout', body))
}

/** A process that is behind fires its timers before it reads what arrived in time: look once more. */
async function hasMoreToRead(socket: Socket): Promise<boolean> {
  const { bytesRead } = socket
  for (let round = 0; round < 3; round++) await immediate()
  return socket.bytesRead > bytesRead
}

async function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): Promise<void> {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && (await hasMoreToRead(socket))) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are larger than 16 KiB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request did not arrive in time.']
        : ['400 Bad Request', 'The request is not valid HTTP.']
  socket.end(rawResponse(status, JSON.stringify({ message, code: 'request.malformed' })))
}

function rawResponse(status: string, body: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}
