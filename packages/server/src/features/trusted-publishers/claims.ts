/** What a token says of the run it was made for. */
export type Claims = Readonly<Record<string, unknown>>

/** What a rule asks of a token: a text, which may hold `*`, or a list of which one must fit. */
export type ClaimRules = Readonly<Record<string, string | readonly string[]>>

/** `*` stands for any characters, none and `/` included; nothing else has a meaning. */
export function fits(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return text === pattern
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false
  const end = text.length - tail.length
  let at = head.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/** Names of the claims of the rule that the token lacks or has otherwise. */
export function unfitClaims(rules: ClaimRules, claims: Claims): string[] {
  return Object.entries(rules)
    .filter(([name, wanted]) => {
      const patterns = typeof wanted === 'string' ? [wanted] : wanted
      return !textsOf(claims, name).some((text) => patterns.some((pattern) => fits(pattern, text)))
    })
    .map(([name]) => name)
}

/** A claim as texts: numbers and booleans as JSON writes them, of a list each entry. */
export function textsOf(claims: Claims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) => {
    if (typeof one === 'string') return [one]
    if (typeof one === 'boolean') return [String(one)]
    // beyond 2^53 two ids would be read as one
    return Number.isSafeInteger(one) ? [String(one)] : []
  })
}
