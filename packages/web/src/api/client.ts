import { createClient } from '@quayside/sdk'
import { takeEmbeddedResponse } from './embedded-responses.ts'

/** The public URL of the service without a trailing slash. The served page has a base element with this URL. */
export const serviceUrl = new URL('.', document.baseURI).href.replace(/\/$/, '')

/** The path of the service, such as `/builds`, or an empty string if the service has a host of its own. */
export const basePath = new URL(serviceUrl).pathname.replace(/\/$/, '')

/** Like `fetch`, but uses the responses in the document for the first requests of a page. */
export const fetchOnce = async (url: string, init: RequestInit): Promise<Response> =>
  (init.method === 'GET' ? takeEmbeddedResponse(serviceUrl, url) : undefined) ?? fetch(url, init)

/** The API with the session of the person who is signed in. The browser sends the cookie. */
export const api = createClient({
  baseUrl: serviceUrl,
  retries: 2,
  fetch: (url, init) =>
    typeof url === 'string' && init !== undefined ? fetchOnce(url, init) : fetch(url, init),
})
