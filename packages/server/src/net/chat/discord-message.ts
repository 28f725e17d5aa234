import type { ChatCard } from './chat-card.ts'

/** Returns the body of a request to a Discord webhook: an embed. Mentions in names and notes have no effect. */
export function discordMessage({ title, subject, url, facts, notes }: ChatCard): object {
  const embed = {
    author: { name: title },
    title: escapeMarkdown(subject),
    ...(url === undefined ? {} : { url }),
    ...(notes === undefined ? {} : { description: escapeMarkdown(notes) }),
    fields: facts.map((fact) => {
      const value = escapeMarkdown(fact.value)
      const isShort = fact.value.length <= maxInlineCharacters
      return { name: fact.name, value: linkTo(fact.url, value), inline: isShort }
    }),
  }
  return { embeds: [embed], allowed_mentions: { parse: [] } }
}

const maxInlineCharacters = 40
// Discord rejects a field of more than 1,024 characters.
const maxFieldCharacters = 1_024

function linkTo(url: string | undefined, text: string): string {
  if (url === undefined) return text
  // A parenthesis would end the link early.
  const target = url.replaceAll('(', '%28').replaceAll(')', '%29')
  const link = `[${text}](${target})`
  return link.length > maxFieldCharacters ? text : link
}

/** Escapes the characters of Discord's Markdown, of mentions and of links. */
const escapeMarkdown = (text: string): string => text.replaceAll(/[\\*_~`|>#+\-.[\]()<@:]/g, '\\$&')
