import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { Problem } from '../../lib/problem.ts'
import { findApiKeyCountOfToken, insertApiKey } from '../api-keys/api-key.db.ts'
import { hashKey, makeKey } from '../api-keys/api-key.ts'
import { requireApplicationLock } from '../applications/application.db.ts'
import { plain, runOf, said } from './run.ts'
import { tokenSha256, type Token } from './token.ts'
import { requireTrusting } from './trust.ts'
import { listRulesOfIssuer } from './trusted-publisher.db.ts'

const livesMs = 15 * 60 * 1000
const mostKeysOfToken = 10

/** Makes the key for a token whose signature is right. */
export async function issuePublisherKey(
  { db, clock, address }: Pick<Call, 'db' | 'clock' | 'address'>,
  token: Token,
  applicationId: string,
) {
  const key = makeKey('application')
  const sha256 = tokenSha256(token)
  const expiresAt = new Date(clock.now().getTime() + livesMs)
  const row = await inTransaction(db, async (tx) => {
    await requireApplicationLock(tx, applicationId)
    // the issuer may have taken seconds to answer: what counts are the rules as they are now
    const rules = await listRulesOfIssuer(tx, { issuer: token.issuer, applicationId, most: 100 })
    const { trusting, workspaceId } = requireTrusting(rules, token.claims, applicationId)
    if ((await findApiKeyCountOfToken(tx, applicationId, sha256)) >= mostKeysOfToken) throw usedUp()
    const ids = trusting.map((rule) => rule.id)
    const names = trusting.map(({ name }) => name).join(', ')
    const subject = said(token.claims, 'sub')
    const inserted = await insertApiKey(tx, {
      owner: { workspaceId, applicationId },
      kind: 'application',
      name: plain(`${names}: ${subject}`),
      prefix: key.slice(0, 8),
      sha256: hashKey(key),
      scopes: [...new Set(trusting.flatMap(({ scopes }) => scopes))],
      expiresAt,
      createdBy: null,
      token: { sha256, trustedPublisherIds: ids },
    })
    const { id, name, scopes, expires_at } = inserted
    const by = { via: 'system' as const, keyId: null, name, workspaceId }
    await recordEvent(
      tx,
      { actor: by, address },
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
          claims: runOf(token.claims),
        },
      },
    )
    return inserted
  })
  return {
    key,
    expires_at: String(row.expires_at),
    scopes: row.scopes,
    application_id: applicationId,
  }
}

const usedUp = () =>
  new Problem(
    'too_many',
    'oidc.token_used_up',
    `This token was exchanged ${mostKeysOfToken} times already. Ask the CI system for a new one.`,
    { retryAfterSeconds: 60 },
  )
