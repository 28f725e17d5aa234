import type { Transporter } from 'nodemailer'
import { isAddressFailure } from './delivery-report.ts'

export type OutgoingMail = {
  id: string
  to: string
  subject: string
  text: string
  html: string | null
  /** Where a POST unsubscribes the recipient (RFC 8058). */
  unsubscribeUrl: string | null
}

export interface Mailer {
  /** Sends the email. The Message-ID is derived from `id`, so that receivers can detect duplicates. */
  send(mail: OutgoingMail): Promise<void>
  close(): Promise<void>
}

/**
 * Creates a mailer that sends through the server at an smtp:// or smtps:// URL. The SMTP client is loaded when the
 * first email is sent.
 */
export function createMailer({
  smtpUrl,
  from,
  returnPath,
}: {
  smtpUrl: string
  from: string
  /** Returns the address to which reports about the email are sent, by default the sender. */
  returnPath?: ((mailId: string) => string) | undefined
}): Mailer {
  const domain = /@([\w.-]+)>?$/.exec(from)?.[1] ?? 'localhost'
  let transport: Promise<Transporter> | undefined
  return {
    async send({ id, to, subject, text, html, unsubscribeUrl }) {
      // nodemailer would parse a string as a list of addresses.
      const recipient = { name: '', address: to }
      await (
        await (transport ??= createTransport(smtpUrl))
      ).sendMail({
        messageId: `<${id}@${domain}>`,
        from,
        to: recipient,
        ...(returnPath === undefined ? {} : { envelope: { from: returnPath(id), to } }),
        subject,
        text,
        ...(html === null ? {} : { html }),
        headers: {
          // Keeps automatic replies away (RFC 3834).
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl === null
            ? {}
            : {
                'List-Unsubscribe': `<${unsubscribeUrl}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }),
        },
      })
    },
    close: async () => (await transport)?.close(),
  }
}

/** Connects to the server and signs in. Throws if either fails. */
export async function verifyMailServer(smtpUrl: string): Promise<void> {
  const transport = await createTransport(smtpUrl)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

async function createTransport(smtpUrl: string): Promise<Transporter> {
  const nodemailer = await import('nodemailer')
  return nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Returns whether the server rejected the recipient because the address cannot receive emails. */
export function isRejectedAddress(error: unknown): boolean {
  const { command, response } = (error ?? {}) as { command?: unknown; response?: unknown }
  if (!isPermanentRefusal(error) || command !== 'RCPT TO') return false
  const [, status] =
    /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(typeof response === 'string' ? response : '') ?? []
  return status === undefined || isAddressFailure(status)
}

/** Returns whether the server permanently rejected the email with a 5yz reply (RFC 5321, section 4.2.1). */
export function isPermanentRefusal(error: unknown): boolean {
  const { responseCode } = (error ?? {}) as { responseCode?: unknown }
  return typeof responseCode === 'number' && responseCode >= 500
}
