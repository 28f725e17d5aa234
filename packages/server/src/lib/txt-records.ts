import { Resolver } from 'node:dns/promises'
import { Problem } from './problem.ts'

/** Returns the TXT records of a name, [] if there are none; throws `unavailable` if the DNS server does not respond. */
export type TxtRecords = (name: string) => Promise<string[]>

const absent = new Set(['ENOTFOUND', 'ENODATA'])
const attemptTimeoutMs = 2_000
const tries = 3

/**
 * Creates a lookup that queries these DNS servers (`address` or `address:port`), or the system's servers if the list is
 * empty.
 */
export function createTxtRecords(servers: readonly string[]): TxtRecords {
  return async (name) => {
    // One resolver per query, so that a slow server does not delay concurrent queries.
    const resolver = new Resolver({ timeout: attemptTimeoutMs, tries, maxTimeout: attemptTimeoutMs })
    if (servers.length > 0) resolver.setServers([...servers])
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (absent.has(code)) return []
      throw new Problem(
        'unavailable',
        'dns.unavailable',
        `The DNS lookup of ${name} failed (${code}). Try again later.`,
        { retryAfterSeconds: 30, cause: error },
      )
    }
  }
}
