import type { IncomingMessage, ServerResponse } from 'node:http'
import { problem, type Problem } from '../../lib/problem.ts'
import type { Digests } from '../objects/hashing.ts'
import { uploadStalled } from '../storage-errors.ts'
import { readRequestBody } from '../transfer/request-body.ts'
import { commonHeaders, sendError } from '../transfer/storage-responses.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { stagePart, temporaryPath, type IncomingPart } from './local-staging.ts'
import { requireOpen, uploadGone } from './local-tombstone.ts'

/** Stores the body of a PUT. Responds with 200 and the MD5 as ETag only once the bytes are durable. */
export async function receivePart(
  context: EndpointContext,
  part: IncomingPart & { callerId: string },
  request: IncomingMessage,
  response: ServerResponse,
  { expectsContinue }: { expectsContinue: boolean },
): Promise<void> {
  await requireOpen(context.layout, part.key)
  requireSignedLength(request, part.sizeBytes)
  const check = md5Check(request.headers['content-md5'])
  const temporary = temporaryPath(context.layout)
  const { signal, add, finish } = context.openPuts.start({ ...part, temporary })
  const transfer = context.metrics.startTransfer('upload')
  // Node.js stops tracking the request once a response is sent, so reading the body might never end unless the request
  // is destroyed.
  const interrupt = (problem: Pick<Problem, 'status' | 'code' | 'message'>): void => {
    response.once('close', () => request.destroy(new Error('the upload was interrupted')))
    sendError(request, response, problem, { linger: false })
  }
  try {
    const body = readRequestBody(request, {
      ...context.stallLimit,
      signal,
      onChunk: (sizeBytes) => {
        transfer.add(sizeBytes)
        add(sizeBytes)
      },
      onStart: () => expectsContinue && response.writeContinue(),
      onStall: () => interrupt(uploadStalled()),
      onAbort: () => interrupt(uploadGone()),
    })
    const { md5 } = await stagePart(context, part, body, { temporary, check })
    if (response.headersSent) return
    response.writeHead(200, { ...commonHeaders, etag: `"${md5}"`, 'content-length': 0 })
    response.end()
  } finally {
    transfer.end()
    finish()
  }
}

function requireSignedLength({ headers }: IncomingMessage, sizeBytes: number): void {
  const declaredLength = headers['content-length']
  const isChunked = headers['transfer-encoding'] !== undefined
  if (isChunked || Number(declaredLength ?? 0) === sizeBytes) return
  throw otherLength({ sizeBytes, length: declaredLength ?? 'missing' })
}

const otherLength = problem(
  'bad_request',
  'storage.length_not_as_signed',
  'This URL accepts exactly {sizeBytes} bytes, but `Content-Length` is {length}. Send exactly this number of bytes, or request a new upload.',
)

/**
 * Returns a function that checks the received bytes against `Content-MD5`, a Base64-encoded MD5 digest (RFC 1864), as
 * S3 does.
 */
function md5Check(contentMd5: string | string[] | undefined): (digests: Digests) => void {
  if (contentMd5 === undefined) return () => undefined
  const expected = String(contentMd5).trim()
  if (!/^[A-Za-z0-9+/]{22}==$/.test(expected)) throw invalidMd5()
  return ({ md5 }) => {
    if (Buffer.from(expected, 'base64').toString('hex') === md5) return
    throw md5Mismatch()
  }
}

const invalidMd5 = problem(
  'bad_request',
  'storage.invalid_md5',
  '`Content-MD5` must be the Base64-encoded 16-byte MD5 digest of the body.',
)

const md5Mismatch = problem(
  'bad_request',
  'storage.md5_mismatch',
  'The received bytes do not match `Content-MD5`. Send them again.',
)
