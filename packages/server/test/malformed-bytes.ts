import fc from 'fast-check'
import type { Sent } from './malformed-requests.ts'

/** The bytes of a request. */
export function bytesOf({ method, path, headers, body = '' }: Sent): Buffer {
  const content = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
  const all: Record<string, string> = { host: 'localhost', ...headers }
  if (content.length > 0) all['content-length'] = String(content.length)
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    content,
  ])
}

type Spoil = (request: Buffer, at: number, odd: Buffer) => Buffer

const long = 'x'.repeat(17 * 1024)
const splice = (bytes: Buffer, at: number, length: number, odd: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), odd, bytes.subarray(at + length)])

/** Another header line, before or after those that are there. */
const header =
  (text: string): Spoil =>
  (bytes, at) => {
    const first = bytes.indexOf('\r\n') + 2
    const last = bytes.indexOf('\r\n\r\n') + 2
    return first < 2 || last < 2
      ? bytes
      : splice(bytes, at % 2 === 0 ? first : last, 0, Buffer.from(`${text}\r\n`, 'latin1'))
  }

const replaced =
  (from: string | RegExp, to: string): Spoil =>
  (bytes) =>
    Buffer.from(
      bytes.toString('latin1').replace(from, () => to),
      'latin1',
    )

const ways: Spoil[] = [
  // anything anywhere
  (bytes, at) =>
    splice(bytes, at % bytes.length, 1, Buffer.of((bytes[at % bytes.length] ?? 0) ^ (1 << (at % 8)))),
  (bytes, at, odd) => splice(bytes, at % bytes.length, 0, odd),
  (bytes, at, odd) => splice(bytes, at % bytes.length, odd.length, odd),
  (bytes, at, odd) => splice(bytes, at % bytes.length, odd.length + 1, Buffer.alloc(0)),
  (bytes, at) => bytes.subarray(0, at % bytes.length),
  (bytes, at) => bytes.subarray(at % bytes.length),
  (bytes, at) => Buffer.concat([bytes, bytes.subarray(0, at % bytes.length)]),
  (bytes, _at, odd) => Buffer.concat([odd, bytes]),
  // the frame
  replaced('HTTP/1.1', 'HTTP/1.0'),
  replaced('HTTP/1.1', 'HTTP/2.0'),
  replaced(' HTTP/1.1', ''),
  replaced(/^\w+/, 'CONNECT'),
  replaced(/^\w+/, 'HEAD'),
  replaced(/^\w+/, 'x'.repeat(300)),
  replaced('\r\n', '\n'),
  replaced('\r\n\r\n', '\r\r'),
  replaced(/host: .*?\r\n/, ''),
  replaced(': ', ' : '),
  replaced('/api', 'http://elsewhere.example/api'),
  replaced('/api', `/${long}`),
  // how long the body is
  header('Content-Length: 5'),
  header('Content-Length: -1'),
  header('Content-Length: 99999999999999999999'),
  header('Content-Length: 0x10'),
  header('Transfer-Encoding: chunked'),
  header('Transfer-Encoding: identity, chunked'),
  header('Transfer-Encoding: x'),
  header('Expect: 100-continue'),
  header('Expect: a miracle'),
  header('Connection: upgrade\r\nUpgrade: websocket'),
  header('Trailer: Host'),
  // what headers hold
  header(`X-Long: ${long}`),
  header('X: y\r\n'.repeat(2000).trimEnd()),
  header('No colon'),
  header(': no name'),
  header('X-A: a\0b'),
  header(' folded: x'),
  header('Host: a\r\nHost: b'),
  header('Authorization: Bearer x'),
  header('Content-Type: application/json; charset=\xff'),
]

export type RawSpoiling = { way: number; at: number; odd: Uint8Array; twice: boolean }

export const rawSpoilings = (count: number, seed: number): RawSpoiling[] =>
  fc.sample(
    fc.record({
      way: fc.nat(ways.length - 1),
      at: fc.nat(),
      odd: fc.uint8Array({ minLength: 1, maxLength: 40 }),
      twice: fc.boolean(),
    }),
    { numRuns: count, seed },
  )

export function spoiltBytes(request: Buffer, { way, at, odd, twice }: RawSpoiling): Buffer {
  const bytes = Buffer.from(odd)
  const once = ways[way]!(request, at, bytes)
  return twice && once.length > 0 ? ways[(way + at) % ways.length]!(once, at, bytes) : once
}
