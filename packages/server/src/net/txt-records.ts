import { Resolver } from 'node:dns/promises'
import { problem } from '../lib/problem.ts'

/** Returns the TXT records of a DNS name, or an empty list if it has none. Throws `unavailable` if the lookup fails. */
export type TxtRecords = (name: string) => Promise<string[]>

const absent = new Set(['ENOTFOUND', 'ENODATA'])
const attemptTimeoutMs = 2_000
const tries = 3

/**
 * Creates a function that queries the given DNS servers (`address` or `address:port`), or the system's DNS servers if
 * the list is empty.
 */
export function createTxtRecords(servers: readonly string[]): TxtRecords {
  return async (name) => {
    // Each query has its own resolver, so that a slow server does not delay concurrent queries.
    const resolver = new Resolver({ timeout: attemptTimeoutMs, tries, maxTimeout: attemptTimeoutMs })
    if (servers.length > 0) resolver.setServers([...servers])
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (absent.has(code)) return []
      throw dnsUnavailable({ name, code }, { cause: error })
    }
  }
}

export const dnsUnavailable = problem(
  'unavailable',
  'dns.unavailable',
  'The DNS lookup of {name} failed ({code}). Try again later.',
  { retryAfterSeconds: 30 },
)
