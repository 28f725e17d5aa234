import { html } from '../../lib/html.ts'
import { defineMail } from './define-mail.ts'
import { oneLine, renderMail } from './mail-document.ts'

type FeedbackNotice = {
  workspace: string
  application: string
  /** Such as `Android 2.4.0 (8123)`. */
  build: string
  text: string
  rating: number | null
  sender: string | null
  /** Such as `Pixel 8 · Android 16`; empty if unknown. */
  device: string
  screenshotCount: number
  /** The feedback in the console. */
  url: string
}

const maxTextLength = 2_000

/** Tells a member about feedback of a tester. The text of the tester is never interpreted. */
export const feedbackMail = defineMail<FeedbackNotice>({
  render({ rating, screenshotCount, url, ...names }) {
    const [application, build] = [oneLine(names.application), oneLine(names.build)]
    const sender = names.sender === null ? 'A tester' : oneLine(names.sender)
    const text = shorten(names.text)
    const facts = [
      ...(rating === null ? [] : [`${rating} of 5 stars`]),
      ...(names.device === '' ? [] : [oneLine(names.device)]),
      ...(screenshotCount === 0
        ? []
        : [screenshotCount === 1 ? '1 screenshot' : `${screenshotCount} screenshots`]),
    ].join(' · ')
    const footer = [
      `You received this email because you subscribed to feedback about ${application}. To get no more of them, turn off emails in the list of feedback.`,
      'More feedback on this build within 15 minutes is not emailed.',
    ]
    return {
      subject: `Feedback on ${shortName(application)} ${build}`.slice(0, 72).trim(),
      text: `${sender} wrote about ${application} for ${build}:

${text.replaceAll(/^/gm, '> ')}
${facts === '' ? '' : `\n${facts}\n`}
Open the feedback:
${url}

${footer.join('\n')}
`,
      html: renderMail({
        sender: oneLine(names.workspace),
        title: `Feedback on ${application}`,
        paragraphs: [
          html`<strong>${sender}</strong> wrote about ${build}:`,
          html`${text.split('\n').map((line, index) => html`${index > 0 && html`<br />`}${line}`)}`,
          ...(facts === '' ? [] : [html`${facts}`]),
        ],
        button: { label: 'Open the feedback', url },
        footer,
      }),
    }
  },
  sample: {
    workspace: 'Harbor Labs',
    application: 'Harbor for Android',
    build: 'Android 2.4.0 (8123)',
    text: 'The app closes when I save on a phone with little free space.\nSteps: open a project, tap Save.',
    rating: 3,
    sender: 'Robin Pike',
    device: 'Pixel 8 · Android 16',
    screenshotCount: 2,
    url: 'https://builds.example.com/applications/c2hkq7/feedback?id=8zkx4',
  },
})

function shorten(text: string): string {
  const characters = Array.from(text.trim())
  return characters.length <= maxTextLength
    ? text.trim()
    : `${characters.slice(0, maxTextLength - 1).join('')}…`
}

const shortName = (name: string): string => {
  const characters = Array.from(name)
  return characters.length <= 40 ? name : `${characters.slice(0, 39).join('')}…`
}
