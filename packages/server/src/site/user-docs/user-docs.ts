import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendFile } from '../../http/wire/send-file.ts'
import { onceResolved } from '../../lib/once.ts'
import { buildSite } from './site.ts'

const contentPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Images contain inline styles. If a browser opens one directly, it must not load or run anything else.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'"

/** Serves the documentation for users under /docs without authentication. The first request renders all pages. */
export function userDocs(publicUrl: string, version: string) {
  const site = onceResolved(() => buildSite(publicUrl, version))
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { '*': path = '' } = request.params as { '*'?: string }
    const file = (await site()).get(path)
    if (file === undefined) return reply.callNotFound()
    const { type } = file
    reply.headers({
      'cache-control': 'no-cache',
      'content-security-policy': type === 'image/svg+xml' ? picturePolicy : contentPolicy,
      'x-content-type-options': 'nosniff',
    })
    return sendFile(request, reply, file)
  }
  return async (api: FastifyInstance): Promise<void> => {
    api.get('/docs', serve)
    api.get('/docs/*', serve)
  }
}
