import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Executor } from '../../database/transaction.ts'
import { createRefusalLog } from '../../http/limits/refusal-log.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import type { StorageDriver } from '../driver.ts'
import { findStoredObject } from '../objects/stored-objects.db.ts'
import { createRelayLimits, isRefusal, type RelayLimits } from '../relay-limits.ts'
import { uploadStalled } from '../storage-errors.ts'
import { createTurns } from '../turns.ts'
import { requestsSeveralRanges } from './byte-range.ts'
import {
  acceptRanges,
  describeBody,
  fileHeaders,
  isNotModified,
  requestedRanges,
} from './download-response.ts'
import { joinMultipart } from './multipart-ranges.ts'
import { readBlocks } from './range-blocks.ts'
import { ClientDisconnected, readRequestBody, type StallLimit } from './request-body.ts'
import { defaultStallLimit, sendChunks, type SendContext } from './send-chunks.ts'
import { createSendWindows } from './send-windows.ts'
import { serveSigned } from './signed-endpoint.ts'
import { isRelayPath, type Claims, type UrlSigner } from './signed-url.ts'
import { commonHeaders, sendError } from './storage-responses.ts'

type RelayOptions = {
  signer: UrlSigner
  storage: Pick<StorageDriver, 'read' | 'requireComplete' | 'signGet' | 'storePart'>
  db: Executor
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'warn' | 'error'>
  metrics: Pick<Metrics, 'recordDamagedFile' | 'startTransfer'>
  /** Returns the network of the client, which may use half of what the relay can do at once. */
  networkOf: (request: IncomingMessage) => string
  stallLimit?: StallLimit
}

type RelayContext = RelayOptions & SendContext & { limits: RelayLimits }

type Get = Extract<Claims, { method: 'GET' }>
type Put = Extract<Claims, { method: 'PUT' }>

const minRedirectSeconds = 60
/** More than for folders, because ranges are small: 80 pieces of a client would otherwise wait for many others. */
const maxSendsPerIteration = 8

type Handlers = {
  handle: (request: IncomingMessage, response: ServerResponse) => void
  handleContinue: (request: IncomingMessage, response: ServerResponse) => void
}

/** Returns handlers for all paths under /storage/, which pass those of the relay to it. */
export function withRelay(folder: Handlers, relay: Handlers): Handlers {
  const of = ({ url = '' }: IncomingMessage) => (isRelayPath(url) ? relay : folder)
  return {
    handle: (request, response) => of(request).handle(request, response),
    handleContinue: (request, response) => of(request).handleContinue(request, response),
  }
}

/**
 * Creates the handlers of paths under `/storage/relay/`, which do for files in buckets what S3 does not: HEAD with the URL
 * of a download, several ranges, and PUT of parts without a length. Everything else is redirected to the bucket.
 */
export function createRelay(options: RelayOptions): Handlers {
  const context: RelayContext = {
    stallLimit: defaultStallLimit,
    sendTurns: createTurns(maxSendsPerIteration),
    sendWindows: createSendWindows(),
    limits: createRelayLimits(),
    ...options,
  }

  const refusals = createRefusalLog(context.log)

  const handle = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) =>
    serveSigned(context, request, response, async (claims) => {
      try {
        if (claims.method === 'GET') await sendRelayed(context, { claims, request, response })
        else await relayPart(context, { claims, request, response, expectsContinue })
      } catch (error) {
        if (!isRefusal(error)) throw error
        refusals.count('refusedTransfers', context.networkOf(request))
        sendError(request, response, error)
      }
    })

  return {
    handle: (request, response) => void handle(request, response, false),
    handleContinue: (request, response) => void handle(request, response, true),
  }
}

type Exchange<T> = { claims: T; request: IncomingMessage; response: ServerResponse }
type PutExchange = Exchange<Put> & { expectsContinue: boolean }

async function sendRelayed(
  context: RelayContext,
  { claims, request, response }: Exchange<Get>,
): Promise<void> {
  const object = await findStoredObject(context.db, claims.key)
  if (object === undefined) throw notFound()
  if (request.method === 'GET' && !requestsSeveralRanges(request.headers.range))
    return redirect(context, { claims, request, response })
  // The same ETag as in the responses of S3.
  const etag = `"${object.segments[0]?.name ?? ''}"`
  const headers = { ...fileHeaders(claims, etag), ...acceptRanges }
  if (isNotModified(request, etag)) {
    response.writeHead(304, headers).end()
    return
  }
  const ranges = requestedRanges(request, etag, object.sizeBytes)
  const body = describeBody(object, ranges, claims.contentType)
  if (request.method === 'HEAD') {
    await context.storage.requireComplete(object)
    response.writeHead(body.status, { ...headers, ...body.headers }).end()
    return
  }
  const client = { network: context.networkOf(request), key: claims.key }
  await context.limits.send(client, async (supply) => {
    if (response.destroyed) throw new ClientDisconnected()
    // Ceph sends the first range of a list, even if the whole file is to be sent.
    const bytesToRead = ranges ?? [{ start: 0, end: object.sizeBytes - 1 }]
    const pieces = readBlocks(bytesToRead, (range) => context.storage.read(object, range), supply)
    const { multipart } = body
    const chunks = multipart === undefined ? bytesOf(pieces) : joinMultipart(multipart, pieces)
    await sendChunks(context, request, response, {
      ...body,
      headers: { ...headers, ...body.headers },
      chunks,
    })
  })
}

async function* bytesOf(
  pieces: AsyncIterable<{ bytes: Uint8Array }>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { bytes } of pieces) yield bytes
}

/** Redirects to a URL of the bucket that expires with this one. */
async function redirect(
  { storage, clock }: RelayContext,
  { claims, request, response }: Exchange<Get>,
): Promise<void> {
  const expires = Number(new URLSearchParams(request.url?.split('?')[1]).get('expires'))
  const secondsLeft = Math.floor(expires - clock.now().getTime() / 1000)
  const { key, filename, contentType } = claims
  const location = await storage.signGet(
    { key },
    { filename, contentType, expiresInSeconds: Math.max(secondsLeft, minRedirectSeconds), isDirect: true },
  )
  // A client that does not follow redirects saves this text instead of the file.
  const body =
    'The file is at the URL in the `Location` header. Follow redirects, for example with `curl -L`.\n'
  response
    .writeHead(307, {
      ...commonHeaders,
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
      'content-type': 'text/plain; charset=utf-8',
      location,
      'referrer-policy': 'no-referrer',
    })
    .end(body)
}

/** Sends a part to the bucket while it arrives. Responds with 200 and the ETag of the bucket once the part is stored. */
const relayPart = (context: RelayContext, exchange: PutExchange): Promise<void> =>
  context.limits.receive(exchange.claims.callerId, () => storePart(context, exchange))

async function storePart(
  { storage, metrics, stallLimit }: RelayContext,
  { claims, request, response, expectsContinue }: PutExchange,
): Promise<void> {
  const { key, partNumber, sizeBytes, multipartId = '' } = claims
  const transfer = metrics.startTransfer('upload')
  // The iteration of the body does not end before the request does, so the response cannot wait for the rest of it.
  const interrupt = (problem: Pick<Problem, 'status' | 'code' | 'message'>): void => {
    response.once('close', () => request.destroy(new Error('the upload was interrupted')))
    sendError(request, response, problem, { linger: false })
  }
  try {
    const body = readRequestBody(request, {
      ...stallLimit,
      signal: new AbortController().signal,
      onStart: () => expectsContinue && response.writeContinue(),
      onChunk: (bytes) => transfer.add(bytes),
      onStall: () => interrupt(uploadStalled()),
      onAbort: () => undefined,
    })
    const etag = await storage.storePart(key, { multipartId, partNumber, sizeBytes }, body)
    if (response.headersSent) return
    response.writeHead(200, { ...commonHeaders, etag: `"${etag}"`, 'content-length': 0 }).end()
  } catch (error) {
    if (!(error instanceof Problem) || request.complete) throw error
    interrupt(error)
  } finally {
    transfer.end()
  }
}
