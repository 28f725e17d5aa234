import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { uuidV7 } from '../../lib/ids.ts'
import { closeGracefully, isClosing, readAvailable } from './close-connection.ts'

/** The maximum size of the request line and of all headers except Range. */
export const maxHeaderBytes = 16 * 1024

const overflowCode = 'HPE_HEADER_OVERFLOW'

/** Returns the error of Node.js for headers that are too large. */
export const headerOverflow = (): Error & { code: string } =>
  Object.assign(new Error('the headers are too large'), { code: overflowCode })

const requestCounts = new WeakMap<Duplex, number>()

/** Records that the headers of a request have arrived on the connection. */
export const countRequest = (socket: Duplex): void =>
  void requestCounts.set(socket, (requestCounts.get(socket) ?? 0) + 1)

/**
 * Returns whether headers that appeared to be late have arrived. Partial headers do not count, because a client may
 * send them slowly.
 */
async function hasArrived(socket: Duplex): Promise<boolean> {
  const count = requestCounts.get(socket)
  await readAvailable()
  return requestCounts.get(socket) !== count
}

/** Sends an error response to bytes that Node.js cannot parse as a request, and closes the connection. */
export async function respondToMalformedRequest(
  error: Error & { code?: string },
  socket: Socket,
): Promise<void> {
  if (isClosing(socket)) return
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && (await hasArrived(socket))) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, message] =
    error.code === overflowCode
      ? [
          '431 Request Header Fields Too Large',
          `The headers are larger than ${maxHeaderBytes / 1024} KiB. Send fewer or shorter ones.`,
        ]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request did not arrive in time. Send it again.']
        : ['400 Bad Request', 'The request is not valid HTTP. Check the client and any proxy in between.']
  socket.write(rawResponse(status, { message, code: 'request.malformed' }))
  closeGracefully(socket)
}

function rawResponse(status: string, error: { message: string; code: string }): string {
  const id = uuidV7()
  const body = JSON.stringify({ ...error, request_id: id })
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${id}`,
    'Connection: close',
  ]
  return `HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}
