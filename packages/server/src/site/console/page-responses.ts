import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PageResponse } from './preview-messages.ts'

/** Headers that decide who sends a request and from where. */
const forwardedHeaders = ['cookie', 'forwarded', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto']

/** Sends a GET request that a page needs in the name of the person who opens it. Passes the same checks as any request. */
export async function loadForPage(
  api: FastifyInstance,
  { headers, socket }: FastifyRequest,
  url: string,
): Promise<PageResponse> {
  const { statusCode: status, body } = await api.inject({
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
  return { url, status, body }
}

/** Returns an element from which the console takes a response instead of sending the request. */
export function responseElement({ url, status, body }: PageResponse): string {
  const escapedUrl = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return dataElement(`data-url="${escapedUrl}" data-status="${status}"`, body)
}

/** Returns an element that contains JSON, which browsers never run. */
export const dataElement = (attributes: string, json: string): string =>
  // In JSON, `<` occurs only in strings. Escaped, it can neither end the element nor start a comment.
  `<script type="application/json" ${attributes}>${json.replaceAll('<', String.raw`\u003c`)}</script>\n`
