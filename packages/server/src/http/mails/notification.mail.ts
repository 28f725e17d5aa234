import { html } from '../../lib/html.ts'
import { colors, fonts } from '../pages/design-tokens.ts'
import { defineMail } from './define-mail.ts'
import { oneLine, renderMail } from './mail-document.ts'

type NotificationMail = {
  workspace: string
  isDigest: boolean
  /** The oldest first. `text` is what a tester wrote, which is never interpreted. */
  notifications: readonly { title: string; text: string | null; url: string }[]
  inboxUrl: string
  settingsUrl: string
  unsubscribeUrl: string
}

const maxListed = 30
const { ink, soft, mark } = colors.light
const linkStyle = `color:${mark};font:600 16px/1.4 ${fonts.mail};text-decoration:none`

/** Tells a member about what happened in a workspace: one or more notifications, or those of a day. */
export const notificationMail = defineMail<NotificationMail>({
  render({ isDigest, notifications, inboxUrl, settingsUrl, unsubscribeUrl, ...names }) {
    const sender = oneLine(names.workspace)
    const listed = notifications.slice(0, maxListed).map(({ title, text, url }) => ({
      title: oneLine(title),
      text: text === null ? '' : oneLine(text),
      url,
    }))
    const more = notifications.length - listed.length
    const count = `${notifications.length} notifications`
    const [first] = listed
    const title = first !== undefined && notifications.length === 1 ? first.title : `${count} from ${sender}`
    const reason = isDigest
      ? `You receive this daily summary because of your notification rules in ${sender}.`
      : `You receive this email because of your notification rules in ${sender}.`
    return {
      subject: shorten(title),
      text: `${title}

${listed.map((item) => `${item.title}${item.text === '' ? '' : `\n> ${item.text}`}\n${item.url}\n`).join('\n')}${
        more === 0 ? '' : `\n${more} more are in your inbox:\n${inboxUrl}\n`
      }
${reason}
To change what you are notified of, open:
${settingsUrl}
To get no more of these emails, open:
${unsubscribeUrl}
`,
      html: renderMail({
        sender,
        title,
        paragraphs: [],
        content: html`${listed.map(
          (item) =>
            html`<p style="margin:0 0 16px;font:15px/1.5 ${fonts.mail};color:${ink}">
              <a href="${item.url}" style="${linkStyle}"
                >${notifications.length === 1 ? 'Open it' : item.title}</a
              >${item.text !== '' && html`<br />${item.text}`}
            </p>`,
        )}${
          more > 0 &&
          html`<p style="margin:0 0 16px;font:15px/1.5 ${fonts.mail};color:${ink}">
            <a href="${inboxUrl}" style="${linkStyle}">${more} more in your inbox</a>
          </p>`
        }`,
        footer: [
          reason,
          html`<a href="${settingsUrl}" style="color:${soft}">Change what you are notified of</a>, or
            <a href="${unsubscribeUrl}" style="color:${soft}">get no more of these emails</a>.`,
        ],
      }),
    }
  },
  sample: {
    workspace: 'Harbor Labs',
    isDigest: true,
    notifications: [
      {
        title: 'Harbor 2.4.0 (8123) for Android is in stable',
        text: null,
        url: 'https://builds.example.com/applications/c2hkq7/builds/8zkx4',
      },
      {
        title: 'New feedback on Harbor 2.4.0 (8123) for Android',
        text: 'The app closes when I save on a phone with little free space.',
        url: 'https://builds.example.com/applications/c2hkq7/feedback?id=8zkx4',
      },
    ],
    inboxUrl: 'https://builds.example.com/inbox',
    settingsUrl: 'https://builds.example.com/account?section=notifications',
    unsubscribeUrl:
      'https://builds.example.com/api/v1/public/notification-emails/w7b21/0f3a/9xTn7L4fGk0mVq2c',
  },
})

function shorten(title: string): string {
  const characters = Array.from(title)
  return characters.length <= 72 ? title : `${characters.slice(0, 71).join('')}…`
}
