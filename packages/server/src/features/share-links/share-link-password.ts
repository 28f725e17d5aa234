import type { Static } from 'typebox'
import type { Call } from '../../http/endpoint.ts'
import { Problem } from '../../lib/problem.ts'
import { readExpiry, type NewShareLink } from './share-link.ts'

type Input = Pick<Call, 'actor' | 'clock' | 'passwords' | 'passwordChanges'> & {
  body: Static<typeof NewShareLink>
}

/** Reads the expiry of a new or changed link and hashes its password, which counts against the budget of the key. */
export async function prepareShareLink({ body, actor, clock, passwords, passwordChanges }: Input) {
  const { password } = body
  const expires_at = readExpiry(body.expires_at, clock.now())
  if (typeof password !== 'string') return { expires_at, password_hash: password }
  const { isAllowed, resetSeconds } = passwordChanges.take(actor.keyId ?? `bootstrap ${actor.workspaceId}`)
  if (!isAllowed)
    throw new Problem(
      'too_many',
      'share_link.too_many_passwords',
      `This key may set ${passwordChanges.limit} share link passwords per minute. Try again in ${resetSeconds} s.`,
      { retryAfterSeconds: resetSeconds },
    )
  return { expires_at, password_hash: await passwords.hash(password) }
}
