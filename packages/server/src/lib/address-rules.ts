import { BlockList, isIP } from 'node:net'

/** Which addresses the service may dial where somebody else says whom to call. */
export interface AddressRules {
  /** True for public unicast addresses and the ranges that were allowed; `address` in any notation of an IP address. */
  allows(address: string): boolean
}

// The special-purpose registries of IANA (RFC 6890 and its successors), and what reaches IPv4 by detours.
const forbiddenIpv4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 ' +
  '198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
const publicIpv6 = '2000::/3'
const forbiddenIpv6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20'

/** Ranges as `10.0.0.0/8`, `fd00::/8` or single addresses; throws a RangeError that names a wrong one. */
export function createAddressRules(alsoAllowed: readonly string[]): AddressRules {
  const forbidden = blockList(`${forbiddenIpv4} ${forbiddenIpv6}`.split(' '))
  const globalIpv6 = blockList([publicIpv6])
  const allowed = blockList(alsoAllowed)
  return {
    allows(address) {
      const known = canonical(address)
      if (known === undefined) return false
      const { text, family } = known
      if (allowed.check(text, family)) return true
      return !forbidden.check(text, family) && (family === 'ipv4' || globalIpv6.check(text, family))
    },
  }
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [, text = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? []
    const family = isIP(text)
    const most = family === 6 ? 128 : 32
    const prefix = bits === undefined ? most : Number(bits)
    if (family === 0 || text.includes('%') || prefix > most)
      throw new RangeError(`"${range}" is no range of addresses such as 10.0.0.0/8 or fd00::/8.`)
    list.addSubnet(text, prefix, family === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** IPv4 that travels as IPv6 – mapped (::ffff:0:0/96) or NAT64 (64:ff9b::/96, RFC 6052) – is judged as what it reaches. */
function canonical(address: string): { text: string; family: 'ipv4' | 'ipv6' } | undefined {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return undefined
  if (family === 4) return { text: address, family: 'ipv4' }
  const groups = groupsOf(address)
  const high = groups.slice(0, 6).join(':')
  if (high !== '0:0:0:0:0:ffff' && high !== '64:ff9b:0:0:0:0') return { text: address, family: 'ipv6' }
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
  return { text: bytes.join('.'), family: 'ipv4' }
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // the URL parser writes an embedded dotted quad as two groups (WHATWG URL, "IPv6 serializer")
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after]
}
