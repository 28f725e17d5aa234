// Matches control characters, lone surrogates, line separators, and directional formatting characters, which can
// disguise text.
const invisible = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const cutMark = '…'

/**
 * Converts a value that a client reports about its CI run or repository to text of at most `maxLength` characters.
 * Accepts any JSON value. Removes credentials and control characters, and ends truncated text with `…`.
 */
export function reportedText(value: unknown, maxLength: number): string {
  const text = typeof value === 'string' ? value : jsonOf(value)
  const clean = text
    // Truncates long text early to limit the work below. The margin allows for the characters that are removed later.
    .slice(0, 2 * maxLength + 2000)
    .replaceAll(/[\t\n\v\f\r]+/g, ' ')
    .replaceAll(invisible, '')
    .normalize('NFC')
  const characters = Array.from(withoutCredentials(clean).trim())
  if (characters.length <= maxLength) return characters.join('')
  return `${characters.slice(0, maxLength - 1).join('')}${cutMark}`
}

/** Returns the value as JSON, or an empty string if it is nested too deeply. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** Returns whether `reportedText` truncated the text. */
export const isCut = (text: string): boolean => text.endsWith(cutMark)

/**
 * Removes the credentials that CI systems include in URLs: the user name and password in http URLs, only the password
 * in other URLs, whose user name is part of the address (`git@`), and query parameters such as `access_token`.
 */
export function withoutCredentials(text: string): string {
  // A list of builds contains many URLs, and most of them have none of the characters that the patterns require.
  if (!/[@?#]/.test(text)) return text
  // Removing credentials can leave another address that contains credentials, as in `https://a@https://b@example.com`.
  for (let before = text; ;) {
    const after = withoutOuterCredentials(before)
    if (after === before) return after
    before = after
  }
}

function withoutOuterCredentials(text: string): string {
  return (
    text
      .replaceAll(/\b(https?:[\\/]{2})[^\s/?#\\]*@/gi, '$1')
      // Matches a password that contains a slash. Digits before a slash are assumed to be a port instead.
      .replaceAll(/\b(https?:[\\/]{2})[^\s/?#@:]+:(?!\d{1,5}[/?#])[^\s@]*@/gi, '$1')
      .replaceAll(/\b([a-z][a-z\d+.-]{0,20}:\/\/[^\s/?#@:]*):[^\s/?#@]*@/gi, '$1@')
      .replaceAll(/(^|\s)(:(?:pserver|ext|gserver):[^\s:@]+):[^\s@]*@/gi, '$1$2@')
      // Matches addresses without a scheme, such as `user:password@example.com/path`.
      .replaceAll(/(^|\s)[^\s:/\\@]+:[^\s/\\@]+@(?=[\w-]+(?:\.[\w-]+)+[:/])/g, '$1')
      .replaceAll(/[?#][^\s]*/g, withoutSecretParameters)
  )
}

const secretName = /token|passw(?:or)?d|^pwd$|secret|signature|^sig$|credential|api[_-]?key|auth[_-]?key/i

/** Removes secret parameters from a query and fragment; returns the text unchanged if there are none. */
function withoutSecretParameters(query: string): string {
  const parameters = [...query.matchAll(/[?#&;][^?#&;]*/g)].map(([parameter]) => parameter)
  const kept = parameters.filter(
    (parameter) => !(parameter.includes('=') && secretName.test(parameter.slice(1).split('=', 1)[0] ?? '')),
  )
  if (kept.length === parameters.length) return query
  return kept.map((part, index) => (index === 0 && /^[&;]/.test(part) ? `?${part.slice(1)}` : part)).join('')
}
