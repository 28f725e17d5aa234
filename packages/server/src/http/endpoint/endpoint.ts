import type { Static, TObject, TSchema } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { ProblemDefinition } from '../../lib/problem.ts'
import type { Budget } from '../limits/rate-limits.ts'
import type { Actor, ScopeRule } from './actor.ts'
import type { AccessState } from './callers.ts'
import type { csvType } from './csv-response.ts'
import type { EventSchemas } from './event-stream.ts'
import type { WithJson } from './json.ts'
import type { FieldErrors } from './validation.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Status = 200 | 201 | 202 | 302
type Empty = object
type Input<T> = T extends TObject ? Static<T> : Empty

/** The input that all operations receive: the dependencies, the caller and metadata of the request. */
export type Call = Deps & {
  actor: Actor
  requestId: string
  /** The client's IP address; null if it is unknown. */
  address: string | null
  /** The network that rate limits count as one client: an IPv4 address or an IPv6 /64. */
  network: string
  userAgent: string | null
  /**
   * Whether this is a HEAD request or a browser's prefetch, which get the same response as GET but must have no side
   * effects (RFC 9110, section 9.2.1).
   */
  isHead: boolean
  /** The `Range` header. */
  range: string | undefined
  /** The `If-None-Match` header. */
  ifNoneMatch: string | undefined
  /** The `Last-Event-ID` header, with which a client resumes an event stream. */
  lastEventId: string | undefined
  /** Returns whether the caller still has the same access. Used for long-lived responses. */
  findAccessState: () => Promise<AccessState>
  /** Sets the `Set-Cookie` header of the response. Must be called last, because errors would include the header too. */
  setCookie: (header: string) => void
}

/** A body or query without the fields that violate the schema. */
export type ValidPart<T> = T extends (infer Item)[]
  ? (ValidPart<Item> | undefined)[]
  : T extends object
    ? { [Name in keyof T]?: ValidPart<T[Name]> | undefined }
    : T

type CallBy<S> = S extends 'public' ? Omit<Call, 'actor'> & { actor: null } : Call

export type EndpointDefinition<S extends ScopeRule | 'public', P, Q, B, R extends TSchema, V, W, C> = {
  method: Method
  /** Path under /api/v1, with `:name` for path parameters. */
  path: `/${string}`
  /** The scope that a key must have. 'public' requires no key and ignores any key that is sent. */
  scope: S
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  /**
   * Whether a body may contain "" and null for absent fields and decimal strings for integers, as in upload requests.
   */
  lenient?: boolean
  /** Success status; 200 by default. With 302, `returns` is a `Redirect`. */
  status?: Status
  /**
   * Content types of an endpoint that returns a file (`FileResponse`) instead of JSON.
   */
  serves?: readonly string[]
  /** Set for an endpoint that returns an `EventStream` instead of JSON: the schema of the data of each event. */
  streams?: EventSchemas
  /** Set for an endpoint that returns a `CsvFile` instead of JSON. */
  exports?: typeof csvType
  /** Set for a POST that creates something but returns 200. */
  creates?: true
  /** Set for an endpoint that can sign a person in by calling `setCookie`. */
  startsSession?: true
  /** Set for a GET whose result must never be older than that of an earlier response. */
  readsPrimary?: true
  /** The rate limit that a call counts against; 'requests' by default. */
  budget?: Budget
  /**
   * The errors of the operation itself, for the OpenAPI document. `implicitProblems` of http/reference has those that do
   * not depend on the operation, such as a missing scope.
   */
  refuses?: readonly ProblemDefinition[]
  returns: R
  /**
   * Loads the resources in the path, or throws notFound. Runs before any other part of the request is validated. The
   * query excludes fields that violate the schema, so names in it can be resolved by the same statement.
   */
  load?: (call: CallBy<S> & { params: Input<P>; query: ValidPart<Input<Q>> }) => Promise<V>
  /**
   * Performs slow work, such as hashing a password, before the transaction is opened. The result is passed to `handle`.
   */
  prepare?: (call: CallBy<S> & { params: Input<P>; query: Input<Q>; body: Input<B> } & V) => Promise<W>
  /**
   * Checks rules that the schema cannot express. Runs even if other fields violate the schema, so that one response
   * lists both kinds of errors. `found` is passed to `handle`; it may be omitted if there are errors.
   */
  check?: (
    call: CallBy<S> & { params: Input<P>; query: Input<Q>; body: ValidPart<Input<B>> } & V,
  ) => Promise<{ errors: FieldErrors; found?: C }>
  handle: (
    call: CallBy<S> & { params: Input<P>; query: Input<Q>; body: Input<B> } & V & W & C,
  ) => Promise<WithJson<Static<R>>>
}

/** An endpoint as used by the server, the OpenAPI document and the tests. */
export type Endpoint = Omit<
  EndpointDefinition<ScopeRule | 'public', TObject, TObject, TObject, TSchema, unknown, unknown, unknown>,
  'load' | 'prepare' | 'check' | 'handle'
> & {
  load?: (call: never) => Promise<unknown>
  prepare?: (call: never) => Promise<unknown>
  check?: (call: never) => Promise<{ errors: FieldErrors; found?: unknown }>
  handle: (call: never) => Promise<unknown>
}

/** Declares an endpoint and infers the types of its handlers from its schemas. */
export function endpoint<
  const S extends ScopeRule | 'public',
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
  R extends TSchema = TSchema,
  V = Empty,
  W = Empty,
  C = Empty,
>(definition: EndpointDefinition<S, P, Q, B, R, V, W, C>): Endpoint {
  return definition as unknown as Endpoint
}
