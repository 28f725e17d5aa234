import type { Clock } from './clock.ts'
import { discover } from './issuer-discovery.ts'
import type { JsonReader } from './outgoing.ts'
import type { Problem } from './problem.ts'
import type { Algorithm, SigningKey } from './signing-key.ts'

export interface IssuerKeys {
  /** Public keys of the issuer that may have signed; asks the issuer only where what is known is too old or lacks the key. */
  list(issuer: string, sought: { kid: string | undefined; algorithm: Algorithm }): Promise<SigningKey[]>
}

type Known = {
  keys: SigningKey[]
  readMs: number
  failure: { untilMs: number; problem: Problem } | undefined
  askedAgainMs: number
  pending: Promise<void> | undefined
}

const freshMs = 10 * 60 * 1000
const usableMs = 60 * 60 * 1000
const failureMs = 10 * 1000
// hostile tokens name keys that are not there: an issuer is asked for those twice a minute, not once a token
const askAgainMs = 30 * 1000
const mostIssuers = 1000

/** Keys of OIDC issuers, kept for ten minutes; for an hour while the issuer is out of reach. */
export function createIssuerKeys({ reader, clock }: { reader: JsonReader; clock: Clock }): IssuerKeys {
  const issuers = new Map<string, Known>()
  const now = () => clock.now().getTime()

  function knownOf(issuer: string): Known {
    let known = issuers.get(issuer)
    if (known === undefined) {
      known = { keys: [], readMs: -Infinity, failure: undefined, askedAgainMs: -Infinity, pending: undefined }
      const [oldest] = issuers.keys()
      if (issuers.size >= mostIssuers && oldest !== undefined) issuers.delete(oldest)
      issuers.set(issuer, known)
    }
    return known
  }

  /** One question at a time for each issuer; never throws, what went wrong stays in `failure`. */
  function read(issuer: string, known: Known): Promise<void> {
    known.pending ??= discover(reader, issuer)
      .then((found) => {
        if ('problem' in found) {
          known.failure = { untilMs: now() + failureMs, problem: found.problem }
          return
        }
        known.keys = found.keys
        known.readMs = now()
        known.failure = undefined
      })
      .finally(() => {
        known.pending = undefined
      })
    return known.pending
  }

  const hasFailed = ({ failure }: Known) => failure !== undefined && failure.untilMs > now()

  return {
    async list(issuer, { kid, algorithm }) {
      const known = knownOf(issuer)
      const matching = () =>
        known.keys.filter((key) => key.algorithm === algorithm && (kid === undefined || key.kid === kid))
      if (now() - known.readMs > freshMs && !hasFailed(known)) await read(issuer, known)
      if (now() - known.readMs > usableMs && known.failure !== undefined) throw known.failure.problem
      const found = matching()
      if (found.length > 0) return found
      if (known.pending === undefined && now() - known.askedAgainMs >= askAgainMs && !hasFailed(known)) {
        known.askedAgainMs = now()
        await read(issuer, known)
      } else await known.pending
      return matching()
    },
  }
}
