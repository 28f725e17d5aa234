import type { Static, TObject, TSchema } from 'typebox'
import type { Deps } from '../deps.ts'
import type { Actor, ScopeRule } from './actor.ts'
import type { Budget } from './rate-limits.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Status = 200 | 201 | 302
type Empty = object
type Input<T> = T extends TObject ? Static<T> : Empty

/** What every operation is given: the service's parts and who asks. */
export type Call = Deps & {
  actor: Actor
  requestId: string
  address: string
  userAgent: string | null
  /** HEAD: to be answered as GET is, and nothing else may come of it (RFC 9110 section 9.2.1). */
  isHead: boolean
  /** Asks for bytes behind the first one alone: goes on with a download, or takes a piece of it. */
  isResuming: boolean
}

type CallBy<S> = S extends 'public' ? Omit<Call, 'actor'> & { actor: null } : Call

export type EndpointDefinition<S extends ScopeRule | 'public', P, Q, B, R extends TSchema, V> = {
  method: Method
  /** Below /api/v1, with `:name` for path parameters. */
  path: `/${string}`
  /** What a key must hold; 'public' asks for no key, and a key that is sent means nothing. */
  scope: S
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  /** In bodies of the upload flow "" and null mean "not given", and integers may come as decimal strings. */
  lenient?: boolean
  /** Status of success; 200 unless given. With 302 the answer is a `Redirect`. */
  status?: Status
  /** Content types of a file that is answered instead of JSON, as a `FileAnswer`. It must never change. */
  serves?: readonly string[]
  /** For a POST that answers 200 and creates something all the same. */
  creates?: true
  /** What a call is charged to; 'requests' unless given. */
  budget?: Budget
  /** How it may refuse besides: 401 and 403 where no key is asked for, 409 where nothing is written. */
  refuses?: readonly (401 | 403 | 409)[]
  returns: R
  /** Turns path ids into what they name, or throws notFound: before any other field of the request is judged. */
  visible?: (call: CallBy<S> & { params: Input<P> }) => Promise<V>
  handle: (call: CallBy<S> & { params: Input<P>; query: Input<Q>; body: Input<B> } & V) => Promise<Static<R>>
}

/** An endpoint as the server, the OpenAPI document and the tests see it: all that is promised is data. */
export type Endpoint = {
  method: Method
  path: `/${string}`
  scope: ScopeRule | 'public'
  summary: string
  description?: string
  params?: TObject
  query?: TObject
  body?: TObject
  lenient?: boolean
  status?: Status
  serves?: readonly string[]
  creates?: true
  budget?: Budget
  refuses?: readonly (401 | 403 | 409)[]
  returns: TSchema
  visible?: (call: never) => Promise<unknown>
  handle: (call: never) => Promise<unknown>
}

export function endpoint<
  const S extends ScopeRule | 'public',
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
  R extends TSchema = TSchema,
  V = Empty,
>(definition: EndpointDefinition<S, P, Q, B, R, V>): Endpoint {
  return definition as unknown as Endpoint
}
