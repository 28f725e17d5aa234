import { isoMicroseconds, readTime } from '../../lib/time.ts'
import type { Actor } from './actor.ts'
import { invalid } from './validation.ts'

/**
 * Parses the `expires_at` of a resource that grants access. The default is the latest expiry that the caller may grant.
 * Throws `invalid` unless `expires_at` is in the future and no later than that time.
 */
export function requireExpiry(text: string | null | undefined, now: Date, actor: Actor): Date | null {
  if (text === null || text === undefined) return actor.grantsUntil
  const timestamp = readTime(text)
  if (timestamp === undefined)
    throw invalid({ expires_at: ['must be an ISO 8601 timestamp such as 2027-01-31T00:00:00Z.'] })
  const expiresAt = new Date(timestamp)
  if (expiresAt <= now) throw invalid({ expires_at: ['must be a future timestamp.'] })
  if (isBeyondLifetime(expiresAt, actor)) throw beyondLifetime(actor)
  return expiresAt
}

/** Returns whether the expiry (null means never) is later than the latest expiry that the caller may grant. */
export const isBeyondLifetime = (expiresAt: Date | null, { grantsUntil }: Actor): boolean =>
  grantsUntil !== null && (expiresAt === null || expiresAt > grantsUntil)

export const beyondLifetime = ({ grantsUntil }: Actor) =>
  invalid({
    expires_at: [
      `must not be later than ${grantsUntil === null ? 'now' : isoMicroseconds(grantsUntil)}, when your own key or its trusted publisher expires.`,
    ],
  })
