import { createClient, QuaysideError } from '@quayside/sdk'
import { firstNonEmpty } from '../ci/ci-metadata.ts'
import type { Env } from '../ci/ci-metadata.ts'
import { Failure } from '../failure.ts'
import { findIdTokenSource, missingIdTokenMessage } from './id-token.ts'
import type { IdTokenSource } from './id-token.ts'

/** Returns the current API key. After a 401 response, `rejected` is the key that the server rejected. */
export type KeyProvider = (rejected?: string) => Promise<string>

type OidcKeyOptions = {
  server: string
  /** ID of the application. */
  application: string | undefined
  env: Env
  userAgent: string
  signal: AbortSignal
  /** Returns the monotonic time in milliseconds. */
  nowMs: () => number
}

type IssuedKey = { key: string; renewAtMs: number; expiresAtMs: number }

// A request that is sent shortly before the key expires may arrive after it has expired.
const renewalMarginMs = 2 * 60_000

/**
 * Returns an API key provider that exchanges the OIDC tokens of the CI run. It requests another key two minutes before
 * the current one expires, or when the server rejects the current one.
 */
export function createOidcKey({ env, ...options }: OidcKeyOptions): KeyProvider {
  const source = requireIdTokenSource(env)
  const applicationId = requireApplicationId(options.application)
  const audience = firstNonEmpty(env['QUAYSIDE_OIDC_AUDIENCE']) ?? options.server
  let issued: IssuedKey | undefined
  let pending: Promise<IssuedKey> | undefined

  // Parallel requests share one exchange, because a token can be exchanged only ten times.
  const renew = () =>
    (pending ??= exchange({ ...options, source, audience, applicationId }).finally(
      () => (pending = undefined),
    ))

  return async (rejected) => {
    const now = options.nowMs()
    const isUsable = issued !== undefined && issued.key !== rejected && now < issued.expiresAtMs
    if (issued !== undefined && isUsable && now < issued.renewAtMs) return issued.key
    const isRenewal = issued !== undefined
    try {
      issued = await renew()
    } catch (error) {
      if (issued !== undefined && isUsable) return issued.key
      throw isRenewal && !source.isRenewable ? cannotRenew(source, error) : error
    }
    return issued.key
  }
}

function requireIdTokenSource(env: Env): IdTokenSource {
  const source = findIdTokenSource(env)
  if (source === undefined) throw new Failure('not_allowed', missingIdTokenMessage(env))
  return source
}

/**
 * Returns the application ID. Throws if there is none, because without an ID a token could match a trusted publisher of
 * an unrelated application.
 */
function requireApplicationId(application: string | undefined): string {
  if (application !== undefined && /^[a-z0-9]{12}$/.test(application)) return application
  throw new Failure(
    'usage',
    'OIDC authentication requires the ID of the application. Set QUAYSIDE_APPLICATION to this ID, or set QUAYSIDE_API_KEY.',
  )
}

async function exchange({
  server,
  source,
  audience,
  applicationId,
  userAgent,
  signal,
  nowMs,
}: Omit<OidcKeyOptions, 'env'> & {
  source: IdTokenSource
  audience: string
  applicationId: string
}): Promise<IssuedKey> {
  const token = await source.request(audience, signal)
  let serverTimeMs = Date.now()
  const client = createClient({
    baseUrl: server,
    userAgent,
    // The clocks of the CI machine and the server may differ.
    onResponse: ({ headers }) => (serverTimeMs = Date.parse(headers.get('date') ?? '') || Date.now()),
  })
  try {
    const body = { token, application_id: applicationId }
    const { data } = await client.exchangeToken({ body }, { signal, idempotent: true, retries: 2 })
    const lifetimeMs = Math.max(Date.parse(data.expires_at) - serverTimeMs, 0)
    const now = nowMs()
    const marginMs = Math.min(renewalMarginMs, lifetimeMs / 2)
    return { key: data.key, renewAtMs: now + lifetimeMs - marginMs, expiresAtMs: now + lifetimeMs }
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status >= 500) throw error
    throw new Failure(
      'not_allowed',
      `The server did not accept the OIDC token of ${source.name}: ${error.message.replace(/\.?$/, '.')}`,
      { cause: error },
    )
  }
}

function cannotRenew({ name }: IdTokenSource, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Failure(
    'not_allowed',
    `The API key of this CI run has expired and cannot be renewed, because ${name} contains one token for the whole ` +
      `job. Rerun the job to resume, or use an API key for uploads that take this long. (${reason})`,
    { cause },
  )
}
