import type { Logger } from 'pino'

type Refusal = 'refusedKeys' | 'limitedRequests' | 'refusedTransfers'

const intervalMs = 60_000
const maxNetworks = 1_000
const maxListed = 5

/**
 * Creates a log of rejected callers that writes at most one line per minute. The first rejection is logged immediately;
 * later rejections are logged as counts.
 */
export function createRefusalLog(log: Pick<Logger, 'warn'>, now: () => number = () => performance.now()) {
  let counts: Partial<Record<Refusal, number>> = {}
  let byNetwork = new Map<string, number>()
  let lastWrittenMs = -Infinity
  let timer: NodeJS.Timeout | undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    lastWrittenMs = now()
    const addresses = [...byNetwork].toSorted(([, a], [, b]) => b - a).slice(0, maxListed)
    log.warn({ ...counts, addresses: Object.fromEntries(addresses) }, 'callers refused')
    counts = {}
    byNetwork = new Map()
  }

  return {
    count(refusal: Refusal, network: string): void {
      counts[refusal] = (counts[refusal] ?? 0) + 1
      if (byNetwork.has(network) || byNetwork.size < maxNetworks)
        byNetwork.set(network, (byNetwork.get(network) ?? 0) + 1)
      const waitMs = lastWrittenMs + intervalMs - now()
      if (waitMs <= 0) write()
      else timer ??= setTimeout(write, waitMs).unref()
    },
  }
}
