import type { ChatCard } from './chat-card.ts'

/**
 * Returns the body of a request to a Microsoft Teams workflow: a message with an Adaptive Card. Names and notes are in
 * rich text blocks, because Teams parses text blocks and facts as Markdown.
 */
export function teamsMessage({ title, subject, url, facts, notes }: ChatCard): object {
  const run = (text: string, style: object = {}) => ({ type: 'TextRun', text, ...style })
  const line = (inlines: object[], style: object = {}) => ({ type: 'RichTextBlock', inlines, ...style })
  const bold = { weight: 'Bolder' }
  const tight = { spacing: 'Small' }
  const links = [{ name: 'Build', url }, ...facts]
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: `${title}: ${subject}`,
    body: [
      line([run(title, { isSubtle: true })]),
      line([run(subject, { ...bold, size: 'Medium' })], tight),
      ...facts.map(({ name, value }) => line([run(`${name}: `, bold), run(value)], tight)),
      ...(notes === undefined ? [] : [line([run(notes, { isSubtle: true })])]),
    ],
    actions: links.flatMap((link) =>
      link.url === undefined
        ? []
        : [{ type: 'Action.OpenUrl', title: `Open ${link.name.toLowerCase()}`, url: link.url }],
    ),
    msteams: { width: 'Full' },
  }
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: card,
  }
  return { type: 'message', attachments: [attachment] }
}
