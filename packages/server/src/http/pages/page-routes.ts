import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { clientHintsOf, deviceOf } from '../../lib/device.ts'
import type { Callers } from '../endpoint/callers.ts'
import { entityTag, isUnchanged } from '../endpoint/conditional.ts'
import { isNavigation } from '../wire/accept.ts'
import { callOf } from '../wire/call.ts'
import { readCookies, setCookie } from '../wire/cookies.ts'
import { documentHeaders, privateHeaders, renderDocument } from './document.ts'
import { noForm, readFields, readForm, readFormOfAnyClient, type FormData } from './form-data.ts'
import type { FormSlots } from './form-slots.ts'
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

type Options = { deps: Deps; callers: Callers; base: string; maxBodyBytes: number; formSlots: FormSlots }

/** Serves a page to browsers. */
export function mountPage(
  api: FastifyInstance,
  page: Page,
  { deps, callers, base, maxBodyBytes, formSlots }: Options,
): void {
  api.route({
    method: page.method,
    url: `${base}${page.path}`,
    ...(page.isForEveryClient === true ? {} : { constraints: { [htmlConstraint.name]: 'html' } }),
    bodyLimit: page.maxFormBytes ?? maxBodyBytes,
    config: { serves: page },
    onRequest: async (request, reply) => {
      const { scope, budget } = page
      if (scope === undefined) {
        callers.admitPublic(request, reply)
        // A large form is read only from visitors who may send it.
        if (page.maxFormBytes !== undefined) {
          await page.load(inputOf(page, deps, request, noForm) as never)
          formSlots.occupy(request, reply)
        }
        return
      }
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
  const input = inputOf(page, deps, request, await formOf(page, request))
  const { text } = input
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
  if (Buffer.isBuffer(content))
    return isConditional ? sendTagged(request, reply, content) : reply.send(content)
  // For a stream, Fastify keeps the declared length in the response to HEAD.
  return reply.header('content-length', content.headOf).send(Readable.from([]))
}

function inputOf(page: Page, deps: Deps, request: FastifyRequest, { fields, files }: FormData) {
  const call = callOf(deps, request)
  const { headers, originalUrl, url } = request
  return {
    ...call,
    device: deviceOf(call.userAgent),
    text: textFor(headers['accept-language']),
    visitedPath: originalUrl.split('?', 1)[0] ?? '',
    host: headers.host,
    cookies: readCookies(headers.cookie),
    method: request.method,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    fields: page.method === 'GET' ? fieldsOf(url) : fields,
    files,
    hints: clientHintsOf(headers),
    fetchSite: headers['sec-fetch-site'],
  }
}

async function formOf(page: Page, request: FastifyRequest): Promise<FormData> {
  if (page.method === 'GET') return noForm
  return page.isForEveryClient === true && page.maxFormBytes === undefined
    ? readFormOfAnyClient(request)
    : readForm(request)
}

const fieldsOf = (url: string): Map<string, string> => readFields(url.slice(`${url}?`.indexOf('?') + 1))
