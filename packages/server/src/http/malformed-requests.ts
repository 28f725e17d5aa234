import type { Socket } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Responds 408 to a request whose body stopped arriving. */
export async function respondToStalledBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (await hasMoreToRead(request.raw.socket)) return
  if (request.raw.complete || reply.sent) return
  const body = JSON.stringify({
    message: 'The rest of the request did not arrive in time.',
    code: 'request.timeout',
  })
  request.raw.socket.end(rawResponse('408 Request Timeout', body))
}

/** A busy process fires its timers before it reads bytes that arrived in time, so the socket is checked again. */
async function hasMoreToRead(socket: Socket): Promise<boolean> {
  const { bytesRead } = socket
  for (let round = 0; round < 3; round++) await immediate()
  return socket.bytesRead > bytesRead
}

/** Responds to bytes that Node cannot parse as a request. */
export async function respondToMalformedRequest(
  error: Error & { code?: string },
  socket: Socket,
): Promise<void> {
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
