import type { Static, TObject } from 'typebox'
import type { ClientHints, Device } from '../../lib/device.ts'
import type { Problem } from '../../lib/problem.ts'
import type { Actor, ScopeRule } from '../endpoint/actor.ts'
import type { Call } from '../endpoint/endpoint.ts'
import type { Budget } from '../limits/rate-limits.ts'
import type { Cookie } from '../wire/cookies.ts'
import type { DocumentContent } from './document.ts'
import type { Explanation } from './error-page.ts'
import type { FormFile } from './form-data.ts'
import type { VisitorText } from './text/english.ts'

/** The input of a page: the dependencies and what the browser sent. */
export type PageCall = Omit<Call, 'actor' | 'lastEventId' | 'findAccessState' | 'setCookie'> & {
  device: Device
  /** The sentences of the page in the language of the visitor. */
  text: VisitorText
  cookies: ReadonlyMap<string, string>
  /** The path that the visitor opened, before `rewriteUrl`. */
  visitedPath: string
  /** The `Host` header. */
  host: string | undefined
  /** The query parameters of a GET request, or the form fields of a POST request. */
  fields: ReadonlyMap<string, string>
  /** The files of a POST request. */
  files: readonly FormFile[]
  hints: ClientHints
  /** Whether the page that sent the request is of the same site: the header `Sec-Fetch-Site`. */
  fetchSite: string | undefined
  /** `HEAD` for a request that `handle` answers as it answers GET. */
  method: string
  /** The body of a POST request, for a page that accepts something else than a form. */
  body: Buffer
}

/** A response that a program reads instead of a page. */
export type PageFile = {
  contentType: string
  /** `headOf` is the size of a file that only a HEAD request describes. */
  content: Buffer | { headOf: number }
  headers?: Record<string, string>
  /** Whether clients keep it, and ask each time whether it has changed. */
  isConditional?: boolean
}

export type PageResponse = { cookies?: Cookie[] } & (
  | (DocumentContent & { status?: number; headers?: Record<string, string>; isConditional?: boolean })
  // 303 by default, which turns the request into a GET.
  | { location: string; status?: 301 | 302 | 303 }
  | { file: PageFile }
)

type CallBy<S> = PageCall & { actor: S extends ScopeRule ? Actor : null }

export type PageDefinition<S extends ScopeRule | undefined, P extends TObject, V> = {
  method: 'GET' | 'POST'
  /** Path under /api/v1, with `:name` for path parameters. */
  path: `/${string}`
  /** The scope that the signed-in user must have. Without it, the page is public. */
  scope?: S
  /** The rate limit that a request of a signed-in user counts against; 'requests' by default. */
  budget?: Budget
  /** Whether clients get the page that do not ask for HTML. Such a page ignores forms that it cannot read. */
  isForEveryClient?: boolean
  /** The maximum size of the form, for a form with files. `load` also runs before the form is read. */
  maxFormBytes?: number
  params: P
  load: (call: CallBy<S> & { params: Static<P> }) => Promise<V>
  handle: (call: CallBy<S> & { params: Static<P> } & V) => Promise<PageResponse>
  /**
   * Returns how the page explains an error; undefined if the general explanation applies. `visitedPath` is the path that the
   * visitor opened.
   */
  explain?: (problem: Problem, text: VisitorText, visitedPath: string) => Explanation | undefined
  /** Returns the path of the console that shows the same after sign-in. Required with `scope`. */
  consolePath?: (params: Record<string, string>) => string
  /**
   * Returns the path under /api/v1 of the page that may show everyone the same. People without access are sent there, those
   * without a valid session with the field `signed_out`.
   */
  publicPath?: (params: Record<string, string>) => string
}

/** A page as used by the server. */
export type Page = Omit<PageDefinition<ScopeRule | undefined, TObject, unknown>, 'load' | 'handle'> & {
  load: (call: never) => Promise<unknown>
  handle: (call: never) => Promise<PageResponse>
}

/**
 * Declares a page that browsers get instead of JSON: requests without an `Authorization` header whose `Accept` header
 * contains `text/html`. An endpoint may have the same method and path.
 */
export function page<P extends TObject, V, S extends ScopeRule | undefined = undefined>(
  definition: PageDefinition<S, P, V>,
): Page {
  return definition
}
