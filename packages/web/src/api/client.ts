import { createClient } from '@quayside/sdk'
import { fetchOnce, serviceUrl } from './browser.ts'
import { watched } from './connection.ts'

/** The path of the service, such as `/builds`, or an empty string if the service has a host of its own. */
export const basePath = new URL(serviceUrl).pathname.replace(/\/$/, '')

const listeners = new Set<() => void>()

/** Calls the function when a change is refused because the session has ended. */
export const onUnauthorizedChange = (listener: () => void): void => void listeners.add(listener)

/** The API with the session of the person who is signed in. The browser sends the cookie. */
export const api = createClient({
  baseUrl: serviceUrl,
  retries: 2,
  fetch: (url, init) =>
    watched(async () => {
      const response = await (typeof url === 'string' && init !== undefined
        ? fetchOnce(url, init)
        : fetch(url, init))
      // The cache of queries handles requests that only read.
      if (response.status === 401 && init?.method !== 'GET') for (const listener of listeners) listener()
      return response
    }, init?.signal),
})
