import type { Socket } from 'node:net'
import { addressMatcher, networkOf, normalizeAddress } from '../../net/ip-address.ts'

/**
 * Creates a function that counts a connection until it closes, or returns false if its client already has `max`. A
 * client is identified by the IPv4 address or IPv6 /64 of the peer, because no headers have been read yet. Proxies must be
 * `exempt`, because they connect on behalf of many clients.
 */
export function createClientConnections(max: number, exempt: readonly string[]) {
  const isExempt = addressMatcher(exempt)
  const counts = new Map<string, number>()
  return (socket: Socket): boolean => {
    const address = normalizeAddress(socket.remoteAddress ?? '')
    if (address === undefined || isExempt(address)) return true
    const client = networkOf(address)
    const count = counts.get(client) ?? 0
    if (count >= max) return false
    counts.set(client, count + 1)
    socket.once('close', () => {
      const others = (counts.get(client) ?? 0) - 1
      if (others > 0) counts.set(client, others)
      else counts.delete(client)
    })
    return true
  }
}
