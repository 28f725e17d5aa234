import type { Algorithm, SigningKey } from '../crypto/signing-key.ts'
import type { Clock } from '../lib/clock.ts'
import type { Problem } from '../lib/problem.ts'
import { discoverKeys } from './issuer-discovery.ts'
import type { JsonReader } from './outgoing.ts'

export interface IssuerKeys {
  /** Returns the matching public keys. Fetches the issuer's keys only if the cached keys are stale or do not match. */
  list(issuer: string, criteria: { kid: string | undefined; algorithm: Algorithm }): Promise<SigningKey[]>
}

type CachedIssuer = {
  keys: SigningKey[]
  fetchedAtMs: number
  failure: { untilMs: number; problem: Problem } | undefined
  refetchedAtMs: number
  pending: Promise<void> | undefined
}

const freshMs = 10 * 60 * 1000
const usableMs = 60 * 60 * 1000
const failureMs = 10 * 1000
// Minimum time between fetches that are caused by an unknown key ID. Without it, an attacker could make the service
// flood an issuer with requests by sending tokens with random key IDs.
const refetchIntervalMs = 30 * 1000
const maxIssuers = 1000

/**
 * Creates a cache of OIDC issuer keys. Keys are used for ten minutes, or for an hour while the issuer is unreachable.
 */
export function createIssuerKeys({
  reader,
  clock,
}: {
  reader: JsonReader
  clock: Pick<Clock, 'monotonicMs'>
}): IssuerKeys {
  const cacheEntry = createIssuerCache()
  const now = () => clock.monotonicMs()

  /**
   * Fetches the issuer's keys, with at most one request per issuer at a time. If that fails, sets `failure` instead of
   * throwing.
   */
  function refresh(issuer: string, entry: CachedIssuer): Promise<void> {
    entry.pending ??= discoverKeys(reader, issuer)
      .then((result) => {
        if ('problem' in result) {
          entry.failure = { untilMs: now() + failureMs, problem: result.problem }
          return
        }
        entry.keys = result.keys
        entry.fetchedAtMs = now()
        entry.failure = undefined
      })
      .finally(() => {
        entry.pending = undefined
      })
    return entry.pending
  }

  const hasFailed = ({ failure }: CachedIssuer) => failure !== undefined && failure.untilMs > now()

  return {
    async list(issuer, { kid, algorithm }) {
      const entry = cacheEntry(issuer)
      const matching = () =>
        entry.keys.filter((key) => key.algorithm === algorithm && (kid === undefined || key.kid === kid))
      if (now() - entry.fetchedAtMs > freshMs && !hasFailed(entry)) await refresh(issuer, entry)
      if (now() - entry.fetchedAtMs > usableMs && entry.failure !== undefined) throw entry.failure.problem
      const found = matching()
      if (found.length > 0) return found
      if (
        entry.pending === undefined &&
        now() - entry.refetchedAtMs >= refetchIntervalMs &&
        !hasFailed(entry)
      ) {
        entry.refetchedAtMs = now()
        await refresh(issuer, entry)
      } else await entry.pending
      return matching()
    },
  }
}

/** Creates a function that returns the entry of an issuer, for which it removes the oldest one if there are too many. */
function createIssuerCache(): (issuer: string) => CachedIssuer {
  const issuers = new Map<string, CachedIssuer>()
  return (issuer) => {
    const known = issuers.get(issuer)
    if (known !== undefined) return known
    const [oldest] = issuers.keys()
    if (issuers.size >= maxIssuers && oldest !== undefined) issuers.delete(oldest)
    const never = { fetchedAtMs: -Infinity, refetchedAtMs: -Infinity }
    const entry = { keys: [], ...never, failure: undefined, pending: undefined }
    issuers.set(issuer, entry)
    return entry
  }
}
