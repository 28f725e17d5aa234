import { isIP } from 'node:net'

export type Environment = Readonly<Record<string, string | undefined>>

export type SettingReader = ReturnType<typeof createSettingReader>

function isAddressRange(text: string): boolean {
  const [, address = '', bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const version = isIP(address)
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128)
}

/** The value of QUAYSIDE_SECRET_PREVIOUS if the previous secret is lost. */
export const lostSecret = 'lost'

const minSecretLength = 32
// Fewer than one in a million random strings of 32 hexadecimal digits have fewer than 8 different digits.
const minDifferentCharacters = 8

/** Returns the reason why a secret is too weak, worded as a predicate, or undefined if the secret is strong enough. */
export function weaknessOf(secret: string): string | undefined {
  if (secret === '') return 'is empty'
  if (secret.length < minSecretLength) return `must be at least ${minSecretLength} characters long`
  if (new Set(secret).size >= minDifferentCharacters) return undefined
  return `must contain at least ${minDifferentCharacters} different characters`
}

/**
 * Creates the functions that read settings of one type. Each returns a usable value and adds a sentence to `problems` if
 * the setting is invalid.
 */
export function createSettingReader(environment: Environment) {
  const problems: string[] = []
  /** The names that were read, whether or not they are set. */
  const known = new Set<string>()
  const setting = (name: string) => {
    known.add(name)
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = setting(name) ?? String(fallback)
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    problems.push(`${name} must be an integer between ${min} and ${max}, not "${value}".`)
    return fallback
  }
  const oneOf = (name: string, allowed: readonly string[], fallback: string) => {
    const value = setting(name) ?? fallback
    if (!allowed.includes(value))
      problems.push(`${name} must be one of ${allowed.join(', ')}, not "${value}".`)
    return value
  }
  const origin = (name: string, fallback: string) => {
    const value = setting(name) ?? fallback
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '')
      return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
    problems.push(`${name} must be an http or https URL such as https://builds.example.com, not "${value}".`)
    return fallback
  }
  const list = (name: string, isValid: (entry: string) => boolean, entries: string) => {
    const values = (setting(name) ?? '').split(',').flatMap((text) => text.trim() || [])
    for (const value of values)
      if (!isValid(value))
        problems.push(`${name} must be a comma-separated list of ${entries}, not "${value}".`)
    return values
  }
  const addresses = (name: string) => list(name, isAddressRange, 'addresses or ranges such as 10.0.0.0/8')
  const secretText = (name: string, except?: string) => {
    const value = setting(name)
    const weakness = value === undefined || value === except ? undefined : weaknessOf(value)
    if (weakness !== undefined) problems.push(`${name} ${weakness}. Generate one with: openssl rand -hex 32`)
    return value
  }
  return { problems, known, setting, integer, oneOf, origin, list, addresses, secretText }
}
