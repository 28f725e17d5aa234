import { METHODS } from 'node:http'
import fc from 'fast-check'
import type { Endpoint } from '../src/http/endpoint.ts'
import { badJson, badQueries, badSegments } from './bad-values.ts'
import { fieldsOf, withFields } from './fields.ts'
import { fillPath, idsOf, pathNames, sampleBody, type Schema } from './sample.ts'
import type { Place } from './world.ts'

export type Sent = {
  method: string
  /** As it goes over the wire, query included. */
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** A right request, and what of it can be made wrong. */
export type Target = {
  name: string
  good: Sent
  segments: string[]
  queryNames: string[]
  endpoint?: Endpoint
  place: Place
}

const json = { 'content-type': 'application/json' }

export function endpointTarget(name: string, endpoint: Endpoint, place: Place): Target {
  const ids = idsOf(place, endpoint)
  const authorization = `Bearer ${place.workspaceKey}`
  const path = `/api/v1${fillPath(endpoint, ids)}`
  const isRead = endpoint.method === 'GET'
  const good: Sent = {
    method: endpoint.method,
    path,
    headers: { authorization, ...(isRead ? {} : json) },
    ...(isRead ? {} : { body: JSON.stringify(sampleBody(place, endpoint) ?? {}) }),
  }
  const queryNames = ['x', ...Object.keys(endpoint.query?.properties ?? {})]
  const segments = pathNames(endpoint).map((one) => encodeURIComponent(ids[one]!))
  return { name, good, segments, queryNames, endpoint, place }
}

/** A signed URL of storage, for a PUT or a GET. */
export function storageTarget(
  { method, url, headers }: { method: string; url: string; headers: Record<string, string> },
  place: Place,
): Target {
  const { pathname, search, searchParams } = new URL(url)
  const body = method === 'PUT' ? { body: 'x'.repeat(Number(headers['Content-Length'] ?? 10)) } : {}
  const rest = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== 'Content-Length'))
  const good = { method, path: `${pathname}${search}`, headers: rest, ...body }
  const segments = pathname.split('/').slice(2)
  return { name: `storage ${method}`, good, segments, queryNames: [...searchParams.keys()], place }
}

const oddHeaders: [name: string, values: string[]][] = [
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

const change = {
  segment: fc.record({ at: fc.nat(), text: fc.constantFrom(...badSegments) }),
  query: fc.record({
    at: fc.nat(),
    form: fc.nat(),
    value: fc.string({ unit: 'binary' }),
    isOdd: fc.boolean(),
  }),
  field: fc.record({ at: fc.nat(), value: fc.constantFrom(...badJson) }),
  body: fc.oneof(
    fc.constantFrom(...badJson),
    fc.json({ depthSize: 'large' }),
    fc.uint8Array({ maxLength: 300 }),
    fc.record({ cutAt: fc.nat(200) }),
  ),
  header: fc.record({ at: fc.nat(), value: fc.nat() }),
  method: fc.constantFrom(
    ...METHODS.filter((method) => !['CONNECT', 'QUERY'].includes(method)),
    'get',
    'FROB',
  ),
  path: fc.constantFrom('/', '//', '/..', '/%2e%2e/', ';x=1', '%00', '%', '?', '#', '/x', '%2F', 'é'),
}

export type Spoiling = { [K in keyof typeof change]: { how: K; with: unknown } }[keyof typeof change]

/** Ways to spoil a request, the same ones for the same seed. */
export function spoilings(count: number, seed: number): Spoiling[] {
  const ways = Object.entries(change).map(([how, arbitrary]) =>
    (arbitrary as fc.Arbitrary<unknown>).map((value) => ({ how, with: value }) as Spoiling),
  )
  return fc.sample(fc.oneof(...ways), { numRuns: count, seed })
}

const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)]

export function spoilt(
  { good, segments, queryNames, endpoint, place }: Target,
  { how, with: by }: Spoiling,
): Sent {
  switch (how) {
    case 'segment': {
      const { at, text } = by as { at: number; text: string }
      const segment = pick(segments, at)
      const path = segment === undefined ? `${good.path}/${text}` : good.path.replace(segment, () => text)
      return { ...good, path }
    }
    case 'query': {
      const { at, form, value, isOdd } = by as { at: number; form: number; value: string; isOdd: boolean }
      const name = pick(queryNames, at) ?? 'x'
      const odd = isOdd
        ? pick(badQueries(name), form)!
        : `${name}=${encodeURIComponent(value.toWellFormed())}`
      const [path = '', given = ''] = good.path.split('?')
      const rest = given.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`))
      return { ...good, path: `${path}?${[...rest, odd].join('&')}` }
    }
    case 'field': {
      const { at, value } = by as { at: number; value: string }
      const schema = endpoint?.body as Schema | undefined
      const field = pick(fieldsOf(schema), at)
      if (schema === undefined || field === undefined)
        return { ...good, headers: { ...good.headers, ...json }, body: value }
      return { ...good, body: withFields(sampleBody(place, endpoint!), schema, [field.path], value) }
    }
    case 'body': {
      const { cutAt } = by as { cutAt?: number }
      const whole = typeof good.body === 'string' ? good.body : ''
      const body = cutAt === undefined ? (by as string | Uint8Array) : whole.slice(0, cutAt)
      return { ...good, headers: { ...json, ...good.headers }, body }
    }
    case 'header': {
      const { at, value } = by as { at: number; value: number }
      const [name, values] = pick(oddHeaders, at)!
      return { ...good, headers: { ...good.headers, [name]: pick(values, value)! } }
    }
    case 'method':
      return { ...good, method: by as string }
    case 'path':
    default:
      return { ...good, path: `${good.path}${by as string}` }
  }
}
