import { requireApplicationLock } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { problem } from '../../lib/problem.ts'
import { countApiKeysOfToken, insertApiKey } from '../api-keys/api-key.db.ts'
import { hashKey, generateKey } from '../api-keys/api-key.ts'
import { ciRunClaims, formatClaim, sanitizeText } from './claims.ts'
import { tokenSha256, type Token } from './token.ts'
import { requireMatchingRules } from './trust.ts'
import { listRulesOfIssuer } from './trusted-publisher.db.ts'

const keyLifetimeMs = 15 * 60 * 1000
const maxKeysPerToken = 10

/** Issues a key for a token whose signature has been verified. */
export async function issuePublisherKey(
  { db, clock, address }: Pick<Call, 'db' | 'clock' | 'address'>,
  token: Token,
  applicationId: string,
) {
  const key = generateKey('application')
  const sha256 = tokenSha256(token)
  const row = await inTransaction(db, async (tx) => {
    await requireApplicationLock(tx, applicationId)
    // Fetching the issuer's keys may have taken seconds, so the rules are read again under the lock.
    const rules = await listRulesOfIssuer(tx, token.issuer, applicationId)
    const { matching, workspaceId } = requireMatchingRules(rules, token.claims, applicationId)
    if ((await countApiKeysOfToken(tx, applicationId, sha256)) >= maxKeysPerToken) throw tokenExhausted()
    const ids = matching.map((rule) => rule.id)
    const names = matching.map(({ name }) => name).join(', ')
    const subject = formatClaim(token.claims, 'sub')
    const publishersExpireAt = earliest(matching.map(({ expires_at }) => expires_at))
    const lifetimeEnd = new Date(clock.now().getTime() + keyLifetimeMs)
    const inserted = await insertApiKey(tx, {
      owner: { workspaceId, applicationId },
      kind: 'application',
      name: sanitizeText(`${names}: ${subject}`),
      prefix: key.slice(0, 8),
      sha256: hashKey(key),
      scopes: [...new Set(matching.flatMap(({ scopes }) => scopes))],
      expiresAt:
        publishersExpireAt !== null && publishersExpireAt < lifetimeEnd ? publishersExpireAt : lifetimeEnd,
      createdBy: null,
      token: { sha256, trustedPublisherIds: ids, publishersExpireAt },
    })
    const { id, name, scopes, expires_at } = inserted
    const actor = { via: 'system' as const, id: null, name, workspaceId }
    await recordEvent(
      tx,
      { actor, address },
      {
        action: 'api_key.created',
        applicationId,
        subject: { type: 'api_key', id },
        after: {
          name,
          kind: 'application',
          scopes,
          expires_at,
          trusted_publisher_ids: ids,
          claims: ciRunClaims(token.claims),
        },
      },
    )
    return inserted
  })
  return { key, expires_at: String(row.expires_at), scopes: row.scopes, application_id: applicationId }
}

function earliest(times: readonly (string | null)[]): Date | null {
  const known = times.flatMap((time) => (time === null ? [] : [Date.parse(time)]))
  return known.length === 0 ? null : new Date(Math.min(...known))
}

export const tokenExhausted = problem(
  'too_many',
  'oidc.token_used_up',
  `This token has been exchanged ${maxKeysPerToken} times, which is the limit. Request a new token from the CI system.`,
  { retryAfterSeconds: 60 },
)
