import { inTransaction, type Db, type Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { findMailRecipient } from './account.db.ts'
import { takeMail } from './guess-limits.ts'

type Mail = { workspaceId: string; to: string; subject: string; text: string; secrets: string[] }

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
  const pending = new Set<Promise<void>>()

  function inBackground(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => log.error({ err: error }, 'could not send an email with a link'))
      .finally(() => pending.delete(running))
    pending.add(running)
  }

  function send(
    email: string,
    compose: (user: { two_factor_enabled: boolean }) => Omit<Mail, 'workspaceId' | 'to'>,
  ) {
    // Without a mail server, others could read the link in the outbox and take over the account.
    if (mailer === undefined) return
    inBackground(async () => {
      const user = await findMailRecipient(db, email)
      if (user === undefined || !(await takeMail(db, email))) return
      const mail = { workspaceId: user.workspace_id, to: user.email, ...compose(user) }
      await inTransaction(db, (tx) => enqueue(tx, mail))
    })
  }

  return {
    validSeconds,
    sendPasswordReset(email: string, token: string): void {
      const url = `${config.publicUrl}/reset-password?token=${token}`
      send(email, () => ({
        subject: 'Reset your password',
        text: `Someone asked to reset the password of your account at ${config.publicUrl}.\n\nSet a new password within ${validSeconds.passwordReset / 60} minutes:\n${url}\n\nIf it was not you, ignore this email.\n`,
        secrets: [token],
      }))
    },
    sendSignInLink(email: string, token: string): void {
      // The link opens a page rather than signing in directly, because mail scanners open links.
      const url = `${config.publicUrl}/sign-in?link=${token}`
      send(email, ({ two_factor_enabled: hasSecondFactor }) => ({
        subject: 'Sign in',
        text: hasSecondFactor
          ? `Someone asked for a sign-in link for your account at ${config.publicUrl}. Your account requires a second factor, so sign in with your password or a passkey.\n`
          : `Sign in to ${config.publicUrl} within ${validSeconds.signInLink / 60} minutes:\n${url}\n\nIf you did not ask for this link, ignore this email.\n`,
        secrets: [token],
      }))
    },
    /** Waits until the emails are in the outbox. */
    async close(): Promise<void> {
      await Promise.all(pending)
    },
  }
}
