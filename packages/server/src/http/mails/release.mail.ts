import { html, type Html } from '../../lib/html.ts'
import { colors, fonts } from '../pages/design-tokens.ts'
import { defineMail } from './define-mail.ts'
import { oneLine, renderMail, renderMailMarkdown } from './mail-document.ts'

type Release = {
  workspace: string
  application: string
  group: string
  title: string
  version: string
  /** From `renderNotes`, because one release is announced to many people. */
  notes: RenderedNotes
  /** The personal page of the release. */
  url: string
  unsubscribeUrl: string
}

type RenderedNotes = { text: string; content: Html | undefined }

// Gmail hides what exceeds 102 KB of an email, and the database stores one email for each member until it is sent.
const maxNotesLength = 5_000
const more = 'The complete notes are on the page of the release.'
const headingStyle = `margin:0 0 12px;font:600 17px/1.4 ${fonts.mail};color:${colors.light.ink}`
const remarkStyle = `margin:16px 0 0;font:13px/1.5 ${fonts.mail};color:${colors.light.soft}`

/** Renders the start of the notes of a release, up to the last paragraph that fits into an email. */
export function renderNotes(source: string): RenderedNotes {
  const { text, isComplete } = shortenNotes(source)
  if (text === '') return { text: '', content: undefined }
  return {
    text: `\n${text}\n${isComplete ? '' : `\n${more}\n`}`,
    content: html`<p style="${headingStyle}" role="heading" aria-level="2">${'What’s new'}</p>
      ${renderMailMarkdown(text)}${!isComplete && html`<p style="${remarkStyle}">${more}</p>`}`,
  }
}

function shortenNotes(notes: string): { text: string; isComplete: boolean } {
  const text = notes.trim()
  if (text.length <= maxNotesLength) return { text, isComplete: true }
  const start = text.slice(0, maxNotesLength)
  const end = Math.max(start.lastIndexOf('\n\n'), start.lastIndexOf('\n', maxNotesLength - 200))
  return { text: (end > 0 ? start.slice(0, end) : start).trim().toWellFormed(), isComplete: false }
}

/** Announces a release to a member of a distribution group. */
export const releaseMail = defineMail<Release>({
  render({ notes, url, version, unsubscribeUrl, ...names }) {
    const [application, title] = [oneLine(names.application), oneLine(names.title)]
    const [group, sender] = [oneLine(names.group), oneLine(names.workspace)]
    const sentences = [
      'This link is personal: please do not share it. It works as long as the release is shared with you.',
      `You received this email because you are in the group ${group} of ${sender}.`,
    ]
    return {
      subject: `${application} ${version}: ${title}`,
      text: `${title} (${application} ${version}) is available to you.

Open it here (no account needed):
${url}
${notes.text}
${sentences.join('\n')}
To get no more emails about releases for this group, open:
${unsubscribeUrl}
`,
      html: renderMail({
        sender,
        title: `${application} ${version}`,
        paragraphs: [html`<strong>${title}</strong> is available to you. You need no account.`],
        button: { label: 'Open the release', url },
        ...(notes.content === undefined ? {} : { content: notes.content }),
        footer: [
          ...sentences,
          html`<a href="${unsubscribeUrl}" style="color:inherit">Unsubscribe</a> from emails about releases
            for this group.`,
        ],
      }),
    }
  },
  sample: {
    workspace: 'Harbor Labs',
    application: 'Harbor for iOS',
    group: 'Beta testers',
    title: 'Faster sync',
    version: '2.4.0',
    notes: renderNotes(
      '## New\n\n- Sync takes **half the time**\n- Dark mode\n\n## Fixed\n\n1. A crash on the first start\n2. `Undo` after a paste\n\n> Known issue: widgets update only once an hour.\n',
    ),
    url: 'https://builds.example.com/api/v1/public/group-links/0f3a/4fGk0mVq2c9xTn7L',
    unsubscribeUrl: 'https://builds.example.com/api/v1/public/group-subscriptions/7b21/9xTn7L4fGk0mVq2c',
  },
})
