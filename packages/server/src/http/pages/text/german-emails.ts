import { html } from '../../../lib/html.ts'
import type { VisitorText } from './english.ts'

/** The texts of the pages that end emails. */
export const germanEmails: Pick<VisitorText, 'notificationEmails' | 'subscription'> = {
  notificationEmails: {
    title: 'E-Mails zu Benachrichtigungen',
    unsubscribedTitle: 'Sie sind abgemeldet',
    subscribed: (email, workspace) =>
      html`${email} erhält E-Mails zu Benachrichtigungen in ${workspace}. Auch ohne diese E-Mails finden Sie
      die Benachrichtigungen im Posteingang.`,
    unsubscribed: (email, workspace) =>
      html`${email} erhält keine E-Mails mehr zu Benachrichtigungen in ${workspace}. Die Benachrichtigungen
      finden Sie weiter im Posteingang.`,
    unsubscribe: 'Abmelden',
    subscribe: 'Wieder anmelden',
    notFound: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht ist der Link unvollständig, oder Sie haben den Workspace verlassen. Dann erhalten Sie von dort keine E-Mails mehr.',
    },
  },
  subscription: {
    title: 'E-Mails zu Releases',
    unsubscribedTitle: 'Sie sind abgemeldet',
    subscribed: (email, group) =>
      html`${email} erhält eine E-Mail, wenn ein Release mit der Gruppe ${group} geteilt wird. Auch ohne diese
      E-Mails bleiben die Releases für Sie verfügbar.`,
    unsubscribed: (email, group) =>
      html`${email} erhält keine E-Mails mehr zu Releases für die Gruppe ${group}. Links aus früheren E-Mails
      funktionieren weiterhin.`,
    frequency: 'Wie oft',
    digests: {
      none: 'Eine E-Mail pro Release',
      daily: 'Tägliche Zusammenfassung',
      weekly: 'Wöchentliche Zusammenfassung',
    },
    save: 'Speichern',
    saved: 'Gespeichert.',
    unsubscribe: 'Abmelden',
    subscribe: 'Wieder anmelden',
    notFound: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Der Link ist vielleicht unvollständig, oder Sie sind nicht mehr in der Gruppe. Dann erhalten Sie keine E-Mails mehr von ihr.',
    },
  },
}
