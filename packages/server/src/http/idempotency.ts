import { createHash } from 'node:crypto'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../lib/problem.ts'
import type { Actor } from './actor.ts'
import type { Endpoint } from './endpoint.ts'
import { findFirstAnswer, insertIdempotencyKey, updateFirstAnswer } from './idempotency.db.ts'

type Request = {
  actor: Actor
  /** What must be the same for the answer to be given again. */
  method: string
  url: string
  /** What the endpoint was given of the body: however it was written, the same wish is the same body. */
  body: unknown
}

export type Answer = {
  status: number
  text: string
  /** Sent in place of the text. */
  file?: Buffer
  headers?: Record<string, string>
  isRepeated?: boolean
}

/** Every POST of a key holder that creates something. */
export const takesIdempotencyKey = ({ method, scope, status, creates }: Endpoint): boolean =>
  method === 'POST' && scope !== 'public' && (status === 201 || creates === true)

/** The header's value; undefined where none is sent. Throws `idempotency.bad_key`. */
export function idempotencyKeyFrom(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw new Problem(
    'bad_request',
    'idempotency.bad_key',
    'An Idempotency-Key has 1 to 255 visible ASCII characters, for instance a UUID.',
  )
}

/**
 * The whole work and its answer are one transaction with the key: a crash leaves both or none, and of many at once
 * one does the work. Only success is kept: what failed may be sent again with the same key.
 */
export async function answerOnce(
  deps: Pick<Deps, 'db' | 'secretBox' | 'inFlight'>,
  key: string,
  request: Request,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const { actor } = request
  const name = { callerId: actor.keyId ?? `${actor.via} ${actor.workspaceId}`, key }
  const place = `idempotent answer ${name.callerId} ${key}`
  const requestSha256 = createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(JSON.stringify(request.body, inOrder))
    .digest()
  const attempt = () =>
    inTransaction(deps.db, async (tx) => {
      if (!(await insertIdempotencyKey(tx, { ...name, requestSha256 }))) {
        const first = await findFirstAnswer(tx, name)
        if (first === undefined || !first.request_sha256.equals(requestSha256)) throw usedOtherwise()
        return {
          status: first.status ?? 200,
          text: opened(deps, first.answer_sealed, place),
          isRepeated: true,
        }
      }
      const answer = await work(tx)
      const sealed = deps.secretBox.seal(answer.text, place)
      await updateFirstAnswer(tx, name, { status: answer.status, sealed })
      return answer
    })
  // those that wait for the first one wait here, not on the connections that it may need
  while (deps.inFlight.has(place)) await deps.inFlight.outcome(place)
  return deps.inFlight.run(place, attempt)
}

// Clients whose maps have no order write the fields of a repeated request as they come.
const inOrder = (_: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))

function opened({ secretBox }: Pick<Deps, 'secretBox'>, sealed: Uint8Array | null, place: string): string {
  try {
    return secretBox.open(sealed ?? new Uint8Array(), place)
  } catch {
    throw new Problem(
      'conflict',
      'idempotency.unreadable',
      'This was done before, but its answer can no longer be read. Look for what it made; use a new key for another.',
    )
  }
}

const usedOtherwise = (): Problem =>
  new Problem(
    'invalid',
    'idempotency.other_request',
    'This Idempotency-Key was used for another request within 24 hours. Use a new key.',
  )
