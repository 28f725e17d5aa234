import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../lib/problem.ts'
import { commonHeaders, refuse } from './answers.ts'
import { arrivingBody } from './arriving-body.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { refuseSealed, stagePart, type ArrivingPart } from './local-staging.ts'

/** Stores the body of a PUT; answers 200 with the MD5 as ETag only when the bytes are durable. */
export async function receivePart(
  parts: EndpointParts,
  part: ArrivingPart,
  request: IncomingMessage,
  response: ServerResponse,
  { expectsContinue }: { expectsContinue: boolean },
): Promise<void> {
  await refuseSealed(parts.layout, part.key)
  const declared = request.headers['content-length']
  const chunked = request.headers['transfer-encoding'] !== undefined
  if (!chunked && Number(declared ?? 0) !== part.sizeBytes) {
    throw new Problem(
      'bad_request',
      'storage.length_not_as_signed',
      `This URL takes exactly ${part.sizeBytes} bytes, Content-Length says ${declared ?? 'nothing'}.`,
    )
  }
  const body = arrivingBody(request, {
    ...parts.patience,
    onStart: () => expectsContinue && response.writeContinue(),
    onStall: () => {
      // Once answered, Node forgets the request: without this the body would be waited for for ever.
      response.once('close', () => request.destroy(new Error('the client stalled')))
      refuse(request, response, tooSlow, { linger: false })
    },
  })
  const { md5 } = await stagePart(parts, part, body)
  if (response.headersSent) return
  response.writeHead(200, { ...commonHeaders, etag: `"${md5}"`, 'content-length': 0 })
  response.end()
}

const tooSlow = {
  status: 408,
  code: 'storage.too_slow',
  message: 'The upload stalled. Send it again.',
  headers: {},
}
