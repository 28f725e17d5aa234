import { job } from '../../jobs/job.ts'
import { listUncheckedSecrets, saveSecretCheck, webhookSecretContext } from './webhook-secret.db.ts'
import { isWeakSecret } from './webhook-signature.ts'

const batchSize = 500

/** Finds the weak secrets that earlier versions accepted. They still sign, so that receivers continue to work. */
export const checkWebhookSecrets = job({
  name: 'webhooks.check-secrets',
  schedule: '12 * * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  async handle({ db, secretBox, log }, _, stopping) {
    let weakCount = 0
    let unreadableCount = 0
    for (let after: string | undefined; !stopping.aborted;) {
      const webhooks = await listUncheckedSecrets(db, { after, limit: batchSize })
      for (const { id, sealed } of webhooks) {
        let isWeak: boolean
        try {
          isWeak = isWeakSecret(secretBox.open(sealed, webhookSecretContext(id)))
        } catch {
          // The master secret was lost or has not been set on this node.
          unreadableCount++
          continue
        }
        await saveSecretCheck(db, { id, sealed, isWeak })
        if (isWeak) weakCount++
      }
      if (webhooks.length < batchSize) break
      after = webhooks.at(-1)?.id
    }
    if (weakCount > 0)
      log.warn(
        { webhooks: weakCount },
        'webhooks have secrets that can be guessed; ask their teams to rotate them',
      )
    if (unreadableCount > 0)
      log.warn({ webhooks: unreadableCount }, 'the secrets of webhooks cannot be decrypted')
  },
})
