import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { deviceDetailsOf, deviceOf } from '../../lib/device.ts'
import { problem } from '../../lib/problem.ts'
import type { Callers } from '../endpoint/callers.ts'
import { entityTag, isUnchanged } from '../endpoint/conditional.ts'
import { isNavigation } from '../wire/accept.ts'
import { callOf } from '../wire/call.ts'
import { readCookies, setCookie } from '../wire/cookies.ts'
import { documentHeaders, privateHeaders, renderDocument } from './document.ts'
import type { Page, PageFile } from './page.ts'
import { textFor } from './text/text-for.ts'

/** The routing constraint that selects a page instead of the endpoint with the same method and path. */
export const htmlConstraint = {
  name: 'prefers',
  storage() {
    const handlers = new Map<string, never>()
    return {
      get: (value: string) => handlers.get(value) ?? null,
      set: (value: string, handler: unknown) => void handlers.set(value, handler as never),
    }
  },
  deriveConstraint: (request: IncomingMessage) => (isNavigation(request) ? 'html' : 'json'),
}

type Options = { deps: Deps; callers: Callers; base: string; maxBodyBytes: number }

/** Serves a page to browsers. */
export function mountPage(
  api: FastifyInstance,
  page: Page,
  { deps, callers, base, maxBodyBytes }: Options,
): void {
  api.route({
    method: page.method,
    url: `${base}${page.path}`,
    ...(page.isForEveryClient === true ? {} : { constraints: { [htmlConstraint.name]: 'html' } }),
    bodyLimit: maxBodyBytes,
    config: { serves: page },
    onRequest: async (request, reply) => {
      const { scope, budget } = page
      if (scope === undefined) return callers.admitPublic(request, reply)
      request.actor = callers.narrow(await callers.admit(request, reply, budget), request, scope)
    },
    handler: (request, reply) => respond(page, deps, request, reply),
  })
}

async function respond(
  page: Page,
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { publicUrl } = deps.config
  const call = callOf(deps, request)
  const text = textFor(request.headers['accept-language'])
  const input = {
    ...call,
    device: deviceOf(call.userAgent),
    deviceDetails: deviceDetailsOf(request.headers),
    text,
    visitedPath: request.originalUrl.split('?', 1)[0] ?? '',
    host: request.headers.host,
    cookies: readCookies(request.headers.cookie),
    method: request.method,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    fields: page.method === 'GET' ? fieldsOf(request.url) : formFields(request, page),
  }
  const loaded = await page.load(input as never)
  const response = await page.handle({ ...input, ...(loaded as object) } as never)
  const isSecure = publicUrl.startsWith('https:')
  for (const cookie of response.cookies ?? [])
    void reply.header('set-cookie', setCookie(cookie, { isSecure }))
  if ('file' in response) return sendFile(request, reply, response.file)
  if ('location' in response)
    return reply
      .code(response.status ?? 303)
      .headers({ ...privateHeaders, location: response.location })
      .send()
  const { status = 200, headers } = response
  void reply.code(status).headers({ ...documentHeaders(publicUrl, response), ...headers })
  const document = renderDocument(response, text, publicUrl)
  return response.isConditional === true ? sendTagged(request, reply, document) : reply.send(document)
}

/** Sends content with an entity tag, or 304 if the client has the same content already. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, content: string | Buffer): FastifyReply {
  const etag = entityTag(content)
  void reply.headers({ etag, 'cache-control': 'private, no-cache' })
  return isUnchanged(request.headers['if-none-match'], etag)
    ? reply.code(304).removeHeader('content-type').send()
    : reply.send(content)
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, content, headers = {}, isConditional = false }: PageFile,
): FastifyReply {
  void reply.headers({ ...privateHeaders, 'x-content-type-options': 'nosniff', ...headers }).type(contentType)
  if (Buffer.isBuffer(content)) return isConditional ? sendTagged(request, reply, content) : reply.send(content)
  // For a stream, Fastify keeps the declared length in the response to HEAD.
  return reply.header('content-length', content.headOf).send(Readable.from([]))
}

const fieldsOf = (url: string): Map<string, string> => readFields(url.slice(`${url}?`.indexOf('?') + 1))

function formFields(
  { body, headers }: FastifyRequest,
  { isForEveryClient = false }: Page,
): Map<string, string> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')
  if (!isForm && isForEveryClient) return new Map()
  if (bytes.length > 0 && !isForm) throw notAForm()
  return readFields(bytes.toString())
}

const notAForm = problem(
  'unsupported_media',
  'request.not_form',
  'Send the form as `application/x-www-form-urlencoded`.',
)

/** Returns the first value of each field, without NUL characters, which the database does not accept. */
function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text))
    if (!fields.has(name)) fields.set(name, value.replaceAll('\0', ''))
  return fields
}
