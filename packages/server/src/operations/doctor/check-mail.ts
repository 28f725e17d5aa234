import { failure, ok, reasonOf, warning, type Finding } from '../../lib/finding.ts'
import { verifyMailServer } from '../../net/mailer.ts'

/** Connects to the mail server and signs in without sending an email. */
export async function checkMail({
  smtpUrl,
  mailFrom,
}: {
  smtpUrl: string | undefined
  mailFrom: string
}): Promise<Finding> {
  if (smtpUrl === undefined)
    return warning(
      'mail',
      'QUAYSIDE_SMTP_URL is not set',
      'Invitations and notifications are not sent. Set a mail server.',
    )
  try {
    await verifyMailServer(smtpUrl)
    return ok('mail', `${new URL(smtpUrl).host} accepts the sign-in; emails are sent from ${mailFrom}`)
  } catch (error) {
    return failure(
      'mail',
      reasonOf(error),
      'Check the host, the port and the credentials in QUAYSIDE_SMTP_URL.',
    )
  }
}
