import { BlockList, isIP } from 'node:net'

/** Creates a list from addresses or ranges such as `10.0.0.0/8`. Throws a RangeError if any of them is invalid. */
export function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [, text = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? []
    const family = isIP(text)
    const maxBits = family === 6 ? 128 : 32
    const prefix = bits === undefined ? maxBits : Number(bits)
    if (family === 0 || text.includes('%') || prefix > maxBits)
      throw new RangeError(`"${range}" is not an address range such as 10.0.0.0/8 or fd00::/8.`)
    list.addSubnet(text, prefix, family === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/**
 * Creates a function that returns whether one of the ranges contains an address. The address must be in the form that
 * `normalizeAddress` returns.
 */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = blockList(ranges)
  return (address) =>
    address.includes(':')
      ? list.check(address, 'ipv6')
      : list.check(address, 'ipv4') || list.check(`::ffff:${address}`, 'ipv6')
}

/** Returns the eight groups of an IPv6 address without leading zeros. */
export function groupsOf(address: string): string[] {
  const [head = '', tail] = shortest(address).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after]
}

// The URL parser shortens an IPv6 address and converts an embedded dotted quad to two hexadecimal groups (WHATWG URL
// Standard, "IPv6 serializer").
const shortest = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)

/** Returns the IPv4 address in the last 32 bits of an IPv6 address. */
export const embeddedIpv4 = (groups: string[]): string =>
  groups
    .slice(6)
    .flatMap((group) => {
      const value = Number.parseInt(group, 16)
      return [value >> 8, value & 0xff]
    })
    .join('.')

/**
 * Returns an IP address in its shortest form, without zone, brackets or port. Converts an IPv4-mapped address to IPv4.
 * Returns undefined if the text is not an address, such as the `unknown` of RFC 7239. Accepts the formats that proxies
 * write in X-Forwarded-For: `192.0.2.1:5678`, `[2001:db8::1]:443` and quoted addresses.
 */
export function normalizeAddress(text: string): string | undefined {
  const plain = text.trim().replace(/^"(.*)"$/, '$1')
  const [, bracketed, v4 = plain] = /^(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*)$/.exec(plain) ?? []
  const [address = ''] = (bracketed ?? v4).split('%', 1)
  const family = isIP(address)
  if (family === 4) return bracketed === undefined ? address : undefined
  if (family === 0) return undefined
  const groups = groupsOf(address)
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff' ? embeddedIpv4(groups) : shortest(address)
}

/**
 * Returns the network that rate limits treat as one client: an IPv4 address, or an IPv6 /64, because a subscriber
 * usually controls a whole /64.
 */
export const networkOf = (address: string): string =>
  address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address

/** Returns whether only clients on the same computer can connect to a service that listens on the host. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host)
