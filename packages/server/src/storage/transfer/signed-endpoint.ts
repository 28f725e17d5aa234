import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { Problem, problem } from '../../lib/problem.ts'
import { DamagedFile } from '../damaged-file.ts'
import { toProblem } from '../storage-errors.ts'
import { ClientDisconnected } from './request-body.ts'
import type { Claims, UrlSigner } from './signed-url.ts'
import { commonHeaders, sendError } from './storage-responses.ts'

const methods = 'GET, HEAD, PUT, OPTIONS'

type Context = {
  signer: UrlSigner
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'warn' | 'error'>
  metrics: Pick<Metrics, 'recordDamagedFile'>
}

/** Passes a request with a valid signed URL to `serve`, and responds to errors. The URL permits only what it was signed for. */
export async function serveSigned(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
  serve: (claims: Claims) => Promise<void>,
): Promise<void> {
  // Disconnects are handled where bytes are read or sent. Without these listeners, an `error` event would crash the
  // process.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  try {
    await route(context, request, response, serve)
  } catch (error) {
    if (error instanceof ClientDisconnected) {
      response.destroy()
      return
    }
    const problem = toProblem(error)
    if (problem instanceof Problem) {
      if (problem instanceof DamagedFile) {
        context.metrics.recordDamagedFile()
        context.log.error({ err: problem, alarm: 'storage', key: problem.key }, 'a stored file is damaged')
      } else if (problem.status >= 500) context.log.warn({ err: problem }, 'storage request rejected')
      sendError(request, response, problem)
    } else {
      context.log.error({ err: error }, 'storage request failed')
      sendError(request, response, internalError())
    }
  }
}

async function route(
  { signer, clock }: Context,
  request: IncomingMessage,
  response: ServerResponse,
  serve: (claims: Claims) => Promise<void>,
): Promise<void> {
  const { method = '', url = '' } = request
  if (method === 'OPTIONS') return sendPreflight(request, response)
  if (method !== 'PUT' && method !== 'GET' && method !== 'HEAD') {
    throw methodNotAllowed()
  }
  return serve(signer.verify(method === 'HEAD' ? 'GET' : method, url, clock.now()))
}

const methodNotAllowed = problem(
  'method_not_allowed',
  'storage.method_not_allowed',
  `This method is not supported. Use one of: ${methods}.`,
  { headers: { allow: methods } },
)

function sendPreflight(request: IncomingMessage, response: ServerResponse): void {
  const requestedHeaders = request.headers['access-control-request-headers'] ?? ''
  response.writeHead(204, {
    ...commonHeaders,
    allow: methods,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': /^[\w\-, ]+$/.test(requestedHeaders) ? requestedHeaders : '*',
    'access-control-max-age': '86400',
  })
  response.end()
}

const internalError = problem('internal', 'storage.failed', 'Internal server error. Try again later.')
