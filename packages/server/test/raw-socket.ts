import { connect } from 'node:net'

export type RawResponse = {
  /** All bytes received. */
  text: string
  statuses: number[]
  /** Body of the last response. */
  body: string
  isClosed: boolean
}

type Options = {
  /** Whether to half-close the connection once everything is sent. */
  halfClose?: boolean
  /** Pause before each piece after the first. */
  pauseMs?: number
  /** Number of responses after which to disconnect. By default, waits until the server closes the connection. */
  maxResponses?: number
}

/** Servers close stalled connections within 10 s. The limit is longer, because this process may be stalled too. */
const timeoutMs = 30_000

/** Sends bytes over a new connection. Rejects if the server neither responds nor closes the connection in time. */
export function sendRaw(
  port: number,
  pieces: (string | Uint8Array)[],
  options: Options = {},
): Promise<RawResponse> {
  const { halfClose = false, pauseMs = 0, maxResponses = Infinity } = options
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    const finish = (isClosed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      const statuses = [...text.matchAll(/(?:^|\r\n\r\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, code]) =>
        Number(code),
      )
      resolve({ text, statuses, body: text.slice(text.lastIndexOf('\r\n\r\n') + 4), isClosed })
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the server neither responded nor closed after ${JSON.stringify(text.slice(0, 200))}`))
    }, timeoutMs)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const complete = text.split('HTTP/1.1 ').filter(isComplete).length
      if (complete >= maxResponses) finish(false)
    })
    socket.on('error', () => finish(true))
    socket.on('end', () => finish(true))
    socket.on('close', () => finish(true))
    const next = (index: number) => {
      const piece = pieces[index]
      if (piece !== undefined) {
        socket.write(piece)
        setTimeout(() => next(index + 1), pauseMs)
      } else if (halfClose) socket.end()
    }
    next(0)
  })
}

function isComplete(response: string): boolean {
  const end = response.indexOf('\r\n\r\n')
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(response)?.[1] ?? 0)
  return end >= 0 && response.length - end - 4 >= length
}
