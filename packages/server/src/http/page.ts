import type { Static, TObject } from 'typebox'
import type { Device } from '../lib/device.ts'
import type { Problem } from '../lib/problem.ts'
import type { Cookie } from './cookies.ts'
import type { DocumentContent } from './document.ts'
import type { Call } from './endpoint.ts'
import type { Explanation } from './error-page.ts'

/** The input of a page: the dependencies and what the browser sent. */
export type PageCall = Omit<Call, 'actor' | 'lastEventId' | 'findAccessState'> & {
  actor: null
  device: Device
  cookies: ReadonlyMap<string, string>
  /** The query parameters of a GET request, or the form fields of a POST request. */
  fields: ReadonlyMap<string, string>
}

export type PageResponse = { cookies?: Cookie[] } & (
  | (DocumentContent & { status?: number; headers?: Record<string, string> })
  | { location: string }
)

export type PageDefinition<P extends TObject, V> = {
  method: 'GET' | 'POST'
  /** Path under /api/v1, with `:name` for path parameters. */
  path: `/${string}`
  params: P
  load: (call: PageCall & { params: Static<P> }) => Promise<V>
  handle: (call: PageCall & { params: Static<P> } & V) => Promise<PageResponse>
  /** Returns how the page explains an error; undefined if the general explanation applies. */
  explain?: (problem: Problem) => Explanation | undefined
}

/** A page as used by the server. */
export type Page = Omit<PageDefinition<TObject, unknown>, 'load' | 'handle'> & {
  load: (call: never) => Promise<unknown>
  handle: (call: never) => Promise<PageResponse>
}

/**
 * Declares a page that browsers get instead of JSON: requests whose `Accept` header contains `text/html`. An endpoint
 * may have the same method and path. Pages require no API key.
 */
export function page<P extends TObject, V>(definition: PageDefinition<P, V>): Page {
  return definition
}
