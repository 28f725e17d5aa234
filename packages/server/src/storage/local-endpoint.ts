import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../lib/problem.ts'
import { DamagedFile } from './driver.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { sendObject } from './local-get.ts'
import { receivePart } from './local-put.ts'
import { ClientDisconnected } from './request-body.ts'
import { toProblem } from './storage-errors.ts'
import { commonHeaders, sendError } from './storage-responses.ts'

const methods = 'GET, HEAD, PUT, OPTIONS'

/** Serves paths under `/storage/`. A signed URL permits only the request that it was signed for. */
export async function serveStorage(
  context: EndpointContext,
  request: IncomingMessage,
  response: ServerResponse,
  options: { expectsContinue: boolean },
): Promise<void> {
  // Disconnects are handled where bytes are read or sent. Without these listeners, an `error` event would crash the
  // process.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  try {
    await route(context, request, response, options)
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
      sendError(request, response, {
        status: 500,
        code: 'storage.failed',
        message: 'Internal server error. Try again later.',
      })
    }
  }
}

async function route(
  context: EndpointContext,
  request: IncomingMessage,
  response: ServerResponse,
  options: { expectsContinue: boolean },
): Promise<void> {
  const { method = '', url = '' } = request
  if (method === 'OPTIONS') return sendPreflight(request, response)
  if (method !== 'PUT' && method !== 'GET' && method !== 'HEAD') {
    throw new Problem(
      'method_not_allowed',
      'storage.method_not_allowed',
      `This method is not supported. Use one of: ${methods}.`,
      {
        headers: { allow: methods },
      },
    )
  }
  const claims = context.signer.verify(method === 'HEAD' ? 'GET' : method, url, context.clock.now())
  return claims.method === 'PUT'
    ? receivePart(context, claims, request, response, options)
    : sendObject(context, claims, request, response)
}

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
