import type { SettingReader } from './setting-reader.ts'

export type MailSettings = {
  /** An smtp:// or smtps:// URL, with a user name and password if the server requires them. */
  smtpUrl: string | undefined
  mailFrom: string
  /** The address to which mail servers send reports about undeliverable emails. */
  mailBounceAddress: string | undefined
}

export function readMail(
  { setting, problems }: Pick<SettingReader, 'setting' | 'problems'>,
  publicUrl: string,
): MailSettings {
  // The value is never quoted, because it may contain a password.
  const smtpUrl = setting('QUAYSIDE_SMTP_URL')
  if (smtpUrl !== undefined && !(/^smtps?:\/\/./.test(smtpUrl) && URL.canParse(smtpUrl)))
    problems.push('QUAYSIDE_SMTP_URL must be a URL such as smtp://user:password@mail.example.com:587.')
  const mailFrom = setting('QUAYSIDE_MAIL_FROM') ?? `Quayside <no-reply@${new URL(publicUrl).hostname}>`
  if (!/^([^<>"\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(mailFrom))
    problems.push(
      `QUAYSIDE_MAIL_FROM must be an address such as "Builds <builds@example.com>", not "${mailFrom}".`,
    )
  const mailBounceAddress = setting('QUAYSIDE_MAIL_BOUNCE_ADDRESS')
  // An ID with a signature is added to the local part, which has at most 64 characters (RFC 5321, section 4.5.3.1.1).
  if (mailBounceAddress !== undefined && !/^[\w.-]{1,11}@[\w.-]+$/.test(mailBounceAddress))
    problems.push(
      `QUAYSIDE_MAIL_BOUNCE_ADDRESS must be an address with at most 11 characters before the @, such as bounces@example.com, not "${mailBounceAddress}".`,
    )
  return { smtpUrl, mailFrom, mailBounceAddress }
}
