import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { problemFrom } from './errors.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type Backends = {
  api: Handler
  /** Bytes: everything below /storage/. */
  storage: { handle: Handler; handleContinue: Handler }
  /** Throws when the service cannot do its work. */
  check: () => Promise<void>
}

/**
 * The door: answers /livez and /readyz, sends bytes to storage and the rest to the API. It listens before the rest
 * of the service is up, and says 503 until `open`. No total time limit: an upload may take hours.
 */
export function createFront() {
  let backends: Backends | undefined
  let isClosing = false
  const server: Server = createServer({
    requestTimeout: 0,
    headersTimeout: 8_000,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 72_000,
    noDelay: true,
    // Node's own refusal has no words
    requireHostHeader: false,
  })
  const handle = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      return refuse(response, 400, 'The request has no Host header.')
    const path = request.url?.split('?', 1)[0]
    if (path === '/livez') return send(response, 200, { message: 'Alive.' })
    if (path === '/readyz') return void readiness(response, isClosing ? undefined : backends)
    if (backends === undefined)
      return send(response, 503, { message: 'The service is starting. Try again shortly.' })
    if (isClosing) response.setHeader('connection', 'close')
    if (path?.startsWith('/storage/') === true) {
      const { storage } = backends
      return expectsContinue ? storage.handleContinue(request, response) : storage.handle(request, response)
    }
    if (expectsContinue) response.writeContinue()
    return backends.api(request, response)
  }
  server.on('request', (request, response) => handle(request, response, false))
  server.on('checkContinue', (request, response) => handle(request, response, true))
  server.on('checkExpectation', (_request, response) =>
    refuse(response, 417, 'Of expectations only 100-continue can be met.'),
  )
  return {
    server,
    open(to: Backends): void {
      backends = to
    },
    /** From now on not ready, and every connection ends with its request. */
    startClosing(): void {
      isClosing = true
      server.closeIdleConnections()
    },
  }
}

async function readiness(response: ServerResponse, backends: Backends | undefined): Promise<void> {
  if (backends === undefined) return send(response, 503, { message: 'Not ready.' })
  try {
    await backends.check()
    send(response, 200, { message: 'Ready.' })
  } catch (error) {
    send(response, 503, { message: problemFrom(error)?.message ?? 'Not ready.' })
  }
}

/** For requests of which it is unclear what follows on their connection. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.setHeader('connection', 'close')
  send(response, status, { message })
}

function send(response: ServerResponse, status: number, body: { message: string }): void {
  const text = JSON.stringify(body)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  }
  response.writeHead(status, headers).end(text)
}
