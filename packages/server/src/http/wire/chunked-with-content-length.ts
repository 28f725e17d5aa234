import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

type ParseError = Error & { code?: string; rawPacket?: unknown }

const conflictingLengthErrors = new Set([
  'HPE_UNEXPECTED_CONTENT_LENGTH',
  'HPE_INVALID_CONTENT_LENGTH',
  'HPE_INVALID_TRANSFER_ENCODING',
])
const endOfHead = '\r\n\r\n'
const takenOver = new WeakSet<Socket>()

/**
 * Accepts a storage PUT that has both chunked encoding and a Content-Length, which Java's HttpClient sends if the
 * caller sets the length. Node.js rejects such a request, but RFC 9112, section 6.3, allows a server to use the chunks
 * and then close the connection. Returns whether the connection was taken over.
 */
export function acceptChunkedWithContentLength(
  { code, rawPacket }: ParseError,
  socket: Socket,
  server: Server,
): boolean {
  // The failed parser reports another error when the connection ends. That error must be ignored.
  if (takenOver.has(socket)) return true
  if (!conflictingLengthErrors.has(code ?? '') || !Buffer.isBuffer(rawPacket) || !socket.readable)
    return false
  const headLength = rawPacket.indexOf(endOfHead)
  const head = headLength < 0 ? undefined : headWithoutLength(rawPacket.toString('latin1', 0, headLength))
  if (head === undefined) return false
  takenOver.add(socket)
  const received = Buffer.concat([Buffer.from(head, 'latin1'), rawPacket.subarray(headLength)])
  for (const event of ['data', 'end', 'drain', 'timeout']) socket.removeAllListeners(event)
  server.emit('connection', Duplex.from({ readable: withReceived(received, socket), writable: socket }))
  return true
}

/**
 * Returns the head with Content-Length replaced by `Connection: close`. Returns undefined if the request is not a
 * storage PUT or might be a smuggling attempt.
 */
function headWithoutLength(head: string): string | undefined {
  const [requestLine = '', ...lines] = head.split('\r\n')
  if (!/^PUT \/storage\/\S* HTTP\/1\.1$/.test(requestLine)) return undefined
  const named = Map.groupBy(lines, (line) => line.split(':', 1)[0]?.toLowerCase())
  const lengths = named.get('content-length') ?? []
  const encodings = named.get('transfer-encoding') ?? []
  if (lengths.length !== 1 || !/^[^:]+:[ \t]*\d+[ \t]*$/.test(lengths[0] ?? '')) return undefined
  if (encodings.length !== 1 || !/^[^:]+:[ \t]*chunked[ \t]*$/i.test(encodings[0] ?? '')) return undefined
  for (const name of ['content-length', 'connection', 'upgrade', 'http2-settings']) named.delete(name)
  return [requestLine, ...[...named.values()].flat(), 'Connection: close'].join('\r\n')
}

async function* withReceived(received: Buffer, socket: Socket): AsyncGenerator<Buffer> {
  yield received
  yield* socket
}
