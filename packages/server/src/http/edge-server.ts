import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Logger } from 'pino'
import { noMetrics, type Metrics } from '../lib/metrics.ts'
import { noTracing, type Tracing } from '../lib/tracing.ts'
import type { UploadTurns } from '../lib/upload-turns.ts'
import { documentHeaders, renderDocument } from './pages/document.ts'
import { errorDocument } from './pages/error-page.ts'
import { textFor } from './pages/text/text-for.ts'
import { isNavigation } from './wire/accept.ts'
import { createClientConnections } from './wire/client-connections.ts'
import {
  closeGracefullyAfterResponses,
  closeIfBodyIsUnread,
  isClosing,
  limitWriteTime,
} from './wire/close-connection.ts'
import type { Diagnosis } from './wire/diagnosis.ts'
import { problemFrom } from './wire/errors.ts'
import {
  countRequest,
  headerOverflow,
  maxHeaderBytes,
  respondToMalformedRequest,
} from './wire/malformed-requests.ts'

/** 1,000 ranges of a file of 500 GB have 27 KB. */
const maxRangeBytes = 32 * 1024

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const storageRoute = '/storage/*'
const uploadRoutes = '/api/v1/upload/'

type EdgeOptions = {
  /** Connections beyond this number are closed immediately. If undefined, the number is not limited. */
  maxConnections: number | undefined
  /** Addresses and ranges that may use all connections; any other client may use half of them. */
  proxies: readonly string[]
  log: Pick<Logger, 'warn'>
  uploadTurns: Pick<UploadTurns, 'start'>
  tracing?: Tracing
  metrics?: Metrics
  /** Serves /metrics; without it, the path does not exist. */
  serveMetrics?: Handler | undefined
}

export type EdgeServer = ReturnType<typeof createEdgeServer>

export type Backends = {
  api: Handler
  /** Handles every path under /storage/. */
  storage: { handle: Handler; handleContinue: Handler }
  /** Throws if the service is not ready. */
  check: () => Promise<void>
  /** Returns how a request of `quayside-server admin doctor` arrived, or undefined for all other requests. */
  diagnose: (request: IncomingMessage) => Diagnosis | undefined
}

const serverOptions: ServerOptions = {
  requestTimeout: 0,
  maxHeaderSize: maxHeaderBytes + maxRangeBytes,
  headersTimeout: 8_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 72_000,
  noDelay: true,
  // The option is disabled, because the built-in check in Node.js sends a response without a message.
  requireHostHeader: false,
}

/**
 * Creates the HTTP listener. It serves /livez and /readyz and passes all other requests to storage or the API; until
 * `open` is called, it rejects them with 503. Requests have no total time limit, because an upload may take hours.
 */
export function createEdgeServer({
  maxConnections,
  proxies,
  log,
  uploadTurns,
  tracing = noTracing,
  metrics = noMetrics,
  serveMetrics,
}: EdgeOptions) {
  let backends: Backends | undefined
  let isStopping = false
  const server: Server = createServer(serverOptions)
  if (maxConnections !== undefined) limitConnections(server, { maxConnections, proxies, log })
  server.on('connection', closeGracefullyAfterResponses)
  const handle = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    if (isClosing(request.socket)) return
    countRequest(request.socket)
    closeIfBodyIsUnread(request, response)
    if (hasOversizedHeaders(request)) return void respondToMalformedRequest(headerOverflow(), request.socket)
    const path = request.url?.split('?', 1)[0]
    const isStorage = path?.startsWith('/storage/') === true
    if (!isStorage) limitWriteTime(response)
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      return refuse(response, 400, 'The request has no `Host` header.')
    if (path === '/livez') return send(response, 200, { message: 'Alive.' })
    if (path === '/metrics' && serveMetrics !== undefined) return serveMetrics(request, response)
    if (path === '/readyz') return void readiness(request, response, isStopping ? undefined : backends)
    if (backends === undefined) return sendStarting(request, response)
    if (isStopping) response.setHeader('connection', 'close')
    const { api, storage } = backends
    if (isStorage ? request.method === 'PUT' : path?.startsWith(uploadRoutes))
      response.once('close', uploadTurns.start())
    if (!isStorage) return tracing.request(request, response, () => api(request, response))
    const handler = expectsContinue ? storage.handleContinue : storage.handle
    passToStorage(handler, { request, response, tracing, metrics })
  }
  server.on('request', (request, response) => handle(request, response, false))
  server.on('checkContinue', (request, response) => handle(request, response, true))
  server.on('checkExpectation', (_request, response) =>
    refuse(response, 417, 'Only the 100-continue expectation is supported.'),
  )
  return {
    server,
    open(started: Backends): void {
      backends = started
    },
    /** Serves only /livez and /readyz, on a node that runs background jobs. */
    openForHealthChecks(check: Backends['check']): void {
      backends = refuseAllBut(check)
    },
    /** Reports the service as not ready and closes each connection after its current request. */
    startClosing(): void {
      isStopping = true
      server.closeIdleConnections()
    },
  }
}

type StorageRequest = {
  request: IncomingMessage
  response: ServerResponse
  tracing: Tracing
  metrics: Metrics
}

/** Traces and counts a request to storage. */
function passToStorage(handler: Handler, { request, response, tracing, metrics }: StorageRequest): void {
  const { method = '' } = request
  response.once('close', () =>
    metrics.recordRequest({ method, route: storageRoute, status: response.statusCode, seconds: undefined }),
  )
  tracing.request(request, response, () => {
    tracing.setRoute(method, storageRoute)
    handler(request, response)
  })
}

function refuseAllBut(check: Backends['check']): Backends {
  const refuseOthers: Handler = (_request, response) =>
    refuse(response, 404, 'This node only runs background jobs. Send requests to a node that serves the API.')
  return {
    api: refuseOthers,
    storage: { handle: refuseOthers, handleContinue: refuseOthers },
    check,
    diagnose: () => undefined,
  }
}

/** Returns whether the request has larger headers than its Range header justifies. */
function hasOversizedHeaders({ url = '', rawHeaders }: IncomingMessage): boolean {
  let headerBytes = url.length
  let rangeBytes = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { [index]: name = '', [index + 1]: value = '' } = rawHeaders
    if (name.length === 5 && name.toLowerCase() === 'range') rangeBytes += value.length
    else headerBytes += name.length + value.length
  }
  return headerBytes > maxHeaderBytes || rangeBytes > maxRangeBytes
}

/**
 * Closes connections above the limit immediately. A single client may use only half of the connections, so that it
 * cannot lock out others.
 */
function limitConnections(
  server: Server,
  { maxConnections, proxies, log }: Pick<EdgeOptions, 'proxies' | 'log'> & { maxConnections: number },
): void {
  server.maxConnections = maxConnections
  const maxPerClient = Math.ceil(maxConnections / 2)
  const admit = createClientConnections(maxPerClient, proxies)
  const logDrop = createDropLog(log, 'connections dropped: too many are open')
  const logClientDrop = createDropLog(log, 'connections dropped: one client has too many open')
  server.on('drop', () => logDrop({ maxConnections }))
  server.on('connection', (socket) => {
    if (admit(socket)) return
    logClientDrop({ maxPerClient, address: socket.remoteAddress })
    socket.destroy()
  })
}

const dropLogIntervalMs = 60_000

/** Returns a function that counts dropped connections and logs the count at most once per minute. */
function createDropLog(log: Pick<Logger, 'warn'>, message: string) {
  let dropped = 0
  let nextLogMs = 0
  return (details: object) => {
    dropped++
    if (performance.now() < nextLogMs) return
    log.warn({ dropped, ...details }, message)
    dropped = 0
    nextLogMs = performance.now() + dropLogIntervalMs
  }
}

async function readiness(
  request: IncomingMessage,
  response: ServerResponse,
  backends: Backends | undefined,
): Promise<void> {
  if (backends === undefined) return send(response, 503, { message: 'Not ready.' })
  const diagnosis = backends.diagnose(request)
  const extra = diagnosis && { diagnosis }
  try {
    await backends.check()
    send(response, 200, { message: 'Ready.', ...extra })
  } catch (error) {
    send(response, 503, { message: problemFrom(error)?.message ?? 'Not ready.', ...extra })
  }
}

/** Sends an error response and closes the connection, because any bytes that follow cannot be parsed reliably. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.setHeader('connection', 'close')
  send(response, status, { message })
}

function sendStarting(request: IncomingMessage, response: ServerResponse): void {
  if (!isNavigation(request))
    return send(response, 503, { message: 'The service is starting. Try again shortly.' })
  const text = textFor(request.headers['accept-language'])
  response
    .writeHead(503, { ...documentHeaders(), 'x-content-type-options': 'nosniff', 'retry-after': '1' })
    .end(renderDocument(errorDocument({ ...text.errors.starting, symbol: 'clock' }), text))
}

function send(
  response: ServerResponse,
  status: number,
  body: { message: string; diagnosis?: Diagnosis },
): void {
  const text = JSON.stringify(body)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-content-type-options': 'nosniff',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  }
  response.writeHead(status, headers).end(text)
}
