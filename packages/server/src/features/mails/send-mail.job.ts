import { job } from '../../jobs/job.ts'
import { isRefusedForGood } from '../../lib/mailer.ts'
import { findMail, updateMailError, updateMailSent } from './mail.db.ts'

// with 12 retries that wait twice as long each time, the last comes after about five hours
const giveUpAfterMs = 4 * 60 * 60 * 1000

/** Hands one mail to the SMTP server, at least once. */
export const sendMail = job<{ mailId: string }>({
  name: 'mails.send',
  retries: 12,
  expireInSeconds: 120,
  atOnce: 10,
  async handle({ db, mailer, clock, log }, { mailId }) {
    const mail = await findMail(db, mailId)
    if (mailer === undefined || mail?.state !== 'waiting') return
    const { id, recipient: to, subject, text_body: text, html_body: html } = mail
    try {
      await mailer.send({ id, to, subject, text, html })
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500)
      const ageMs = clock.now().getTime() - Date.parse(mail.created_at)
      const isOver = isRefusedForGood(error) || ageMs > giveUpAfterMs
      await updateMailError(db, id, isOver ? 'failed' : 'waiting', reason)
      log.warn(
        { mail: id, reason },
        isOver ? 'a mail could not be sent' : 'a mail could not be sent just now',
      )
      if (isOver) return
      throw error
    }
    await updateMailSent(db, id)
  },
})
