import type { IncomingMessage } from 'node:http'
import { blockList, networkOf, normalizeAddress } from '../lib/ip-address.ts'

export type ClientAddress = {
  /** An IP address that an `inet` column accepts; null if it is unknown. */
  address: string | null
  /** The client as counted by rate limits: an IPv4 address or an IPv6 /64. */
  network: string
}

/**
 * Creates a function that determines the client address of a request. X-Forwarded-For is read from right to left while
 * the current address is a trusted proxy. An entry that is not an address ends the search at the proxy that sent it, so
 * that a client cannot hide behind `unknown`.
 */
export function createClientAddress(trustedProxies: readonly string[]) {
  const trusted = blockList(trustedProxies)
  const isTrusted = (address: string): boolean =>
    address.includes(':')
      ? trusted.check(address, 'ipv6')
      : trusted.check(address, 'ipv4') || trusted.check(`::ffff:${address}`, 'ipv6')

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
