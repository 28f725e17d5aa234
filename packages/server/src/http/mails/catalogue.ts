import type { MailTemplate } from './define-mail.ts'
import { digestMail } from './digest.mail.ts'
import { feedbackMail } from './feedback.mail.ts'
import { invitationMail } from './invitation.mail.ts'
import { notificationMail } from './notification.mail.ts'
import { passwordResetMail } from './password-reset.mail.ts'
import { portalCodeMail } from './portal-code.mail.ts'
import { releaseMail } from './release.mail.ts'
import { secondFactorRequiredMail } from './second-factor-required.mail.ts'
import { signInLinkMail } from './sign-in-link.mail.ts'

/** Every email that the service sends, by the name of its file. */
export const mailCatalogue: Readonly<Record<string, Pick<MailTemplate<unknown>, 'renderSample'>>> = {
  digest: digestMail,
  feedback: feedbackMail,
  invitation: invitationMail,
  notification: notificationMail,
  'password-reset': passwordResetMail,
  'portal-code': portalCodeMail,
  release: releaseMail,
  'second-factor-required': secondFactorRequiredMail,
  'sign-in-link': signInLinkMail,
}
