import type { FastifyInstance } from 'fastify'
import { referencePage } from './reference-page.ts'
import { apiBase } from './server.ts'

const exampleOrigin = 'http://localhost:4400'

const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the OpenAPI document and API reference page without authentication. Both contain the service's public URL. */
export function documentation(document: Record<string, unknown>, publicUrl: string) {
  // Buffers are used because Node would copy a string for every client that is slow to read it.
  const json = Buffer.from(JSON.stringify(document).replaceAll(exampleOrigin, () => publicUrl))
  const html = Buffer.from(
    referencePage(document).replaceAll(exampleOrigin, () => publicUrl.replaceAll('&', '&amp;')),
  )
  return async (api: FastifyInstance): Promise<void> => {
    api.get(`${apiBase}/openapi.json`, async (_request, reply) =>
      reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8').send(json),
    )
    api.get(`${apiBase}/docs`, async (_request, reply) =>
      reply.header('content-security-policy', pagePolicy).type('text/html; charset=utf-8').send(html),
    )
    api.get('/', async (_request, reply) => reply.redirect(`${apiBase}/docs`))
  }
}
