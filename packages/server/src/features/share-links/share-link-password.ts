import type { Static } from 'typebox'
import { readClock } from '../../database/health.ts'
import { callerId } from '../../http/endpoint/actor.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { readFutureTime } from '../../http/endpoint/future-time.ts'
import { problem } from '../../lib/problem.ts'
import { requireLinkExpiry, type NewShareLink } from './share-link.ts'

type Input = Pick<Call, 'actor' | 'db' | 'passwords' | 'passwordChanges'> & {
  body: Static<typeof NewShareLink>
}

/**
 * Validates a link's expiry and hashes its password. Throws 429 if the key has set too many passwords in the current
 * minute.
 */
export async function prepareShareLink({ body, actor, db, passwords, passwordChanges }: Input) {
  const { password } = body
  const expiry =
    typeof body.expires_at === 'string'
      ? readFutureTime('expires_at', body.expires_at, await readClock(db))
      : body.expires_at
  const expires_at = expiry === undefined ? undefined : requireLinkExpiry(expiry, actor)
  if (typeof password !== 'string') return { expires_at, password_hash: password }
  const { isAllowed, resetSeconds } = passwordChanges.take(callerId(actor))
  if (!isAllowed)
    throw tooManyPasswords(
      { limit: passwordChanges.limit, seconds: resetSeconds },
      { retryAfterSeconds: resetSeconds },
    )
  return { expires_at, password_hash: await passwords.hash(password) }
}

export const tooManyPasswords = problem(
  'too_many',
  'share_link.too_many_passwords',
  'You can set {limit} share link passwords per minute. Try again in {seconds} s.',
)
