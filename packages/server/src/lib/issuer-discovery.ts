import { isConfidential } from './issuer-url.ts'
import { ForbiddenAddress, type JsonReader } from './outgoing.ts'
import { Problem } from './problem.ts'
import { signingKey, type SigningKey } from './signing-key.ts'

export type Discovered = { keys: SigningKey[] } | { problem: Problem }

const answerWithinMs = 5000
const mostDiscoveryBytes = 64 * 1024
const mostKeysBytes = 256 * 1024
const mostKeys = 100
const retryAfterSeconds = 10

/** Asks an issuer for its keys (OpenID Connect Discovery 1.0 section 4): both documents within five seconds. */
export async function discover(reader: JsonReader, issuer: string): Promise<Discovered> {
  const signal = AbortSignal.timeout(answerWithinMs)
  try {
    const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const document = await read(reader, issuer, place, { mostBytes: mostDiscoveryBytes, signal })
    if (document['issuer'] !== issuer)
      return unusable(issuer, 'its discovery document names another issuer, and both must be the same text')
    const { jwks_uri: keysPlace } = document
    if (typeof keysPlace !== 'string' || !URL.canParse(keysPlace) || !isConfidential(new URL(keysPlace)))
      return unusable(issuer, 'the jwks_uri of its discovery document is no https URL')
    const { keys } = await read(reader, issuer, keysPlace, { mostBytes: mostKeysBytes, signal })
    if (!Array.isArray(keys)) return unusable(issuer, 'its key set holds no list of keys')
    return { keys: keys.slice(0, mostKeys).flatMap(signingKey) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error }
    if (isForbidden(error))
      return unusable(
        issuer,
        'it has no public address; whoever runs this service can allow others with QUAYSIDE_ISSUER_ALLOW_PRIVATE',
      )
    return { problem: unreachable(issuer, error) }
  }
}

async function read(
  reader: JsonReader,
  issuer: string,
  url: string,
  limits: { mostBytes: number; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const { status, json } = await reader.get(url, limits)
  if (status >= 500 || status === 429) throw unreachable(issuer)
  if (status !== 200) throw unusable(issuer, `${url} answers ${status}, not 200`).problem
  if (typeof json !== 'object' || json === null)
    throw unusable(issuer, `${url} answers no JSON object of at most ${limits.mostBytes / 1024} KiB`).problem
  return json as Record<string, unknown>
}

/** undici wraps what a connection failed of; happy eyeballs gathers several. */
function isForbidden(error: unknown): boolean {
  if (error instanceof ForbiddenAddress) return true
  const { cause, errors } = (error ?? {}) as { cause?: unknown; errors?: unknown }
  return (cause !== undefined && isForbidden(cause)) || (Array.isArray(errors) && errors.some(isForbidden))
}

const unusable = (issuer: string, reason: string) => ({
  problem: new Problem(
    'forbidden',
    'oidc.issuer_unusable',
    `The issuer ${issuer} cannot be trusted: ${reason}.`,
  ),
})

function unreachable(issuer: string, cause?: unknown): Problem {
  const { code } = (cause ?? {}) as { code?: unknown }
  const reason = typeof code === 'string' ? ` (${code})` : ''
  return new Problem(
    'unavailable',
    'oidc.issuer_unreachable',
    `The issuer ${issuer} does not answer as it should${reason}. Try again in a few seconds.`,
    { retryAfterSeconds, cause },
  )
}
