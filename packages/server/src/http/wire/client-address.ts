import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
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
  const peers = new WeakMap<Socket, Peer>()

  function peerOf(socket: Socket): Peer {
    const known = peers.get(socket)
    if (known !== undefined) return known
    const address = normalizeAddress(socket.remoteAddress ?? '')
    const peer =
      address === undefined
        ? { client: { address: null, network: 'unknown' }, isProxy: false }
        : { client: { address, network: networkOf(address) }, isProxy: isTrusted(address) }
    // The address is unknown once the connection is closed.
    if (address !== undefined) peers.set(socket, peer)
    return peer
  }

  return ({ socket, headers }: IncomingMessage): ClientAddress => {
    const { client, isProxy } = peerOf(socket)
    const forwarded = headers['x-forwarded-for']
    if (client.address === null || forwarded === undefined || !isProxy) return client
    let { address } = client
    const entries = String(forwarded).split(',')
    for (let entry = entries.pop(); entry !== undefined && isTrusted(address); entry = entries.pop()) {
      const next = normalizeAddress(entry)
      if (next === undefined) break
      address = next
    }
    return { address, network: networkOf(address) }
  }
}

/** The other end of a connection, which stays the same for all its requests. */
type Peer = { client: ClientAddress; isProxy: boolean }
