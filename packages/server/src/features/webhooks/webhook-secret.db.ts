import type { SecretBox } from '../../crypto/secret-box.ts'
import { type Db, type Executor, inTransaction } from '../../database/transaction.ts'

const batchSize = 500

/** Returns the encryption context that binds a sealed secret to its webhook. */
export const webhookSecretContext = (webhookId: string): string => `webhook ${webhookId}`

/** Lists the sealed secrets of up to `limit` webhooks after `after` that have not been checked, in the order of their IDs. */
export async function listUncheckedSecrets(
  db: Executor,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ id: string; sealed: Buffer }[]> {
  const webhooks = db
    .selectFrom('webhooks')
    .select(['id', (eb) => eb.ref('secret_encrypted').$notNull().as('sealed')])
    .where('secret_is_weak', 'is', null)
    .where('secret_encrypted', 'is not', null)
    .orderBy('id')
    .limit(limit)
  return (after === undefined ? webhooks : webhooks.where('id', '>', after)).execute()
}

/** Records whether a secret is weak. Does nothing if it has been replaced. */
export async function saveSecretCheck(
  db: Executor,
  { id, sealed, isWeak }: { id: string; sealed: Buffer; isWeak: boolean },
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ secret_is_weak: isWeak })
    .where('id', '=', id)
    .where('secret_encrypted', '=', sealed)
    .execute()
}

/**
 * Re-encrypts the secrets that were sealed with the previous master secret; returns the number of webhooks updated.
 */
export async function resealWebhookSecrets(db: Db, box: SecretBox): Promise<number> {
  let total = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { last, count } = await inTransaction(db, async (tx) => {
      let count = 0
      const rows = await tx
        .selectFrom('webhooks')
        .select(['id', 'secret_encrypted', 'previous_secret_encrypted'])
        .where('id', '>', after)
        .where('secret_encrypted', 'is not', null)
        .orderBy('id')
        .limit(batchSize)
        .forUpdate()
        .execute()
      for (const { id, ...sealed } of rows) {
        const reseal = (value: Uint8Array | null) =>
          value === null ? undefined : box.reseal(value, webhookSecretContext(id))
        const secret = reseal(sealed.secret_encrypted)
        const previous = reseal(sealed.previous_secret_encrypted)
        if (secret === undefined && previous === undefined) continue
        count++
        await tx
          .updateTable('webhooks')
          .set({
            ...(secret && { secret_encrypted: secret }),
            ...(previous && { previous_secret_encrypted: previous }),
          })
          .where('id', '=', id)
          .execute()
      }
      return { last: rows.at(-1)?.id, count }
    })
    total += count
    if (last === undefined) return total
    after = last
  }
}
