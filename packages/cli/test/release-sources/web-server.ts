import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '../other-servers.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void

/** A server on loopback that records its requests. It stands for a service that cannot run here. */
export type WebServer = {
  url: string
  requests: { url: string; headers: IncomingMessage['headers'] }[]
  /** Responds to a request itself and returns true, or returns false. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
}

export async function startWebServer(handle: Handler): Promise<WebServer> {
  const server: WebServer = { url: '', requests: [], intercept: () => false }
  server.url = await listen(
    createServer((request, response) => {
      const url = new URL(request.url ?? '/', server.url)
      server.requests.push({ url: url.href, headers: request.headers })
      if (!server.intercept(request, response)) handle(request, response, url)
    }),
  )
  return server
}

export function sendJson(
  response: ServerResponse,
  value: unknown,
  headers: Record<string, string> = {},
  status = 200,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

/** Sends bytes, or the range of them that the request asks for. */
export function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  headers: Record<string, string> = {},
): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const range = { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }
  const rest = bytes.subarray(start)
  response
    .writeHead(start > 0 ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': String(rest.length),
      ...(start > 0 ? range : {}),
      ...headers,
    })
    .end(rest)
}

/** Sends the items of a page with the `Link` header of GitHub, GitLab and Gitea. A page has two items. */
export function sendPage(response: ServerResponse, url: URL, items: unknown[]): void {
  const size = 2
  const page = Number(url.searchParams.get('page') ?? 1)
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  const link = `<${next.href}>; rel="next", <${url.href}>; rel="first"`
  sendJson(response, items.slice((page - 1) * size, page * size), page * size < items.length ? { link } : {})
}
