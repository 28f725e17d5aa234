import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

type Call = { method: string; path: string; headers: Record<string, string>; body?: string | Buffer }
type Answer = { head: string; body: string }

/**
 * One keep-alive connection of HTTP/1.1, one request after the other. A bare socket: on two cores every
 * microsecond of the client is one the service has not. Throws on anything but a 200 or 201.
 */
export class RawHttp {
  readonly #socket: Socket
  readonly #host: string
  #received = ''
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined

  private constructor(socket: Socket, port: number) {
    this.#socket = socket
    this.#host = `127.0.0.1:${port}`
    const fail = (error: Error) => this.#waiting?.reject(error)
    socket.setNoDelay(true)
    // one byte a character, so that lengths are those of the bytes; what is read here is ASCII
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => this.#take(String(chunk)))
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the service closed the connection')))
  }

  static async open(port: number): Promise<RawHttp> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new RawHttp(socket, port)
  }

  send({ method, path, headers, body = '' }: Call): Promise<Answer> {
    const lines = Object.entries({
      Host: this.#host,
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting = { resolve, reject }
    this.#socket.write(
      Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n`), Buffer.from(body)]),
    )
    return promise
  }

  close(): void {
    this.#socket.end()
  }

  #take(chunk: string): void {
    this.#received += chunk
    const headLength = this.#received.indexOf('\r\n\r\n') + 4
    if (headLength === 3) return
    const head = this.#received.slice(0, headLength)
    const length = headLength + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    if (this.#received.length < length) return
    const body = this.#received.slice(headLength, length)
    this.#received = this.#received.slice(length)
    const waiting = this.#waiting
    this.#waiting = undefined
    if (/^HTTP\/1.1 20[01] /.test(head)) waiting?.resolve({ head, body })
    else waiting?.reject(new Error(head + body))
  }
}
