import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveSigned } from '../transfer/signed-endpoint.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { sendObject } from './local-get.ts'
import { receivePart } from './local-put.ts'

/** Serves paths under `/storage/v1/`. */
export const serveStorage = (
  context: EndpointContext,
  request: IncomingMessage,
  response: ServerResponse,
  options: { expectsContinue: boolean },
): Promise<void> =>
  serveSigned(context, request, response, (claims) =>
    claims.method === 'PUT'
      ? receivePart(context, claims, request, response, options)
      : sendObject(context, claims, request, response),
  )
