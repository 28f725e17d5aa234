import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

type ParseError = Error & { code?: string; rawPacket?: unknown }

const bothLengths = new Set([
  'HPE_UNEXPECTED_CONTENT_LENGTH',
  'HPE_INVALID_CONTENT_LENGTH',
  'HPE_INVALID_TRANSFER_ENCODING',
])
const endOfHead = '\r\n\r\n'
const handedOver = new WeakSet<Socket>()

/**
 * Takes over a storage PUT that comes in chunks and names a length too, as Java's HttpClient sends one whose length is
 * set by hand. Node's parser refuses it; RFC 9112 section 6.3 lets a server go by the chunks if it closes afterwards.
 * Answers whether the connection is in other hands now.
 */
export function takeByChunks({ code, rawPacket }: ParseError, socket: Socket, server: Server): boolean {
  // the parser that gave up tells of its own end too
  if (handedOver.has(socket)) return true
  if (!bothLengths.has(code ?? '') || !Buffer.isBuffer(rawPacket) || !socket.readable) return false
  const headLength = rawPacket.indexOf(endOfHead)
  const head = headLength < 0 ? undefined : headByChunks(rawPacket.toString('latin1', 0, headLength))
  if (head === undefined) return false
  handedOver.add(socket)
  const begun = Buffer.concat([Buffer.from(head, 'latin1'), rawPacket.subarray(headLength)])
  for (const event of ['data', 'end', 'drain', 'timeout']) socket.removeAllListeners(event)
  server.emit('connection', Duplex.from({ readable: continued(begun, socket), writable: socket }))
  return true
}

/** The head without its length, on a connection that ends with it; undefined for what nobody sends in good faith. */
function headByChunks(head: string): string | undefined {
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

async function* continued(begun: Buffer, socket: Socket): AsyncGenerator<Buffer> {
  yield begun
  yield* socket
}
