import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { inTransaction, type Executor, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { problem } from '../../lib/problem.ts'
import { callerId, type Actor } from '../endpoint/actor.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { claimIdempotencyKey, findStoredResponse, responseContext, storeResponse } from './idempotency.db.ts'

type Request = {
  actor: Actor
  /** A stored response is returned only if the method, URL and body are the same as those of the first request. */
  method: string
  url: string
  /** The normalized body. Whitespace and unknown fields are therefore not compared. */
  body: unknown
}

export type ApiResponse = {
  status: number
  text: string
  /** Sent instead of `text` if set. */
  file?: Buffer
  /** Sent instead of `text` if set; null for HEAD. */
  stream?: Readable | null
  headers?: Record<string, string>
  isReplayed?: boolean
}

/** Returns whether the endpoint accepts an Idempotency-Key, as every authenticated POST that creates something does. */
export const acceptsIdempotencyKey = ({ method, scope, status, creates }: Endpoint): boolean =>
  method === 'POST' && scope !== 'public' && (status === 201 || creates === true)

/**
 * Returns the idempotency key, or undefined if the header is absent. Throws `idempotency.bad_key` if it is malformed.
 */
export function idempotencyKeyFrom(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw badKey()
}

const badKey = problem(
  'bad_request',
  'idempotency.bad_key',
  '`Idempotency-Key` must be 1 to 255 visible ASCII characters, for example a UUID.',
)

type Work<P> = {
  /** Runs before the transaction is opened, but not for a repeated request. Must have no side effects. */
  prepare: (() => Promise<P>) | undefined
  /** Delays the transaction while the caller has too many other writes in progress. */
  limit: <T>(work: () => Promise<T>) => Promise<T>
  respond: (tx: Tx, prepared: P | undefined) => Promise<ApiResponse>
}

/**
 * Runs the work once per key. The work, its response and the key are committed in one transaction, so that a crash
 * leaves either all of them or none, and only one of several concurrent requests performs the work. Only successful
 * responses are stored, so a failed request can be sent again with the same key.
 */
export async function runIdempotent<P>(
  deps: Pick<Deps, 'db' | 'secretBox' | 'inFlight'>,
  key: string,
  request: Request,
  work: Work<P>,
): Promise<ApiResponse> {
  const { actor } = request
  // A user can belong to several workspaces, and the same request has a different meaning in each of them.
  const workspace = actor.via === 'session' ? ` ${actor.workspaceId}` : ''
  const claim = { callerId: `${callerId(actor)}${workspace}`, key }
  const responseId = responseContext(claim)
  const requestSha256 = createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(JSON.stringify(request.body, sortKeys))
    .digest()
  const findFirst = async (db: Executor): Promise<ApiResponse | undefined> => {
    const first = await findStoredResponse(db, claim)
    if (first === undefined) return undefined
    if (!first.request_sha256.equals(requestSha256)) throw keyReused()
    return {
      status: first.status ?? 200,
      text: openResponse(deps, first.sealed_response, responseId),
      isReplayed: true,
    }
  }
  const attempt = async () => {
    const first = work.prepare && (await findFirst(deps.db))
    if (first !== undefined) return first
    const prepared = await work.prepare?.()
    const transact = async (tx: Tx): Promise<ApiResponse> => {
      if (!(await claimIdempotencyKey(tx, { ...claim, requestSha256 }))) {
        const response = await findFirst(tx)
        if (response === undefined) throw keyReused()
        return response
      }
      const response = await work.respond(tx, prepared)
      const sealed = deps.secretBox.seal(response.text, responseId)
      await storeResponse(tx, claim, { status: response.status, sealed })
      return response
    }
    return work.limit(() => inTransaction(deps.db, transact))
  }
  // Concurrent repeats wait here. If they waited in the database, they would hold connections that the first request
  // may need.
  while (deps.inFlight.has(responseId)) await deps.inFlight.outcome(responseId)
  return deps.inFlight.run(responseId, attempt)
}

// Sorts object keys, because clients with unordered maps may change the order of the fields when they repeat a request.
const sortKeys = (_: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))

function openResponse(
  { secretBox }: Pick<Deps, 'secretBox'>,
  sealed: Uint8Array | null,
  responseId: string,
): string {
  try {
    return secretBox.open(sealed ?? new Uint8Array(), responseId)
  } catch {
    throw responseUnreadable()
  }
}

const responseUnreadable = problem(
  'conflict',
  'idempotency.unreadable',
  'This request has already been completed, but its response can no longer be decrypted. Look up the created resource, or use a new key to create another one.',
)

const keyReused = problem(
  'invalid',
  'idempotency.other_request',
  'This `Idempotency-Key` was used for a different request within the last 24 hours. Use a new key.',
)

export const idempotencyProblems = [badKey, keyReused, responseUnreadable]
