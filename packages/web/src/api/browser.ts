import { takeEmbeddedResponse } from './embedded-responses.ts'

// What the console learns from the browser before it draws a page. On the server, which draws pages before their scripts
// run, packages/web/preview/browser.ts takes the place of this module.

/** The public URL of the service without a trailing slash. The served page has a base element with this URL. */
export const serviceUrl = new URL('.', document.baseURI).href.replace(/\/$/, '')

/** Like `fetch`, but uses the responses in the document for the first requests of a page. */
export const fetchOnce = async (url: string, init: RequestInit): Promise<Response> =>
  (init.method === 'GET' ? takeEmbeddedResponse(serviceUrl, url) : undefined) ?? fetch(url, init)

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Returns whether the window matches a media query of narrow screens; `useMediaQuery` follows it afterwards. */
export const isPhoneAtFirst = (): boolean | undefined => undefined

/** Returns the time zone of the person; undefined for that of this computer. */
export const shownTimeZone = (): string | undefined => undefined

/** Returns the columns that are hidden if the browser does not remember any. */
export const hiddenColumnsAtFirst = (): string[] => noColumns

const noColumns: string[] = []

/** Returns a text that the browser remembers. */
export const storedText = (key: string): string | null => localStorage.getItem(key)
