import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../lib/problem.ts'
import { commonHeaders, refuse } from './answers.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { sendObject } from './local-get.ts'
import { receivePart } from './local-put.ts'
import { asProblem } from './storage-errors.ts'

const methods = 'GET, HEAD, PUT, OPTIONS'

/** Serves `/storage/…`: whoever holds a signed URL may do what it says, and nothing else. */
export async function serveStorage(
  parts: EndpointParts,
  request: IncomingMessage,
  response: ServerResponse,
  options: { expectsContinue: boolean },
): Promise<void> {
  // A client that goes away is seen where its bytes are read or sent; without a listener it would end the process.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  try {
    await route(parts, request, response, options)
  } catch (error) {
    const problem = asProblem(error)
    if (problem instanceof Problem) {
      if (problem.status >= 500) parts.log.warn({ err: problem }, 'storage request refused')
      refuse(request, response, problem)
    } else if (request.destroyed && !request.complete) {
      response.destroy()
    } else {
      parts.log.error({ err: error }, 'storage request failed')
      refuse(request, response, {
        status: 500,
        code: 'storage.failed',
        message: 'Something went wrong.',
        headers: {},
      })
    }
  }
}

async function route(
  parts: EndpointParts,
  request: IncomingMessage,
  response: ServerResponse,
  options: { expectsContinue: boolean },
): Promise<void> {
  const { method = '', url = '' } = request
  if (method === 'OPTIONS') return answerPreflight(request, response)
  if (method !== 'PUT' && method !== 'GET' && method !== 'HEAD') {
    throw new Problem('method_not_allowed', 'storage.method_not_allowed', `Use one of ${methods}.`, {
      headers: { allow: methods },
    })
  }
  const claims = parts.signer.verify(method === 'HEAD' ? 'GET' : method, url, parts.clock.now())
  return claims.method === 'PUT'
    ? receivePart(parts, claims, request, response, options)
    : sendObject(parts, claims, request, response)
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const asked = request.headers['access-control-request-headers'] ?? ''
  response.writeHead(204, {
    ...commonHeaders,
    allow: methods,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': /^[\w\-, ]+$/.test(asked) ? asked : '*',
    'access-control-max-age': '86400',
  })
  response.end()
}
