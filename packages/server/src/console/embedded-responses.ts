import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Headers that decide who sends a request and from where. */
const forwardedHeaders = ['cookie', 'forwarded', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto']

const sessionUrl = '/api/v1/session'

/**
 * Yields elements with the responses to requests that the page will send first, in the name of the person who opens it.
 * Without a session, only requests of sign-in are sent. Responses that take longer than `maxWaitMs` are left out: they would
 * delay the scripts, which run when the document is complete.
 */
export async function* embeddedResponses(
  api: FastifyInstance,
  request: FastifyRequest,
  urls: readonly string[],
  maxWaitMs: number,
): AsyncGenerator<string> {
  const timeout = wait(maxWaitMs, undefined, { ref: false })
  const load = (url: string) => Promise.race([loadElement(api, request, url), timeout])
  const needsSession = urls.includes(sessionUrl)
  const session = needsSession ? await load(sessionUrl) : undefined
  if (session !== undefined) yield session.html
  const others = urls.filter(
    (url) => url !== sessionUrl && (session?.status === 200 || url.startsWith('/api/auth/')),
  )
  for (const pending of others.map(load)) {
    const element = await pending
    if (element?.status === 200) yield element.html
  }
}

async function loadElement(
  api: FastifyInstance,
  { headers, socket }: FastifyRequest,
  url: string,
): Promise<{ status: number; html: string } | undefined> {
  const response = await api
    .inject({
      method: 'GET',
      url,
      ...(socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
      headers: {
        ...Object.fromEntries(
          forwardedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
        ),
        accept: 'application/json',
        'sec-fetch-site': 'same-origin',
      },
    })
    .catch(() => undefined)
  if (response === undefined) return undefined
  const { statusCode: status, body } = response
  const escapedUrl = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  // In JSON, `<` occurs only in strings. Escaped, it can neither end the element nor start a comment.
  const json = body.replaceAll('<', String.raw`\u003c`)
  return {
    status,
    html: `<script type="application/json" data-url="${escapedUrl}" data-status="${status}">${json}</script>\n`,
  }
}
