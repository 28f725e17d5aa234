import type { IncomingMessage } from 'node:http'
import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import type { ClientFetch, ClientResponse } from '@quayside/sdk'
import { http, https } from './http.ts'

/**
 * Sends a request as `fetch` with `redirect: 'manual'` does, at a third of the CPU time of a command that sends one request.
 * The body must be a string or bytes.
 */
export const httpFetch: ClientFetch = (input, init = {}) =>
  new Promise((resolve, reject) => {
    const url = new URL(input)
    const body = init.body as string | Uint8Array | null | undefined
    const headers: Record<string, string> = { 'accept-encoding': 'gzip', ...fieldsOf(init.headers) }
    if (body !== null && body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: init.method ?? 'GET',
      headers,
      ...(init.signal ? { signal: init.signal } : {}),
    })
    request.on('error', reject)
    request.on('response', (response) => {
      // Without this, an aborted response would fail like an interrupted connection.
      if (init.signal) addAbortSignal(init.signal, response)
      resolve(new HttpResponse(response))
    })
    request.end(body ?? undefined)
  })

/** Returns header fields as an object. */
const fieldsOf = (headers: RequestInit['headers'] = {}): Record<string, string> =>
  Symbol.iterator in headers
    ? Object.fromEntries(headers as Iterable<[string, string]>)
    : (headers as Record<string, string>)

class HttpResponse implements ClientResponse {
  readonly #message: IncomingMessage
  readonly headers: ClientResponse['headers']

  constructor(message: IncomingMessage) {
    this.#message = message
    this.headers = {
      get: (name) => {
        const value = message.headers[name.toLowerCase()]
        return (Array.isArray(value) ? value.join(', ') : value) ?? null
      },
    }
  }

  get status(): number {
    return this.#message.statusCode ?? 0
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return Readable.toWeb(this.#decoded()) as ReadableStream<Uint8Array<ArrayBuffer>>
  }

  async text(): Promise<string> {
    return (await buffer(this.#decoded())).toString()
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer: bytes, byteOffset, byteLength } = await buffer(this.#decoded())
    return bytes.slice(byteOffset, byteOffset + byteLength)
  }

  #decoded(): Readable {
    if (this.#message.headers['content-encoding'] !== 'gzip') return this.#message
    const decoder = createGunzip()
    // Destroys the decoder if the connection is interrupted, which `pipe` does not.
    this.#message.on('error', (error) => decoder.destroy(error))
    return this.#message.pipe(decoder)
  }
}
