import { invalid } from '../../http/validation.ts'
import type { ClaimRules } from './claims.ts'
import { hostedIssuer, isPinned } from './hosted-issuers.ts'

const mostClaims = 20
const mostStars = 8

// They say nothing of where a token comes from, or are looked at anyway.
const notForRules = new Map([
  ['iss', 'is compared with the issuer of the rule already.'],
  ['aud', 'is compared with the audience of the rule already.'],
  ...['exp', 'nbf', 'iat', 'jti'].map((name) => [name, 'is another in every token.'] as const),
])

/** The claims of a rule, if they tell one pipeline from all others; throws `invalid` for those that trust strangers. */
export function requireSoundClaims(issuer: string, rules: ClaimRules): void {
  const errors: Record<string, string[]> = {}
  const names = Object.keys(rules)
  if (names.length === 0 || names.length > mostClaims)
    throw invalid({ claims: [`must hold 1 to ${mostClaims} claims, such as {"repository_id": "123456"}.`] })
  for (const [name, wanted] of Object.entries(rules)) {
    const texts = typeof wanted === 'string' ? [wanted] : wanted
    const wrong = notForRules.get(name) ?? wrongName(name) ?? wrongTexts(texts)
    if (wrong !== undefined) errors[`claims.${name}`] = [wrong]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const hosted = hostedIssuer(issuer)
  if (hosted !== undefined && !isPinned(hosted, rules))
    throw invalid({
      claims: [
        `would trust strangers: everybody can get tokens of ${issuer}. Name where yours come from with one of ` +
          `${hosted.pins.join(', ')} without * ${hosted.subject === undefined ? '' : `(or a sub like ${hosted.subject.example})`}.`,
      ],
    })
}

function wrongName(name: string): string | undefined {
  return /^[\x21-\x7e]{1,100}$/.test(name)
    ? undefined
    : 'is no name of a claim: 1 to 100 visible ASCII characters.'
}

function wrongTexts(texts: readonly string[]): string | undefined {
  if (texts.length === 0) return 'must hold at least one allowed value.'
  if (texts.some((text) => text === '')) return 'must not be empty.'
  if (texts.some((text) => /^\*+$/.test(text))) return 'must say more than *: that takes any value.'
  if (texts.some((text) => text.split('*').length - 1 > mostStars)) return `must hold at most ${mostStars} *.`
  return undefined
}
