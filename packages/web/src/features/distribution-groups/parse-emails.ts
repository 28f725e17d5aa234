export type ParsedEmail = { email: string; state: 'new' | 'repeated' | 'invalid' }

// The server has the final say; this only finds lines that cannot be an address.
const emailPattern = /^[^\s@<>"(),;:]+@[^\s@<>"(),;:]+\.[^\s@<>"(),;:]+$/

/**
 * Returns the addresses in a text that was pasted from a list, a spreadsheet or the recipients of an email, such as
 * `Ana Ruiz <ana@example.com>, ben@example.com`. Names beside an address in angle brackets are ignored.
 */
export function parseEmails(text: string): ParsedEmail[] {
  const seen = new Set<string>()
  return text
    .replaceAll(/"[^"\n]*"(?=\s*<)/g, '')
    .split(/[\n,;]/)
    .flatMap((part) => {
      const bracketed = [...part.matchAll(/<([^<>]*)>/g)].map(([, address = '']) => address.trim())
      if (bracketed.length > 0) return bracketed
      const words = part.trim().split(/\s+/)
      return words.some((word) => word.includes('@')) ? words : [part.trim()]
    })
    .map((word) => word.replaceAll(/^["']|["'.]$/g, ''))
    .filter((word) => word !== '')
    .map((word) => {
      const email = word.toLowerCase()
      const state = !emailPattern.test(email) ? 'invalid' : seen.has(email) ? 'repeated' : 'new'
      seen.add(email)
      return { email: word, state }
    })
}
