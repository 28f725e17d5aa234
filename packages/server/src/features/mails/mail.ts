import { Type } from 'typebox'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { holdsEveryScope } from '../../http/endpoint/actor.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { insertMails, type NewMail } from './mail.db.ts'
import { sendMail } from './send-mail.job.ts'

export const Mail = Type.Object(
  {
    id: Type.String(),
    recipient: Type.String(),
    subject: Type.String(),
    text_body: Nullable(
      Type.String({
        description:
          '`null` once the email is sent. `[hidden]` replaces the secret part of links, unless no SMTP server is configured and you are an owner or use a key with every workspace scope that no admin created.',
      }),
    ),
    html_body: Nullable(Type.String()),
    state: Type.Enum(['waiting', 'sent', 'failed']),
    error: Nullable(Type.String({ description: 'Why the last attempt failed.' })),
    created_at: Timestamp,
    sent_at: Nullable(Timestamp),
  },
  { title: 'Mail' },
)

/**
 * Returns whether the caller may see the secrets in emails: the caller has all workspace scopes, and no SMTP server is
 * configured. Emails that others caused can contain invitations of owners, so an admin may see only `isOwn` emails.
 */
export const canReadSecrets = (
  { actor, mailer }: Pick<Call, 'actor' | 'mailer'>,
  { isOwn }: { isOwn: boolean },
): boolean => mailer === undefined && holdsEveryScope(actor, 'workspace') && (isOwn || actor.canGrantOwner)

/** Replaces the secrets in the email text with a placeholder. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text)

type Sending = Pick<Deps, 'queue' | 'mailer'>

/**
 * Adds an email to the outbox in the caller's transaction and returns its ID. A job sends the email after the commit if
 * an SMTP server is configured.
 */
export async function enqueueMail(tx: Tx, sending: Sending, mail: NewMail): Promise<string> {
  const [id = ''] = await enqueueMails(tx, sending, [mail])
  return id
}

/** Adds any number of emails to the outbox with two statements and returns their IDs. */
export async function enqueueMails(
  tx: Tx,
  { queue, mailer }: Sending,
  mails: readonly NewMail[],
): Promise<string[]> {
  const ids = await insertMails(tx, mails, mailer !== undefined)
  if (mailer !== undefined)
    await queue.enqueueAll(
      tx,
      sendMail,
      ids.map((mailId) => ({ mailId })),
    )
  return ids
}
