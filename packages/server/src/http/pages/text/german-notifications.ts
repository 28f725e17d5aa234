import { html } from '../../../lib/html.ts'
import type { VisitorText } from './english.ts'

/** The texts of the page that ends emails about notifications. */
export const germanNotificationEmails: VisitorText['notificationEmails'] = {
  title: 'E-Mails zu Benachrichtigungen',
  unsubscribedTitle: 'Sie sind abgemeldet',
  subscribed: (email, workspace) =>
    html`${email} erhält E-Mails zu Benachrichtigungen in ${workspace}. Auch ohne diese E-Mails finden Sie die
    Benachrichtigungen im Posteingang.`,
  unsubscribed: (email, workspace) =>
    html`${email} erhält keine E-Mails mehr zu Benachrichtigungen in ${workspace}. Die Benachrichtigungen
    finden Sie weiter im Posteingang.`,
  unsubscribe: 'Abmelden',
  subscribe: 'Wieder anmelden',
  notFound: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Vielleicht ist der Link unvollständig, oder Sie haben den Workspace verlassen. Dann erhalten Sie von dort keine E-Mails mehr.',
  },
}
