/** Forbidden IPv4 addresses on which tests can listen. */
export const loopbackAddresses = ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254']
const otherAddresses = ['0.0.0.0', '10.0.0.1', '169.254.169.254', '172.16.0.1', '192.168.0.1']

type Octets = [number, number, number, number]

const hex = (value: number) => value.toString(16)
const octal = (value: number) => `0${value.toString(8)}`
const groups = ([a, b, c, d]: Octets) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
const number = ([a, b, c, d]: Octets) => ((a * 256 + b) * 256 + c) * 256 + d
const mapDigits = (text: string, first: number) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(first + Number(digit)))
// The circled digits 1 to 9 start at U+2460. The circled 0 is not next to them.
const circled = (text: string) => mapDigits(text.replaceAll('0', '⓪'), 0x245f)
const superscript = (text: string) => text.replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? digit)
const percentEncoded = (text: string) =>
  text.replaceAll(/[\d.]/g, (character) => `%${hex(character.charCodeAt(0))}`)

/** Spellings of an IPv4 address that the URL standard or a resolver accepts as a host, or that embed it in IPv6. */
const spellings: ((octets: Octets, dotted: string) => string)[] = [
  (_, dotted) => dotted,
  (_, dotted) => `${dotted}.`,
  (octets) => String(number(octets)),
  (octets) => `${number(octets)}.`,
  (octets) => `0x${hex(number(octets))}`,
  (octets) => `0X${hex(number(octets)).toUpperCase()}`,
  (octets) => `0x000000${hex(number(octets))}`,
  (octets) => octal(number(octets)),
  (octets) => `000${octal(number(octets))}`,
  (octets) => octets.map(octal).join('.'),
  (octets) => octets.map((octet) => `000${octal(octet)}`).join('.'),
  (octets) => octets.map((octet) => `0x${hex(octet)}`).join('.'),
  ([a, b, c, d]) => `0x${hex(a)}.${octal(b)}.${c}.0x${hex(d)}`,
  ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `0x${hex(a)}.${octal((b * 256 + c) * 256 + d)}`,
  (_, dotted) => mapDigits(dotted, 0xff10),
  (_, dotted) => mapDigits(dotted, 0x1d7ce),
  (_, dotted) => circled(dotted),
  (_, dotted) => superscript(dotted),
  (_, dotted) => dotted.replaceAll('.', '\u3002'),
  (_, dotted) => dotted.replaceAll('.', '\uff0e'),
  (_, dotted) => dotted.replaceAll('.', '\uff61'),
  (_, dotted) => percentEncoded(dotted),
  (_, dotted) => dotted.replace('.', '\u00ad.'),
  (_, dotted) => dotted.replace('.', '\u200b.'),
  (_, dotted) => `[::ffff:${dotted}]`,
  (octets) => `[::ffff:${groups(octets)}]`,
  (octets) => `[0:0:0:0:0:FFFF:${groups(octets).toUpperCase()}]`,
  (_, dotted) => `[0000:0000:0000:0000:0000:ffff:${dotted}]`,
  (_, dotted) => `[::${dotted}]`,
  (octets) => `[::${groups(octets)}]`,
  (_, dotted) => `[::ffff:0:${dotted}]`,
  (_, dotted) => `[64:ff9b::${dotted}]`,
  (octets) => `[64:ff9b::${groups(octets)}]`,
  (octets) => `[64:ff9b:1::${groups(octets)}]`,
  (octets) => `[2002:${groups(octets)}::]`,
  (octets) => `[2002:${groups(octets)}::1]`,
  // Teredo inverts the bits of the address.
  ([a, b, c, d]) => `[2001:0:808:808:0:0:${groups([255 - a, 255 - b, 255 - c, 255 - d])}]`,
  (octets) => `[fe80::5efe:${groups(octets)}]`,
]

const spell = (dotted: string): string[] =>
  spellings.map((spelling) => spelling(dotted.split('.').map(Number) as Octets, dotted))

const names = [
  'localhost',
  'localhost.',
  'LOCALHOST',
  'LocalHost',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'local\u00adhost',
  '%6c%6f%63%61%6c%68%6f%73%74',
  'foo.localhost',
  'ip6-localhost',
]

const ipv6 = [
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0:1]',
  '[::1%lo]',
  '[::1%251]',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[100::1]',
  '0',
  '0x0',
  '00.0x0.0',
  '127.1',
  '127.0.1',
  '0x7f.1',
  '0177.1',
]

/** Hosts to which no connection may be made. Each names an address that is not public. */
export const forbiddenHosts: string[] = [
  ...[...loopbackAddresses, ...otherAddresses].flatMap(spell),
  ...names,
  ...ipv6,
]

/** Returns URLs whose host is easily misread. The port is that of a listener on loopback addresses. */
export const misleadingUrls = (port: number): string[] => [
  `http://example.com@127.0.0.1:${port}/`,
  `http://8.8.8.8:80@127.0.0.1:${port}/`,
  `http://user:password@127.0.0.1:${port}/`,
  `http://example.com%2F@127.0.0.1:${port}/`,
  `http://example.com%23@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}\\@example.com/`,
  `http://127.0.0.1:${port}#@example.com/`,
  `http://127.0.0.1:${port}?@example.com/`,
  `http://127.0.0.1:${port}/@example.com/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `http:/127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}/`,
  `http:////127.0.0.1:${port}/`,
  ` http://127.0.0.1:${port}/ `,
  `ht\ttp://127.0.\n0.1:${port}/`,
  `HTTP://127.0.0.1:${port}/`,
  `http://127.0.0.1:000${port}/`,
  `http://127.0.0.1:${port}/%2e%2e/%2e%2e`,
  `https://127.0.0.1:${port}/`,
  `https://[::1]:${port}/`,
]

/** DNS records by host name, each with forbidden addresses. In a list of lists, each lookup returns the next list. */
export const forbiddenNames: Record<string, { cname?: string; addresses: string[] | string[][] }> = {
  'loopback.test': { addresses: ['127.0.0.1'] },
  'loopback6.test': { addresses: ['::1'] },
  'both.test': { addresses: ['127.0.0.2', '::1'] },
  'many.test': { addresses: ['127.0.0.1', '127.1.2.3', '127.255.255.254', '10.0.0.1'] },
  'alias.test': { cname: 'loopback.test', addresses: ['127.0.0.1'] },
  'alias-of-localhost.test': { cname: 'localhost', addresses: ['127.0.0.1', '::1'] },
  'mapped.test': { addresses: ['::ffff:127.0.0.1'] },
  'mapped-hex.test': { addresses: ['::ffff:7f00:1'] },
  'compatible.test': { addresses: ['::7f00:1'] },
  'nat64.test': { addresses: ['64:ff9b::7f00:1'] },
  '6to4.test': { addresses: ['2002:7f00:1::'] },
  'unspecified.test': { addresses: ['0.0.0.0', '::'] },
  'rebinding.test': { addresses: [['127.0.0.1'], ['::1'], ['127.0.0.2']] },
  '127.0.0.1.test': { addresses: ['127.0.0.1'] },
  'xn--bcher-kva.test': { addresses: ['127.0.0.1'] },
}
