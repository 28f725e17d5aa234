import { type Db, inTransaction } from '../../database/transaction.ts'
import type { SecretBox } from '../../lib/secret-box.ts'

const batchSize = 500

/** Returns the encryption context that binds a sealed secret to its webhook. */
export const webhookSecretContext = (webhookId: string): string => `webhook ${webhookId}`

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
