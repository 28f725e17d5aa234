import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as immediate } from 'node:timers/promises'

const flushMs = 10_000
/** If the client sends nothing for this long, the connection is destroyed. */
const silentMs = 1_000
const maxChecks = 5
const maxDiscardedBytes = 16 * 1024 * 1024
const closing = new WeakSet<Duplex>()

/**
 * Lets Node.js read the bytes that have already arrived. A busy process may run a timer before it reads bytes that
 * arrived in time.
 */
export async function readAvailable(): Promise<void> {
  for (let round = 0; round < 3; round++) await immediate()
}

/** Returns whether the connection is being closed. Data that arrives in this state must not be processed. */
export const isClosing = (socket: Duplex): boolean => closing.has(socket)

/**
 * Closes a connection after its pending data has been sent. Until the client closes its side, incoming data is
 * discarded, within limits of time and size, because closing a connection with unread data would reset it before the
 * client receives the response (RFC 9112, section 9.6).
 */
export function closeGracefully(socket: Socket): void {
  if (closing.has(socket) || socket.destroyed) return
  closing.add(socket)
  const destroy = (): void => void socket.destroy()
  let timer = setTimeout(destroy, flushMs)
  socket.once('close', () => clearTimeout(timer)).once('end', destroy)
  socket.end(() => {
    if (socket.readableEnded) {
      destroy()
      return
    }
    const maxBytesRead = socket.bytesRead + maxDiscardedBytes
    const check = async (lastBytesRead: number, checksLeft: number) => {
      if (socket.bytesRead === lastBytesRead) await readAvailable()
      if (socket.destroyed) return
      const { bytesRead } = socket
      if (bytesRead === lastBytesRead || bytesRead > maxBytesRead || checksLeft === 0) destroy()
      else scheduleCheck(checksLeft - 1)
    }
    const scheduleCheck = (checksLeft: number) => {
      timer = setTimeout((lastBytesRead) => void check(lastBytesRead, checksLeft), silentMs, socket.bytesRead)
    }
    clearTimeout(timer)
    scheduleCheck(maxChecks - 1)
    socket.resume()
  })
}

/** Makes Node.js close the connection gracefully after the last response. By default, Node.js closes it immediately. */
export function closeGracefullyAfterResponses(socket: Duplex): void {
  if (socket instanceof Socket) socket.destroySoon = () => closeGracefully(socket)
}

/** Returns whether a body follows the headers of the request. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Closes the connection after the response unless the whole body has arrived by then. Otherwise, a client whose request
 * was rejected could occupy the connection by sending the rest of the body slowly.
 */
export function closeIfBodyIsUnread(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return
  const { writeHead } = response
  response.writeHead = (...args: unknown[]) => {
    if (!request.complete) response.shouldKeepAlive = false
    return Reflect.apply(writeHead, response, args) as ServerResponse
  }
  response.once('finish', () => {
    if (!request.complete) request.resume()
  })
}

const stalledMs = 5_000
const minWriteMs = 30_000
const minBytesPerMs = 32

/**
 * Disconnects a client that does not read the response: if the kernel accepts no bytes for 5 to 10 seconds, or if the
 * response takes longer than 30 seconds plus its size at the minimum rate. API responses are small; downloads from
 * storage have their own limit.
 */
export function limitWriteTime(response: ServerResponse): void {
  response.on('prefinish', checkWrittenSoon)
}

/** The kernel accepts most responses at once, which then need no timer. */
function checkWrittenSoon(this: ServerResponse): void {
  if (this.socket !== null && this.socket.writableLength > 0) setImmediate(disconnectUnlessRead, this)
}

function disconnectUnlessRead(response: ServerResponse): void {
  const { socket } = response
  if (socket === null || response.writableFinished || socket.destroyed) return
  // Node.js destroys the socket if the kernel accepts no bytes for this time, which it may extend once.
  socket.setTimeout(stalledMs)
  const timer = setTimeout(() => socket.destroy(), minWriteMs + socket.writableLength / minBytesPerMs)
  response.once('finish', () => {
    // Node.js may have set its keep-alive timeout in the meantime, which must not be removed.
    if (socket.timeout === stalledMs) socket.setTimeout(0)
  })
  response.once('close', () => clearTimeout(timer))
}
