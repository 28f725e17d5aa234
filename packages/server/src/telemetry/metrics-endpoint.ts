import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { problem } from '../lib/problem.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Returns a handler that sends the metrics in the text format of Prometheus, with a token only to its owner. */
export function createMetricsHandler({
  render,
  token,
}: {
  render: () => Promise<string>
  token?: string
}): Handler {
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`)
  return (request, response) => {
    const isAllowed =
      expected === undefined || timingSafeEqual(digest(request.headers.authorization ?? ''), expected)
    if (!isAllowed)
      return send(response, 401, 'Send the value of QUAYSIDE_METRICS_TOKEN as a bearer token.\n', {
        'www-authenticate': 'Bearer',
      })
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(response, 405, 'Use GET.\n', { allow: 'GET, HEAD' })
    render().then(
      (text) => send(response, 200, text),
      () => send(response, 500, 'The metrics cannot be read.\n'),
    )
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function send(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': status === 200 ? contentType : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(text)
}

/** Serves `/metrics` at an address of its own. Throws `server.cannot_listen` if the address cannot be used. */
export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  handle: Handler,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer({ keepAliveTimeout: 72_000, headersTimeout: 8_000 }, (request, response) => {
    if (request.url?.split('?', 1)[0] === '/metrics') handle(request, response)
    else send(response, 404, 'Only /metrics is served here.\n')
  })
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw cannotServeMetrics({ host, port, code }, { cause: error })
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const cannotServeMetrics = problem(
  'unavailable',
  'server.cannot_listen',
  'Cannot serve metrics on {host}:{port} ({code}). Check QUAYSIDE_METRICS_HOST and QUAYSIDE_METRICS_PORT.',
)
