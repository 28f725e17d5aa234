import { createClient } from '@quayside/sdk'
import { fetchOnce, serviceUrl } from './browser.ts'

/** The path of the service, such as `/builds`, or an empty string if the service has a host of its own. */
export const basePath = new URL(serviceUrl).pathname.replace(/\/$/, '')

/** The API with the session of the person who is signed in. The browser sends the cookie. */
export const api = createClient({
  baseUrl: serviceUrl,
  retries: 2,
  fetch: (url, init) =>
    typeof url === 'string' && init !== undefined ? fetchOnce(url, init) : fetch(url, init),
})
