import { html } from '../../lib/html.ts'
import { colors, fonts } from '../pages/design-tokens.ts'
import { defineMail } from './define-mail.ts'
import { oneLine, renderMail } from './mail-document.ts'

type Digest = {
  workspace: string
  group: string
  interval: 'daily' | 'weekly'
  releases: readonly { application: string; title: string; version: string; url: string }[]
  unsubscribeUrl: string
}

const { ink, soft, mark } = colors.light
const linkStyle = `color:${mark};font:600 16px/1.4 ${fonts.mail};text-decoration:none`

/** Summarizes the releases of a day or week for a member of a distribution group. */
export const digestMail = defineMail<Digest>({
  render({ interval, unsubscribeUrl, ...details }) {
    const [group, sender] = [oneLine(details.group), oneLine(details.workspace)]
    const releases = details.releases.map(({ application, title, ...release }) => ({
      ...release,
      name: `${oneLine(application)} ${release.version}`,
      title: oneLine(title),
    }))
    const count = releases.length === 1 ? '1 new release' : `${releases.length} new releases`
    const sentences = [
      'These links are personal: please do not share them. They work as long as the releases are shared with you.',
      `You receive this ${interval} summary because you are in the group ${group} of ${sender}.`,
    ]
    return {
      subject: `${count} from ${sender}`,
      text: `${count} since your last summary. You need no account.

${releases.map(({ name, title, url }) => `${name}: ${title}\n${url}\n`).join('\n')}
${sentences.join('\n')}
To change how often you get emails, or to unsubscribe, open:
${unsubscribeUrl}
`,
      html: renderMail({
        sender,
        title: count,
        paragraphs: ['You need no account to open them.'],
        content: html`${releases.map(
          ({ name, title, url }) =>
            html`<p style="margin:0 0 16px;font:15px/1.5 ${fonts.mail};color:${ink}">
              <a href="${url}" style="${linkStyle}">${name}</a><br />${title}
            </p>`,
        )}`,
        footer: [
          ...sentences,
          html`<a href="${unsubscribeUrl}" style="color:${soft}"
              >Change how often you get emails, or unsubscribe</a
            >.`,
        ],
      }),
    }
  },
  sample: {
    workspace: 'Harbor Labs',
    group: 'Beta testers',
    interval: 'weekly',
    releases: [
      {
        application: 'Harbor for iOS',
        title: 'Faster sync',
        version: '2.4.0',
        url: 'https://builds.example.com/api/v1/public/group-links/0f3a/4fGk0mVq2c9xTn7L',
      },
      {
        application: 'Harbor for Android',
        title: 'Dark mode & widgets',
        version: '2.3.1-beta.2',
        url: 'https://builds.example.com/api/v1/public/group-links/1c7e/9xTn7L4fGk0mVq2c',
      },
    ],
    unsubscribeUrl: 'https://builds.example.com/api/v1/public/group-subscriptions/7b21/9xTn7L4fGk0mVq2c',
  },
})
