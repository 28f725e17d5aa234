import { inTransaction, type Db, type Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import type { MailText } from '../http/mails/define-mail.ts'
import { passwordResetMail } from '../http/mails/password-reset.mail.ts'
import { secondFactorRequiredMail } from '../http/mails/second-factor-required.mail.ts'
import { signInLinkMail } from '../http/mails/sign-in-link.mail.ts'
import { findMailRecipient } from './account.db.ts'
import { takeMail } from './guess-limits.ts'

type Mail = MailText & { workspaceId: string; to: string; secrets: string[] }

type Options = Pick<Deps, 'config' | 'log' | 'mailer'> & {
  db: Db
  enqueue: (tx: Tx, mail: Mail) => Promise<unknown>
}

export type SignInMails = ReturnType<typeof createSignInMails>

const validSeconds = { passwordReset: 60 * 60, signInLink: 15 * 60 } as const

/**
 * Creates the functions that send links by email. They return before the email is in the outbox, so that the response
 * time does not reveal whether the address belongs to an account.
 */
export function createSignInMails({ db, config, log, mailer, enqueue }: Options) {
  const { publicUrl } = config
  const pending = new Set<Promise<void>>()

  function inBackground(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => log.error({ err: error }, 'could not send an email with a link'))
      .finally(() => pending.delete(running))
    pending.add(running)
  }

  function send(email: string, compose: (user: { two_factor_enabled: boolean }) => MailText, token: string) {
    // Without a mail server, others could read the link in the outbox and take over the account.
    if (mailer === undefined) return
    inBackground(async () => {
      const user = await findMailRecipient(db, email)
      if (user === undefined || !(await takeMail(db, email))) return
      const mail = { workspaceId: user.workspace_id, to: user.email, secrets: [token], ...compose(user) }
      await inTransaction(db, (tx) => enqueue(tx, mail))
    })
  }

  return {
    validSeconds,
    sendPasswordReset(email: string, token: string): void {
      const url = `${publicUrl}/reset-password?token=${token}`
      const validMinutes = validSeconds.passwordReset / 60
      send(email, () => passwordResetMail.render({ publicUrl, url, validMinutes }), token)
    },
    sendSignInLink(email: string, token: string): void {
      // The link opens a page rather than signing in directly, because mail scanners open links.
      const url = `${publicUrl}/sign-in?link=${token}`
      const validMinutes = validSeconds.signInLink / 60
      send(
        email,
        ({ two_factor_enabled: hasSecondFactor }) =>
          hasSecondFactor
            ? secondFactorRequiredMail.render({ publicUrl })
            : signInLinkMail.render({ publicUrl, url, validMinutes }),
        token,
      )
    },
    /** Waits until the emails are in the outbox. */
    async close(): Promise<void> {
      await Promise.all(pending)
    },
  }
}
