import { parseSigningKey, type SigningKey } from '../crypto/signing-key.ts'
import { Problem, problem } from '../lib/problem.ts'
import { isConfidential } from './issuer-url.ts'
import { ForbiddenAddress, type JsonReader } from './outgoing.ts'
import { startTimeLimit } from './time-limit.ts'

export type DiscoveryResult = { keys: SigningKey[] } | { problem: Problem }

const timeoutMs = 5000
const maxDiscoveryBytes = 64 * 1024
const maxKeySetBytes = 256 * 1024
const maxKeys = 100
const retryAfterSeconds = 10

/**
 * Fetches the keys of an issuer (OpenID Connect Discovery 1.0, section 4). The discovery document and the key set must
 * arrive within 5 s in total.
 */
export async function discoverKeys(reader: JsonReader, issuer: string): Promise<DiscoveryResult> {
  return reportProblems(issuer, async (signal) => {
    const { jwks_uri: keysUrl } = await fetchDocument(reader, issuer, signal)
    if (!isConfidentialUrl(keysUrl)) return { problem: noKeysUrl({ issuer }) }
    const { keys } = await fetchObject(reader, issuer, keysUrl, { maxBytes: maxKeySetBytes, signal })
    if (!Array.isArray(keys)) return { problem: noKeys({ issuer }) }
    return { keys: keys.slice(0, maxKeys).flatMap(parseSigningKey) }
  })
}

export type IssuerEndpoints = {
  authorization: string
  token: string
  userinfo: string | undefined
  /** Whether the client must send its secret in the body of token requests rather than in a header. */
  isSecretInBody: boolean
}

/** Fetches the URLs to which people sign in and codes are exchanged. */
export async function discoverEndpoints(
  reader: JsonReader,
  issuer: string,
): Promise<{ endpoints: IssuerEndpoints } | { problem: Problem }> {
  return reportProblems(issuer, async (signal) => {
    const document = await fetchDocument(reader, issuer, signal)
    const {
      authorization_endpoint: authorization,
      token_endpoint: token,
      userinfo_endpoint: userinfo,
    } = document
    if (!isConfidentialUrl(authorization) || !isConfidentialUrl(token))
      return { problem: noEndpoints({ issuer }) }
    const methods = document['token_endpoint_auth_methods_supported']
    return {
      endpoints: {
        authorization,
        token,
        userinfo: isConfidentialUrl(userinfo) ? userinfo : undefined,
        isSecretInBody: Array.isArray(methods) && !methods.includes('client_secret_basic'),
      },
    }
  })
}

/** Runs `work` with a signal that is aborted after the time limit, and returns the problem with which it fails. */
async function reportProblems<T>(
  issuer: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | { problem: Problem }> {
  using limit = startTimeLimit(timeoutMs)
  try {
    return await work(limit.signal)
  } catch (error) {
    if (error instanceof Problem) return { problem: error }
    if (isForbidden(error)) return { problem: privateAddress({ issuer }) }
    return { problem: unreachable(issuer, error) }
  }
}

async function fetchDocument(
  reader: JsonReader,
  issuer: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const document = await fetchObject(reader, issuer, url, { maxBytes: maxDiscoveryBytes, signal })
  if (document['issuer'] === issuer) return document
  throw otherIssuer({ issuer })
}

const isConfidentialUrl = (url: unknown): url is string =>
  typeof url === 'string' && URL.canParse(url) && isConfidential(new URL(url))

async function fetchObject(
  reader: JsonReader,
  issuer: string,
  url: string,
  limits: { maxBytes: number; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const { status, json } = await reader.get(url, limits)
  if (status >= 500 || status === 429) throw unreachable(issuer)
  if (status !== 200) throw unexpectedStatus({ issuer, url, status })
  if (typeof json !== 'object' || json === null)
    throw notJson({ issuer, url, maxKib: limits.maxBytes / 1024 })
  return json as Record<string, unknown>
}

/**
 * Returns whether a forbidden address caused the error. Also searches causes and aggregated errors, because undici
 * wraps connection errors and may try several addresses.
 */
function isForbidden(error: unknown): boolean {
  if (error instanceof ForbiddenAddress) return true
  const { cause, errors } = (error ?? {}) as { cause?: unknown; errors?: unknown }
  return (cause !== undefined && isForbidden(cause)) || (Array.isArray(errors) && errors.some(isForbidden))
}

const noKeysUrl = problem(
  'forbidden',
  'oidc.issuer_unusable',
  'The issuer {issuer} cannot be trusted: the `jwks_uri` of its discovery document is not an https URL. Correct the issuer, or use another one.',
)

const noKeys = problem(
  'forbidden',
  'oidc.issuer_unusable',
  'The issuer {issuer} cannot be trusted: its key set has no `keys` array. Correct the issuer, or use another one.',
)

const noEndpoints = problem(
  'forbidden',
  'oidc.issuer_unusable',
  'The issuer {issuer} cannot be trusted: its discovery document has no https URLs for authorization and tokens. Correct the issuer, or use another one.',
)

const privateAddress = problem(
  'forbidden',
  'oidc.issuer_unusable',
  'The issuer {issuer} cannot be trusted: it has no public address. The operator of this service can allow private addresses with QUAYSIDE_ISSUER_ALLOW_PRIVATE. Correct the issuer, or use another one.',
)

const otherIssuer = problem(
  'forbidden',
  'oidc.issuer_unusable',
  'The issuer {issuer} cannot be trusted: its discovery document names a different issuer; the two must be identical. Correct the issuer, or use another one.',
)

const unexpectedStatus = problem(
  'forbidden',
  'oidc.issuer_unusable',
  'The issuer {issuer} cannot be trusted: {url} returned status {status} instead of 200. Correct the issuer, or use another one.',
)

const notJson = problem(
  'forbidden',
  'oidc.issuer_unusable',
  'The issuer {issuer} cannot be trusted: {url} did not return a JSON object of at most {maxKib} KiB. Correct the issuer, or use another one.',
)

function unreachable(issuer: string, cause?: unknown): Problem {
  const { code } = (cause ?? {}) as { code?: unknown }
  const reason = typeof code === 'string' ? ` (${code})` : ''
  return issuerUnreachable({ issuer, reason }, { retryAfterSeconds, cause })
}

const issuerUnreachable = problem(
  'unavailable',
  'oidc.issuer_unreachable',
  'The issuer {issuer} could not be reached{reason}. Try again in a few seconds.',
)

/** The errors of fetching the keys of an issuer. */
export const issuerProblems = [
  noKeysUrl,
  noKeys,
  privateAddress,
  otherIssuer,
  unexpectedStatus,
  notJson,
  issuerUnreachable,
]
