import { inTransaction } from '../../database/transaction.ts'
import { job } from '../../jobs/job.ts'
import { isPermanentRefusal, isRejectedAddress } from '../../net/mailer.ts'
import { findMail, markMailSent, recordMailError } from './mail.db.ts'

// The delay doubles with each of the 12 retries, so the last retry occurs after about five hours. That is later than
// this limit, so a failure of the last retry is final.
const giveUpAfterMs = 4 * 60 * 60 * 1000

/** Sends an email through the SMTP server, at least once. */
export const sendMail = job<{ mailId: string }>({
  name: 'mails.send',
  retries: 12,
  expireInSeconds: 120,
  concurrency: 10,
  async handle({ db, mailer, clock, log, dependents }, { mailId }) {
    const mail = await findMail(db, mailId)
    if (mailer === undefined || mail?.state !== 'waiting') return
    const {
      id,
      recipient: to,
      subject,
      text_body: text,
      html_body: html,
      unsubscribe_url: unsubscribeUrl,
    } = mail
    try {
      await mailer.send({ id, to, subject, text, html, unsubscribeUrl })
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500)
      const ageMs = clock.now().getTime() - Date.parse(mail.created_at)
      const isFinal = isPermanentRefusal(error) || ageMs > giveUpAfterMs
      await inTransaction(db, async (tx) => {
        await recordMailError(tx, id, isFinal ? 'failed' : 'waiting', reason)
        if (isRejectedAddress(error))
          await dependents.recordBounce(tx, { workspaceId: mail.workspace_id, address: to, reason })
      })
      log.warn(
        { mail: id, reason },
        isFinal ? 'could not send an email' : 'could not send an email; will retry',
      )
      if (isFinal) return
      throw error
    }
    await markMailSent(db, id)
  },
})
