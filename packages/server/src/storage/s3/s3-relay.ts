import { createHash, type Hash } from 'node:crypto'
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { UploadPartCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { problem, type Problem } from '../../lib/problem.ts'
import { maxPutUrlSeconds, type UploadPart } from '../driver.ts'
import { alreadySealed, uploadGone } from '../local/local-tombstone.ts'
import { outOfSpace } from '../objects/free-space.ts'
import { tooLong, tooShort } from '../objects/part-writer.ts'
import { storageUnavailable } from '../storage-errors.ts'
import { fullStoreCodes, translateS3Errors } from './s3-errors.ts'
import { findObject, hasUpload, isEncryptedWithOwnKey, md5Pattern, unquoted } from './s3-objects.ts'
import type { S3Store } from './s3-seal.ts'

/** How long S3 may take to accept a chunk, or to acknowledge the part. */
const maxWriteMs = 30_000
const maxAcknowledgeMs = 120_000
const maxErrorChars = 10_000

/**
 * Sends one part to S3 while it arrives. Returns its ETag. The client of AWS cannot send a stream of a client, because it
 * signs the hash of the body without TLS and repeats failed calls. Throws `storage.part_changed` if the ETag shows that S3
 * has stored other bytes.
 */
export async function sendPart(
  { calls, layout }: S3Store,
  key: string,
  { multipartId, partNumber, sizeBytes }: UploadPart,
  body: AsyncIterable<Uint8Array>,
): Promise<string> {
  const target = layout.objects(key)
  const input = {
    Bucket: calls.bucket,
    Key: target,
    UploadId: multipartId,
    PartNumber: partNumber,
    ContentLength: sizeBytes,
  }
  const failure: { ofBody?: unknown } = {}
  const md5 = createHash('md5')
  const send: Parameters<typeof calls.runLong<Result | undefined>>[0] = async (client, { abortSignal }) => {
    const url = await getSignedUrl(client, new UploadPartCommand(input), {
      expiresIn: maxPutUrlSeconds,
      signableHeaders: new Set(['content-length']),
    })
    const isSecure = url.startsWith('https:')
    const request = (isSecure ? requestHttps : requestHttp)(url, {
      method: 'PUT',
      headers: { 'content-length': sizeBytes },
      agent: isSecure ? calls.relayAgents.httpsAgent : calls.relayAgents.httpAgent,
      signal: abortSignal,
    })
    const response = receiveResponse(request)
    const sending = sendBody(request, exactly(sizeBytes, body, md5), failure)
    for (const work of [response, sending]) work.catch(() => undefined)
    try {
      // S3 may reject the part before the body is complete.
      await Promise.race([sending, response])
      return await within(maxAcknowledgeMs, response)
    } catch (error) {
      // A client that disconnects says nothing about S3.
      if ('ofBody' in failure) return undefined
      // S3 closes the connection after it has rejected a part, so its response can be lost while the body is sent.
      if (!abortSignal.aborted && !(await hasUpload(calls, target, multipartId))) return gone
      throw error
    } finally {
      request.destroy()
    }
  }
  const result = await translateS3Errors(calls.runLong(send))
  if (result === undefined) throw failure.ofBody
  if (result.status === 200) {
    const etag = unquoted(result.etag)
    if (result.isEncrypted || !md5Pattern.test(etag) || etag === md5.digest('hex')) return etag
    // A part cannot be deleted. One of another size makes the upload incomplete until the client sends the part again.
    const Body = Buffer.alloc(sizeBytes === 1 ? 2 : 1)
    const replacement = new UploadPartCommand({ ...input, Body, ContentLength: Body.length })
    await translateS3Errors(calls.run((client, options) => client.send(replacement, options)))
    throw partChanged()
  }
  throw await explainRejection({ calls, layout }, key, result)
}

/** Returns the error for a part that S3 has not stored. */
async function explainRejection({ calls, layout }: S3Store, key: string, result: Result): Promise<Problem> {
  if (result.status === 404) {
    if ((await translateS3Errors(findObject(calls, layout.objects(key)))) !== undefined)
      return alreadySealed()
    const discarded = await translateS3Errors(findObject(calls, layout.discarded(key)))
    return discarded === undefined ? partsDeleted() : uploadGone()
  }
  const cause = new Error(`S3 rejected a part with status ${result.status}`)
  return fullStoreCodes.some((code) => result.text.includes(`<Code>${code}</Code>`))
    ? outOfSpace({ cause })
    : storageUnavailable({ cause })
}

/** Sends the chunks. Each must have been sent before the next one is requested, which reuses its memory. */
async function sendBody(
  request: ClientRequest,
  body: AsyncIterable<Uint8Array>,
  failure: { ofBody?: unknown },
): Promise<void> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        failure.ofBody = error
        throw error
      })
      if (next.done === true) break
      await within(maxWriteMs, write(request, next.value))
    }
    request.end()
  } finally {
    await chunks.return?.()
  }
}

async function* exactly(
  sizeBytes: number,
  chunks: AsyncIterable<Uint8Array>,
  hash: Hash,
): AsyncGenerator<Uint8Array, void, undefined> {
  let receivedBytes = 0
  for await (const chunk of chunks) {
    receivedBytes += chunk.length
    if (receivedBytes > sizeBytes) throw tooLong({ sizeBytes })
    hash.update(chunk)
    yield chunk
  }
  if (receivedBytes < sizeBytes) throw tooShort({ sizeBytes, receivedBytes })
}

const write = (request: ClientRequest, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('S3 closed the connection'))
    request.once('close', onClose)
    request.write(bytes, (error) => {
      request.off('close', onClose)
      if (error) reject(error)
      else resolve()
    })
  })

const partChanged = problem(
  'unavailable',
  'storage.part_changed',
  'Storage has received other bytes than were sent. Send the part again.',
  { retryAfterSeconds: 1 },
)

const partsDeleted = problem(
  'conflict',
  'storage.parts_deleted',
  'Storage has deleted the parts of this upload. Request a new URL for each part and send the parts again.',
)

type Result = { status: number; etag: string | undefined; isEncrypted: boolean; text: string }

const gone: Result = { status: 404, etag: undefined, isEncrypted: false, text: '' }

async function receiveResponse(request: ClientRequest): Promise<Result> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  let text = ''
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>)
    if (text.length < maxErrorChars) text += chunk
  const { etag, ...headers } = response.headers
  const isEncrypted = isEncryptedWithOwnKey({
    ServerSideEncryption: headers['x-amz-server-side-encryption']?.toString(),
    SSECustomerAlgorithm: headers['x-amz-server-side-encryption-customer-algorithm']?.toString(),
  })
  return { status: response.statusCode ?? 0, etag, isEncrypted, text }
}

async function within<T>(maxMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('S3 stopped responding')), maxMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
