import { isIP } from 'node:net'
import { blockList, embeddedIpv4, groupsOf } from './ip-address.ts'

/** Determines which addresses the service may connect to when a host comes from untrusted input. */
export interface AddressRules {
  /**
   * Returns whether `address` is a public unicast address or in an explicitly allowed range. IPv4-mapped and NAT64
   * addresses are treated as the IPv4 address that they contain.
   */
  allows(address: string): boolean
}

// Ranges in IANA's special-purpose address registries (RFC 6890 and its successors), multicast addresses, and the IPv6
// ranges that tunnel IPv4.
const forbiddenIpv4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 ' +
  '198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
const publicIpv6 = '2000::/3'
const forbiddenIpv6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20'

/**
 * Creates rules that also allow the given addresses and ranges, such as `10.0.0.0/8`. Throws a RangeError if any of
 * them is invalid.
 */
export function createAddressRules(alsoAllowed: readonly string[]): AddressRules {
  const forbidden = blockList(`${forbiddenIpv4} ${forbiddenIpv6}`.split(' '))
  const globalIpv6 = blockList([publicIpv6])
  const allowed = blockList(alsoAllowed)
  return {
    allows(address) {
      const reached = reachedAddress(address)
      if (reached === undefined) return false
      const { text, family } = reached
      if (allowed.check(text, family)) return true
      return !forbidden.check(text, family) && (family === 'ipv4' || globalIpv6.check(text, family))
    },
  }
}

/**
 * Returns the address that packets are sent to, or undefined if `address` is not an IP address. For IPv4-mapped
 * (::ffff:0:0/96) and NAT64 (64:ff9b::/96, RFC 6052) addresses, this is the embedded IPv4 address.
 */
function reachedAddress(address: string): { text: string; family: 'ipv4' | 'ipv6' } | undefined {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return undefined
  if (family === 4) return { text: address, family: 'ipv4' }
  const groups = groupsOf(address)
  const high = groups.slice(0, 6).join(':')
  if (high !== '0:0:0:0:0:ffff' && high !== '64:ff9b:0:0:0:0') return { text: address, family: 'ipv6' }
  return { text: embeddedIpv4(groups), family: 'ipv4' }
}
