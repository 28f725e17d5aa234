import { METHODS } from 'node:http'
import fc from 'fast-check'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { badQueries, badSegments } from './bad-values.ts'
import { fillPath, idsOf, sampleBody } from './sample.ts'
import type { Fixture } from './world.ts'

/** A valid request. The path is URL-encoded and includes the query string. */
export type Target = {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

export function endpointTarget(name: string, endpoint: Endpoint, fixture: Fixture): Target {
  const authorization = `Bearer ${fixture.workspaceKey}`
  const path = `/api/v1${fillPath(endpoint, idsOf(fixture, endpoint))}`
  const { method } = endpoint
  if (method === 'GET') return { name, method, path, headers: { authorization }, body: '' }
  const headers = { authorization, 'content-type': 'application/json' }
  return { name, method, path, headers, body: JSON.stringify(sampleBody(fixture, endpoint) ?? {}) }
}

/** Returns a valid request to a signed storage URL. */
export function storageTarget({ method, url, headers }: Signed): Target {
  const { pathname, search } = new URL(url)
  const body = method === 'PUT' ? 'x'.repeat(Number(headers['Content-Length'] ?? 10)) : ''
  const rest = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== 'Content-Length'))
  return { name: `storage ${method}`, method, path: `${pathname}${search}`, headers: rest, body }
}

type Signed = { method: string; url: string; headers: Record<string, string> }

export function bytesOf({ method, path, headers, body }: Target): Buffer {
  const content = Buffer.from(body)
  const all: Record<string, string> = { host: 'localhost', ...headers }
  if (content.length > 0) all['content-length'] = String(content.length)
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    content,
  ])
}

type Mutation = (request: Buffer, at: number, noise: Buffer) => Buffer

const unusualHeaders: [name: string, values: string[]][] = [
  [
    'content-type',
    [
      '',
      ' ',
      'application/json x',
      '\tapplication/json',
      'text/plain',
      'application/json;',
      'multipart/form-data',
      'x',
    ],
  ],
  [
    'authorization',
    ['', 'Bearer', 'Bearer ', 'Basic eDp5', `Bearer ${'x'.repeat(5000)}`, 'Bearer a b', 'Bearer \xff'],
  ],
  ['idempotency-key', ['', ' ', 'a b', 'x'.repeat(256), '\xe9', '"', "' or 1=1 --"]],
  ['if-none-match', ['', '*', '"', 'W/', '"a",'.repeat(2000), '\xff']],
  ['range', ['bytes=', 'bytes=-', 'bytes=9-1', 'bytes=0-0,2-3', `bytes=0-${'9'.repeat(30)}`, 'lines=1-2']],
  ['accept', ['', 'text/html', '*/*;q=x', '\xff']],
  ['host', ['', 'elsewhere.example', 'a b', '[::1', 'x'.repeat(300)]],
  ['x-forwarded-for', ['', '1.2.3.4, evil', "' or 1=1 --", 'x'.repeat(3000)]],
  ['content-encoding', ['gzip', 'br', 'identity', 'x']],
  ['user-agent', ['', '\xff'.repeat(1000), "'"]],
  ['x-amz-acl', ['', 'public-read', '\xff']],
  ['content-length', ['0', '1', '5']],
  ['cookie', ['=;=;', '\xff', 'a='.repeat(3000)]],
]

const unusualMethods = [...METHODS.filter((method) => method !== 'CONNECT'), 'get', 'FROB']
const unusualEndings = ['/', '//', '/..', '/%2e%2e/', ';x=1', '%00', '%', '?', '#', '/x', '%2F', '\xe9']

const long = 'x'.repeat(17 * 1024)
const splice = (bytes: Buffer, at: number, length: number, noise: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at + length)])

/** Adds a header line before or after the others. */
const addHeader =
  (text: string): Mutation =>
  (bytes, at) => {
    const first = bytes.indexOf('\r\n') + 2
    const last = bytes.indexOf('\r\n\r\n') + 2
    return first < 2 || last < 2
      ? bytes
      : splice(bytes, at % 2 === 0 ? first : last, 0, Buffer.from(`${text}\r\n`, 'latin1'))
  }

const replace =
  (from: string | RegExp, to: string): Mutation =>
  (bytes) =>
    Buffer.from(
      bytes.toString('latin1').replace(from, () => to),
      'latin1',
    )

const pick = <T>(all: readonly T[], at: number): T => all[at % all.length]!

/** Replaces the value of a header, or adds the header. */
const replaceHeader: Mutation = (bytes, at, noise) => {
  const [name, values] = pick(unusualHeaders, at)
  const line = `${name}: ${pick(values, noise[0] ?? 0)}`
  const text = bytes.toString('latin1')
  const present = new RegExp(`^${name}: .*$`, 'm')
  return present.test(text)
    ? replace(present, `${line}\r`)(bytes, at, noise)
    : addHeader(line)(bytes, 0, noise)
}

const replaceSegment: Mutation = (bytes, at, noise) => {
  const segments = /^\S+ \/([^ ?]*)/.exec(bytes.toString('latin1'))?.[1]?.split('/') ?? ['']
  return replace(pick(segments, at), pick(badSegments, noise[0] ?? 0))(bytes, at, noise)
}

const mutations: Mutation[] = [
  // Flipped bits, and inserted, overwritten, deleted, truncated or repeated bytes
  (bytes, at) =>
    splice(bytes, at % bytes.length, 1, Buffer.of((bytes[at % bytes.length] ?? 0) ^ (1 << (at % 8)))),
  (bytes, at, noise) => splice(bytes, at % bytes.length, 0, noise),
  (bytes, at, noise) => splice(bytes, at % bytes.length, noise.length, noise),
  (bytes, at, noise) => splice(bytes, at % bytes.length, noise.length + 1, Buffer.alloc(0)),
  (bytes, at) => bytes.subarray(0, at % bytes.length),
  (bytes, at) => bytes.subarray(at % bytes.length),
  (bytes, at) => Buffer.concat([bytes, bytes.subarray(0, at % bytes.length)]),
  (bytes, _at, noise) => Buffer.concat([noise, bytes]),
  // Request line and framing
  replace('HTTP/1.1', 'HTTP/1.0'),
  replace('HTTP/1.1', 'HTTP/2.0'),
  replace(' HTTP/1.1', ''),
  replace(/^\w+/, 'CONNECT'),
  replace(/^\w+/, 'HEAD'),
  replace(/^\w+/, 'x'.repeat(300)),
  replace('\r\n', '\n'),
  replace('\r\n\r\n', '\r\r'),
  replace(/host: .*?\r\n/, ''),
  replace(': ', ' : '),
  replace('/api', 'http://elsewhere.example/api'),
  replace('/api', `/${long}`),
  // Body length
  addHeader('Content-Length: 5'),
  addHeader('Content-Length: -1'),
  addHeader('Content-Length: 99999999999999999999'),
  addHeader('Content-Length: 0x10'),
  addHeader('Transfer-Encoding: chunked'),
  addHeader('Transfer-Encoding: identity, chunked'),
  addHeader('Transfer-Encoding: x'),
  addHeader('Expect: 100-continue'),
  addHeader('Expect: a miracle'),
  addHeader('Connection: upgrade\r\nUpgrade: websocket'),
  addHeader('Trailer: Host'),
  // Header values
  addHeader(`X-Long: ${long}`),
  addHeader('X: y\r\n'.repeat(2000).trimEnd()),
  addHeader('No colon'),
  addHeader(': no name'),
  addHeader('X-A: a\0b'),
  addHeader(' folded: x'),
  addHeader('Host: a\r\nHost: b'),
  addHeader('Authorization: Bearer x'),
  addHeader('Content-Type: application/json; charset=\xff'),
  ...Array.from({ length: 6 }, () => replaceHeader),
  // Method and path
  (bytes, at, noise) => replace(/^\w+/, pick(unusualMethods, at))(bytes, at, noise),
  (bytes, at, noise) => replace(' HTTP/', `${pick(unusualEndings, at)} HTTP/`)(bytes, at, noise),
  (bytes, at, noise) => replace(' HTTP/', `?${pick(badQueries('x'), at)} HTTP/`)(bytes, at, noise),
  // A repeated parameter in a signed URL
  (bytes, at, noise) => replace(' HTTP/', `&${pick(badQueries('X-Signature'), at)} HTTP/`)(bytes, at, noise),
  ...Array.from({ length: 4 }, () => replaceSegment),
]

export type MutationChoice = { index: number; at: number; noise: Uint8Array; twice: boolean }

export const mutationChoices = (count: number, seed: number): MutationChoice[] =>
  fc.sample(
    fc.record({
      index: fc.nat(mutations.length - 1),
      at: fc.nat(),
      noise: fc.uint8Array({ minLength: 1, maxLength: 40 }),
      twice: fc.boolean(),
    }),
    { numRuns: count, seed },
  )

export function mutate(request: Buffer, { index, at, noise, twice }: MutationChoice): Buffer {
  const bytes = Buffer.from(noise)
  const once = mutations[index]!(request, at, bytes)
  return twice && once.length > 0 ? mutations[(index + at) % mutations.length]!(once, at, bytes) : once
}
