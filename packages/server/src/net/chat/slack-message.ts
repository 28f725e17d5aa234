import type { ChatCard } from './chat-card.ts'

/**
 * Returns the body of a request to a Slack incoming webhook. Names and notes are in a rich text block, which shows them
 * literally. Mentions and links in them have no effect.
 */
export function slackMessage({ title, subject, url, facts, notes }: ChatCard): object {
  const text = (value: string, style?: object) => ({ type: 'text', text: value, ...(style && { style }) })
  const link = (value: string, to: string | undefined, style?: object) =>
    to === undefined ? text(value, style) : { ...text(value, style), type: 'link', url: to }
  const bold = { bold: true }
  const lines = facts.flatMap((fact) => [text(`\n${fact.name}: `, bold), link(fact.value, fact.url)])
  const section = [text(`${title}: `), link(subject, url, bold), ...lines]
  const quote = notes === undefined ? [] : [{ type: 'rich_text_quote', elements: [text(notes)] }]
  return {
    // Slack shows this text in notifications and parses it as mrkdwn.
    text: `${escapeMrkdwn(title)}: ${mrkdwnLink(subject, url)}`,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: section }, ...quote] }],
  }
}

const mrkdwnLink = (text: string, url: string | undefined): string =>
  url === undefined
    ? escapeMrkdwn(text)
    : `<${escapeMrkdwn(url).replaceAll('|', '%7C')}|${escapeMrkdwn(text)}>`

const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
