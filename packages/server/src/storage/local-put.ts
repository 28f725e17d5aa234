import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../lib/problem.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { requireUnsealed, stagePart, type IncomingPart } from './local-staging.ts'
import { readRequestBody } from './request-body.ts'
import { commonHeaders, sendError } from './storage-responses.ts'

/** Stores the body of a PUT. Responds with 200 and the MD5 as ETag only once the bytes are durable. */
export async function receivePart(
  context: EndpointContext,
  part: IncomingPart,
  request: IncomingMessage,
  response: ServerResponse,
  { expectsContinue }: { expectsContinue: boolean },
): Promise<void> {
  await requireUnsealed(context.layout, part.key)
  const declaredLength = request.headers['content-length']
  const isChunked = request.headers['transfer-encoding'] !== undefined
  if (!isChunked && Number(declaredLength ?? 0) !== part.sizeBytes) {
    throw new Problem(
      'bad_request',
      'storage.length_not_as_signed',
      `This URL accepts exactly ${part.sizeBytes} bytes, but \`Content-Length\` is ${declaredLength ?? 'missing'}.`,
    )
  }
  const body = readRequestBody(request, {
    ...context.stallLimit,
    onStart: () => expectsContinue && response.writeContinue(),
    onStall: () => {
      // Node stops tracking the request once a response is sent, so the body could be awaited indefinitely.
      response.once('close', () => request.destroy(new Error('the client stalled')))
      sendError(request, response, stalled, { linger: false })
    },
  })
  const { md5 } = await stagePart(context, part, body)
  if (response.headersSent) return
  response.writeHead(200, { ...commonHeaders, etag: `"${md5}"`, 'content-length': 0 })
  response.end()
}

const stalled = { status: 408, code: 'storage.too_slow', message: 'The upload stalled. Send it again.' }
