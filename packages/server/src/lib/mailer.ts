import { createTransport } from 'nodemailer'

export type OutgoingMail = { id: string; to: string; subject: string; text: string; html: string | null }

export interface Mailer {
  /** Hands the mail to the SMTP server; `id` makes its Message-ID, so that one sent twice is known as one. */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/** Sends through the server of an smtp:// or smtps:// URL. */
export function createMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const domain = /@([\w.-]+)>?$/.exec(from)?.[1] ?? 'localhost'
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ id, to, subject, text, html }) {
      // as an object, an address is never read as a list of several
      const recipient = { name: '', address: to }
      await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        from,
        to: recipient,
        subject,
        text,
        ...(html === null ? {} : { html }),
      })
    },
    close: () => transport.close(),
  }
}

/** True where the server has refused the mail for good (RFC 5321 section 4.2.1: 5yz). */
export function isRefusedForGood(error: unknown): boolean {
  const { responseCode } = (error ?? {}) as { responseCode?: unknown }
  return typeof responseCode === 'number' && responseCode >= 500
}
