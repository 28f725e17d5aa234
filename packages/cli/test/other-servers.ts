import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Service } from './running-server.ts'

const closers: (() => void)[] = []

/** Starts a server on a free port and returns its http URL. */
export async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  closers.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serve = (listener: RequestListener) => listen(createServer(listener))
/** Starts a server that responds to every request with an HTML page. */
export const servePage = (status: number, headers = {}) =>
  serve((_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>'),
  )

/** Stops every server that was started with `listen` and closes its connections. */
export function closeServers(): void {
  for (const close of closers) close()
}

/**
 * Starts a proxy in front of the service that replaces the origin of signed URLs. If `storage` is a URL, it is the new
 * origin. If `storage` is a listener, the URLs point to the proxy, which passes their requests to the listener.
 */
export async function startProxy(service: Service, storage: RequestListener | string): Promise<string> {
  const url: string = await serve((request, response) => {
    if (typeof storage === 'function' && request.url?.startsWith('/storage/')) storage(request, response)
    else void forward(service, request, response, typeof storage === 'string' ? storage : url)
  })
  return url
}

async function forward(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  signedUrl: string,
): Promise<void> {
  const body = await buffer(request)
  const { authorization = '', 'content-type': type } = request.headers
  const received = await fetch(`${service.directUrl}${request.url}`, {
    method: request.method ?? 'GET',
    headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
    ...(body.length > 0 ? { body } : {}),
  })
  const version = received.headers.get('quayside-version') ?? ''
  const text = (await received.text()).replaceAll(service.url, signedUrl)
  response.writeHead(received.status, { 'quayside-version': version }).end(text)
}
