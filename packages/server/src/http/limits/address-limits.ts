import type { Logger } from 'pino'
import type { Problem } from '../../lib/problem.ts'
import { unauthorized } from '../wire/errors.ts'
import { headersOf, tooMany, windowMs } from './rate-limits.ts'
import { createRefusalLog } from './refusal-log.ts'
import type { CreateCounter } from './window-counters.ts'

export type AddressSettings = {
  /** Maximum requests per minute from one address to endpoints that do not require a key; 0 means no limit. */
  publicRateLimit: number
  /** Maximum requests per minute from one address with an invalid key; 0 means no limit. */
  failedKeyLimit: number
}

const pacedIntervalMs = 10
const maxDelayMs = 5_000
const maxPacedNetworks = 10_000

/**
 * Creates per-minute rate limits for callers without a valid key. Requests are counted by network (an IPv4 address or an
 * IPv6 /64). Callers with a valid key are not affected by other callers that share their address.
 */
export function createAddressLimits(
  settings: AddressSettings,
  { log, createCounter }: { log: Pick<Logger, 'warn'>; createCounter: CreateCounter },
) {
  const { publicRateLimit, failedKeyLimit } = settings
  const publicRequests = createCounter('public-requests', { limit: publicRateLimit, windowMs })
  const failedKeys = createCounter('failed-keys', { limit: failedKeyLimit, windowMs })
  const refusals = createRefusalLog(log)
  const nextResponses = new Map<string, number>()

  /**
   * Delays responses to a network that has exceeded its limit to 100 per second, so that guessing keys cannot keep the
   * process busy.
   */
  async function pace(network: string): Promise<void> {
    const now = performance.now()
    const at = Math.min(Math.max(nextResponses.get(network) ?? 0, now), now + maxDelayMs)
    if (nextResponses.size >= maxPacedNetworks) nextResponses.clear()
    nextResponses.set(network, at + pacedIntervalMs)
    if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now))
  }

  return {
    /** Counts a request to an endpoint that does not require a key. */
    chargePublic(network: string): { headers: Record<string, string>; problem?: Problem } {
      if (publicRateLimit === 0) return { headers: {} }
      const charge = { name: 'address', counter: publicRequests, usage: publicRequests.take(network) }
      const headers = headersOf([charge])
      if (charge.usage.isAllowed) return { headers }
      refusals.count('limitedRequests', network)
      return { headers, problem: tooMany(charge) }
    },
    /** Counts a request with an invalid key and returns the error to send. */
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
