import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { isPrefetch } from '../../../http/wire/accept.ts'
import { problemFrom } from '../../../http/wire/errors.ts'
import { notFound, problem } from '../../../lib/problem.ts'
import type { Adapter, FeedAddress, FeedRequest } from '../adapters/adapter.ts'
import { findFormat } from '../adapters/formats.ts'
import { findAtPath } from '../adapters/published-files.ts'
import { describeFailure, describeRequest, factsOf, type Served } from '../adoption/feed-request.ts'
import type { RequestCounts } from '../adoption/request-counts.ts'
import { channelUrl } from '../channel.ts'
import { hashReadKey } from '../read-keys/channel-read-key.ts'
import type { ReportCounts } from '../rollouts/report-counts.ts'
import { readReport } from '../rollouts/rollout-report.ts'
import type { RolloutClient } from '../rollouts/rollout-rules.ts'
import { findDeparted } from './departed.ts'
import { documentOf, type FeedDocument, type FeedRedirect, type FeedResult } from './documents.ts'
import { readAuthorization, readClient } from './feed-client.ts'
import { createFeed, offersKey, type ClientFeed } from './feed.ts'
import { isForEveryone, publicChannelId } from './public-responses.ts'
import type { PublicationKey } from './publication.ts'
import { createPublications, type LivePublication } from './publications.ts'
import { redirectToFile } from './redirect-to-file.ts'
import { audienceOf } from './repository-index.ts'
import { headersOf, sendDocument, sendRedirect } from './send-document.ts'
import { createDocumentSigner, unsignedPath, type DocumentSigner } from './signed-documents.ts'

const keyRequired = problem(
  'unauthorized',
  'channel.key_required',
  'This channel requires a read key, in the path or as the password of HTTP Basic authentication.',
  { headers: { 'www-authenticate': 'Basic realm="Updates", charset="UTF-8"' } },
)
/** The size of the largest search that a client can send. */
const maxQueryBytes = 16 * 1024

/**
 * Serves `/u/{channel}[/k/{read key}]/{format}/…`. The route has no parameters, so that neither metrics nor traces
 * contain the key.
 */
export function channelFeeds(
  deps: Deps,
  { requests, reports }: { requests: RequestCounts; reports: ReportCounts },
) {
  const publications = createPublications(deps)
  const signer = createDocumentSigner(deps)

  /** Sends the response that every client gets, without waiting for anything. Returns whether there is one. */
  function respondToEveryone(request: FastifyRequest, reply: FastifyReply): boolean {
    const { url, headers } = request
    const publicId = publicChannelId(url, headers)
    const publication = publicId === undefined ? undefined : publications.peek(publicId)
    const known = publication?.responses.find(url)
    if (publication === undefined || known === undefined) return false
    const { address } = known
    const userAgent = headers['user-agent']
    if (known.last === undefined || known.last.userAgent !== userAgent)
      known.last = { userAgent, facts: factsOf({ publication, address }, request) }
    const served = sendDocument(known.response, request, reply, known.headers)
    requests.count(describeRequest({ publication, address }, known.last.facts, served))
    return true
  }

  return async (api: FastifyInstance): Promise<void> => {
    for (const method of ['GET', 'POST'] as const)
      api.route({
        method,
        url: '/u/*',
        bodyLimit: maxQueryBytes,
        onRequest: (request, reply, done) => {
          api.callers.admitPublic(request, reply)
          if (method === 'POST' || !respondToEveryone(request, reply)) done()
        },
        handler: async (request, reply) => {
          const address = readAddress(request.url)
          const publication = await publications.find(address.channelId)
          if (publication === undefined) throw notFound()
          const found = { publication, address, publications, signer }
          if (isReport(address, request)) {
            requireReader(publication, address.pathKey, request, deps.clock.now())
            reports.add(readReport(bodyOf(request), publication))
            return reply.code(204).send()
          }
          const served = await respond(deps, found, request, reply).catch((error: unknown) => {
            requests.count(describeFailure(found, request, problemFrom(error)?.status ?? 500))
            throw error
          })
          requests.count(describeRequest(found, factsOf(found, request), served))
          return reply
        },
      })
  }
}

type Address = FeedAddress & { channelId: string; pathKey: string | undefined }

const isReport = ({ format, path }: Address, { method }: FastifyRequest): boolean =>
  format === 'report' && path.length === 0 && method === 'POST'

/** Splits the URL. Segments are decoded one by one, because a file name can contain an encoded slash. */
function readAddress(url: string): Address {
  const [pathname = '', search = ''] = splitOnce(url, '?')
  const [, , channelId = '', ...rest] = pathname.split('/').map(decoded)
  const pathKey = rest[0] === 'k' ? (rest[1] ?? '') : undefined
  const [format = '', ...path] = rest.slice(pathKey === undefined ? 0 : 2)
  return { channelId, pathKey, format, path, query: new URLSearchParams(search) }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}

const maxSegmentLength = 300

function decoded(segment: string): string {
  let text: string
  try {
    text = decodeURIComponent(segment)
  } catch {
    throw notFound()
  }
  if (text.length > maxSegmentLength || text.includes('\0') || !text.isWellFormed()) throw notFound()
  return text.normalize('NFC')
}

/**
 * Returns the read key of the client. Throws 404 if the key in the path is wrong, as if the channel did not exist, and
 * 401 if a required key is not in the path.
 */
function requireReader(
  { state, keys }: LivePublication,
  pathKey: string | undefined,
  { headers }: FastifyRequest,
  now: Date,
): PublicationKey | undefined {
  const sent = pathKey ?? readAuthorization(headers)
  const sha256 = sent === undefined ? undefined : hashReadKey(sent)
  const key = sha256 === undefined ? undefined : keys.get(sha256)
  const isValid = key !== undefined && (key.expiresAt === null || key.expiresAt > now)
  if (isValid) return key
  if (state.access === 'public') return undefined
  throw pathKey === undefined ? keyRequired() : notFound()
}

type Requested = {
  publication: LivePublication
  address: Address
  /** Undefined if the publication is certainly current. */
  publications: ReturnType<typeof createPublications> | undefined
  signer: DocumentSigner
}

async function respond(
  deps: Deps,
  { publication, address, publications, signer }: Requested,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Served> {
  const { pathKey, format, path, query } = address
  const { state } = publication
  const key = requireReader(publication, pathKey, request, deps.clock.now())
  const adapter = findFormat(format)
  if (adapter === undefined || !state.formats.includes(format)) throw notFound()
  const url = `${channelUrl(deps, state.id)}${pathKey === undefined ? '' : `/k/${encodeURIComponent(pathKey)}`}`
  const client = readClient(request.headers, query, key)
  const source = { publication, adapter, client, channelUrl: url, format }
  const body = request.method === 'POST' ? bodyOf(request) : undefined
  if (body !== undefined && adapter.answerPost === undefined) throw notFound()
  let result = await findSigned(deps, { ...source, signer }, { base: `${url}/${format}`, path, query, body })
  if (result === 'not found' && body === undefined) {
    const current = await publications?.findNow(state.id)
    if (current !== undefined && current !== publication)
      return respond(deps, { publication: current, address, publications: undefined, signer }, request, reply)
    const file = findDeparted(path, publication, deps.clock.monotonicMs())
    if (file !== undefined) result = { file }
  }
  if (typeof result === 'object' && 'file' in result) {
    const call = {
      ...request.client,
      userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
      isHead: request.method === 'HEAD' || isPrefetch(request.headers),
      range: request.headers.range,
      ifNoneMatch: request.headers['if-none-match'],
    }
    const { status, headers, isDownload } = await redirectToFile(
      { ...deps, ...call },
      { state, key, file: result.file },
    )
    void reply.code(status).headers(headers).send()
    return isDownload ? { outcome: 'downloads', file: result.file } : {}
  }
  if (result === 'not found') throw notFound()
  const { url: requested } = request
  const isPrivate = key !== undefined || publication.partial.length > 0
  if (typeof result === 'object' && 'redirect' in result) return sendRedirect(result, reply, { isPrivate })
  const headers = headersOf(result, { isPrivate })
  if (
    body === undefined &&
    pathKey === undefined &&
    isForEveryone(publication, adapter, { url: requested, result })
  )
    publication.responses.keep(requested, { response: result, headers, address })
  return sendDocument(result, request, reply, headers)
}

type Source = {
  publication: LivePublication
  adapter: Adapter
  client: RolloutClient
  channelUrl: string
  format: string
}

type ReadRequest = FeedRequest & { body: Buffer | undefined }

/** Returns what a path leads to, signed if the path is that of a signed document. */
async function findSigned(
  deps: Deps,
  { signer, ...source }: Source & { signer: DocumentSigner },
  request: ReadRequest,
): Promise<FeedResult> {
  const { publication, adapter } = source
  if (adapter.isSigned !== true) return find(deps, source, request)
  const keyring = await signer.findKeyring(publication.state.workspace_id, request.path)
  if (keyring !== undefined) return keyring
  const path = unsignedPath(request.path, adapter)
  if (path === undefined) return find(deps, source, request)
  const document = await find(deps, source, { ...request, path })
  return typeof document === 'object' && 'body' in document ? signer.sign(publication, document) : document
}

const find = async (deps: Deps, source: Source, request: ReadRequest): Promise<FeedResult> =>
  (await findIndexDocument(deps, source, request.path)) ??
  findResult({ ...source, feed: createFeed(deps, source.publication, source) }, request)

/** Returns the document at a path of a package repository; undefined if the path leads to something else. */
async function findIndexDocument(
  deps: Deps,
  { publication, adapter, client, format }: Source,
  path: readonly string[],
): Promise<FeedDocument | FeedRedirect | undefined> {
  if (adapter.index === undefined) return undefined
  const audience = audienceOf(publication, client)
  // Clients with different read keys get the same index.
  const feed = createFeed(deps, publication, {
    client: audience.client,
    channelUrl: channelUrl(deps, publication.state.id),
  })
  const repository = { ...publication, ...audience, format, index: adapter.index, feed }
  return publication.indexes.find(deps, repository, path.join('/'))
}

/** Returns what a path leads to, from memory if the same was requested by a client with the same offers. */
async function findResult(
  { publication, adapter, feed }: { publication: LivePublication; adapter: Adapter; feed: ClientFeed },
  { base, path, query, body }: ReadRequest,
): Promise<FeedResult> {
  const known = new URLSearchParams([...query].filter(([name]) => adapter.query?.includes(name) === true))
  const request = { path, query: known, base }
  const sent = body === undefined ? null : hash('sha256', body)
  const key = JSON.stringify([base, path, known.toString(), offersKey(publication, feed), sent])
  return publication.documents.find(key, async () => {
    const answer =
      body === undefined
        ? await adapter.answer(request, feed)
        : await adapter.answerPost?.({ ...request, body }, feed)
    if (answer === undefined && body !== undefined) return 'not found'
    if (answer === 'no update') return answer
    if (answer !== undefined) return 'file' in answer ? answer : documentOf(answer)
    const file = findAtPath(path, feed)
    return file === undefined ? 'not found' : { file }
  })
}

const bodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
