import { Resolver } from 'node:dns/promises'
import { Problem } from './problem.ts'

/** The TXT records of a name, [] where there are none; throws `unavailable` when the DNS does not answer. */
export type TxtRecords = (name: string) => Promise<string[]>

const absent = new Set(['ENOTFOUND', 'ENODATA'])
const tryMs = 2_000
const tries = 3

/** Asks these servers (`address` or `address:port`), or else those of the system. */
export function createTxtRecords(servers: readonly string[]): TxtRecords {
  return async (name) => {
    // one for each question: what is asked at the same time does not share a slow server's fate
    const resolver = new Resolver({ timeout: tryMs, tries, maxTimeout: tryMs })
    if (servers.length > 0) resolver.setServers([...servers])
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (absent.has(code)) return []
      throw new Problem('unavailable', 'dns.unavailable', `The DNS gave no answer about ${name} (${code}).`, {
        retryAfterSeconds: 30,
        cause: error,
      })
    }
  }
}
