import type { IncomingMessage } from 'node:http'
import { addressMatcher, networkOf, normalizeAddress } from '../../net/ip-address.ts'

export type ClientAddress = {
  /** An IP address in a form that an `inet` column accepts; null if the address is unknown. */
  address: string | null
  /** The network that rate limits count as one client: an IPv4 address or an IPv6 /64. */
  network: string
}

/**
 * Creates a function that determines the client address of a request. X-Forwarded-For is read from right to left while
 * the current address is a trusted proxy. If an entry is not an address, the result is the address of the proxy that
 * sent the entry, so that a client cannot hide its address behind `unknown`.
 */
export function createClientAddress(trustedProxies: readonly string[]) {
  const isTrusted = addressMatcher(trustedProxies)

  return ({ socket, headers }: IncomingMessage): ClientAddress => {
    let address = normalizeAddress(socket.remoteAddress ?? '')
    if (address === undefined) return { address: null, network: 'unknown' }
    const forwarded = headers['x-forwarded-for']
    const entries = forwarded === undefined || !isTrusted(address) ? [] : String(forwarded).split(',')
    for (let entry = entries.pop(); entry !== undefined && isTrusted(address); entry = entries.pop()) {
      const next = normalizeAddress(entry)
      if (next === undefined) break
      address = next
    }
    return { address, network: networkOf(address) }
  }
}
