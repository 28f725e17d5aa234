import type { Logger } from 'pino'
import type { Problem } from '../lib/problem.ts'
import { createWindowCounter } from '../lib/window-counter.ts'
import { unauthorized } from './errors.ts'
import { headersOf, tooMany, windowMs } from './rate-limits.ts'
import { createRefusalLog } from './refusal-log.ts'

export type AddressSettings = {
  /** Requests per minute from one address to endpoints that need no key; 0 = no limit. */
  publicRateLimit: number
  /** Requests per minute from one address with an invalid key; 0 = no limit. */
  failedKeyLimit: number
}

const pacedIntervalMs = 10
const maxDelayMs = 5_000
const maxPacedNetworks = 10_000

/**
 * Creates per-minute rate limits for callers without a valid key, counted in this process by network (an IPv4 address
 * or an IPv6 /64). Callers with a valid key are not affected by other callers behind the same address.
 */
export function createAddressLimits(settings: AddressSettings, log: Pick<Logger, 'warn'>) {
  const { publicRateLimit, failedKeyLimit } = settings
  const publicRequests = createWindowCounter({ limit: publicRateLimit, windowMs })
  const failedKeys = createWindowCounter({ limit: failedKeyLimit, windowMs })
  const refusals = createRefusalLog(log)
  const nextResponses = new Map<string, number>()

  /**
   * Limits a network over its rate limit to 100 responses per second, so that guessing keys cannot occupy the process.
   */
  async function pace(network: string): Promise<void> {
    const now = performance.now()
    const at = Math.min(Math.max(nextResponses.get(network) ?? 0, now), now + maxDelayMs)
    if (nextResponses.size >= maxPacedNetworks) nextResponses.clear()
    nextResponses.set(network, at + pacedIntervalMs)
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now))
  }

  return {
    /** Counts a request to an endpoint that needs no key. */
    chargePublic(network: string): { headers: Record<string, string>; problem?: Problem } {
      if (publicRateLimit === 0) return { headers: {} }
      const charge = { name: 'address', counter: publicRequests, usage: publicRequests.take(network) }
      const headers = headersOf([charge])
      if (charge.usage.isAllowed) return { headers }
      refusals.count('limitedRequests', network)
      return { headers, problem: tooMany(charge) }
    },
    /** Counts a request with an invalid key and returns the error to respond with. */
    async refuseKey(network: string): Promise<Problem> {
      refusals.count('refusedKeys', network)
      if (failedKeyLimit === 0) return unauthorized()
      const usage = failedKeys.take(network)
      if (usage.isAllowed) return unauthorized()
      await pace(network)
      return tooMany({ name: 'failed-keys', counter: failedKeys, usage })
    },
  }
}
