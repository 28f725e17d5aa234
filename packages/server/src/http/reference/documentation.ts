import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { once } from '../../lib/once.ts'
import { entityTag, isUnchanged } from '../endpoint/conditional.ts'
import { apiBase } from '../server.ts'
import { acceptedEncoding, compressDocument, type Encoding } from '../wire/compression.ts'
import { referencePage, referencePolicy } from './reference-page.ts'

const exampleOrigin = 'http://localhost:4400'

/**
 * Serves the OpenAPI document and the API reference page without authentication. Both contain the public URL of the
 * service. Each is generated on its first request, so that it does not delay startup.
 */
export function documentation(createDocument: () => Record<string, unknown>, publicUrl: string) {
  // The content is stored in buffers, because Node.js would copy a string for every client that is slow to read it.
  const json = () => Buffer.from(JSON.stringify(createDocument()).replaceAll(exampleOrigin, () => publicUrl))
  const html = () =>
    Buffer.from(
      referencePage(createDocument()).replaceAll(exampleOrigin, () => publicUrl.replaceAll('&', '&amp;')),
    )
  return async (api: FastifyInstance): Promise<void> => {
    const sendJson = createSender(json)
    api.get(`${apiBase}/openapi.json`, async (request, reply) => {
      reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8')
      return sendJson(request, reply)
    })
    const sendHtml = createSender(html)
    api.get(`${apiBase}/docs`, async (request, reply) => {
      reply.header('content-security-policy', referencePolicy).type('text/html; charset=utf-8')
      return sendHtml(request, reply)
    })
    const sendScript = createSender(() =>
      readFileSync(new URL('./reference-page.client.js', import.meta.url)),
    )
    api.get(`${apiBase}/docs.js`, async (request, reply) => {
      reply.headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
      return sendScript(request, reply.type('text/javascript; charset=utf-8'))
    })
  }
}

/**
 * Returns a function that sends the document in the best encoding that the client accepts, or 304 if the client already
 * has it. The first request creates the document, and the first request for each encoding compresses it.
 */
function createSender(createDocument: () => Buffer) {
  const prepare = once(() => {
    const document = createDocument()
    return { document, tag: entityTag(document).slice(1, -1) }
  })
  const compressed = new Map<Encoding, Promise<Buffer>>()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { document, tag } = prepare()
    const encoding = acceptedEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
    const encodedTag = `"${encoding === undefined ? tag : `${tag}-${encoding}`}"`
    reply.headers({ vary: 'accept-encoding', etag: encodedTag })
    if (isUnchanged(request.headers['if-none-match'], encodedTag))
      return reply.code(304).removeHeader('content-type').send()
    if (encoding === undefined) return reply.send(document)
    const bytes = compressed.get(encoding) ?? compressDocument(document, encoding)
    compressed.set(encoding, bytes)
    return reply.header('content-encoding', encoding).send(await bytes)
  }
}
