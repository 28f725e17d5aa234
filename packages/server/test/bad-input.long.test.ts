import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { maxBodyBytes, maxPublicBodyBytes } from '../src/http/wire/body.ts'
import { routes } from '../src/routes.ts'
import { everyNth, isFullSize, someOf } from './acceptance/full-size.ts'
import { badJson, badQueries, badSegments } from './bad-values.ts'
import { fieldsOf, isWrongType, withFields } from './fields.ts'
import { startService, type Service } from './harness.ts'
import {
  deletesParent,
  fillPath,
  idFields,
  idsOf,
  needsOtherServer,
  pathNames,
  sampleBody,
  type Schema,
} from './sample.ts'
import { createFixture, type Fixture } from './world.ts'

const runs = Number(process.env['FC_RUNS'] ?? (isFullSize ? 5 : 2))
const badValues = badJson.map((json) => ({ json, value: JSON.parse(json) as unknown }))
const agent = new Agent({ keepAlive: true, maxSockets: 4 })
const anyJson = fc.json({ depthSize: 'large' })
const anyWrongValue = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.integer().map(String),
  fc.double(),
  fc.constantFrom(...badValues.filter(({ json }) => json.length < 5000).map(({ value }) => value)),
)
const anyQueryValue = fc.string({ unit: 'grapheme' })
let service: Service
let shared: Fixture

before(async () => {
  service = await startService()
  shared = await createFixture(service)
})
after(async () => {
  agent.destroy()
  await service.close()
})

type RawResponse = { status: number; type: string; text: string }

/** Sends one request with this path and body unchanged. */
function call(fixture: Fixture, endpoint: Endpoint, path: string, body?: string): Promise<RawResponse> {
  const { port } = service
  const needsSession = endpoint.scope !== 'public' && endpoint.scope.session === 'required'
  const headers = {
    ...(needsSession
      ? { cookie: fixture.ownerSession, origin: service.url }
      : { authorization: `Bearer ${fixture.workspaceKey}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: `/api/v1${path}`,
      method: endpoint.method,
      headers,
      agent,
      timeout: 10_000,
    }
    const sent = request(options, (response) => {
      let text = ''
      const { statusCode: status = 0 } = response
      const type = response.headers['content-type'] ?? ''
      response.on('error', reject)
      if (type === 'text/event-stream') {
        resolve({ status, type, text })
        // The stream never ends by itself.
        sent.destroy()
        return
      }
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status, type, text }))
    })
    sent.on('timeout', () => sent.destroy(new Error('no response within 10 s')))
    sent.on('error', reject)
    sent.end(body)
  })
}

const allowedStatuses = new Set([200, 201, 202, 302, 400, 404, 409, 410, 422])
const internals =
  /node_modules|\.ts:\d|syntax error at|violates|duplicate key|invalid input syntax|is out of range for/

/** Asserts the properties that every response must have, regardless of the input. */
function assertValid(
  { refuses = [] }: Endpoint,
  { status, type, text }: RawResponse,
  sent: string,
): { status: number; errors: Record<string, string[]> } {
  const context = `${status} ${text.slice(0, 300)} to ${sent.slice(0, 300)}`
  // Some endpoints limit how often valid values are sent.
  const isRefusal = status < 500 && refuses.some((problem) => problem.status === status)
  assert.ok(isRefusal || allowedStatuses.has(status), context)
  if (type.startsWith('image/') || type === 'text/event-stream' || type.startsWith('text/csv'))
    return { status, errors: {} }
  const body = JSON.parse(text) as { message?: unknown; errors?: Record<string, string[]> }
  assert.ok(typeof body.message === 'string' && body.message !== '', context)
  assert.ok(status < 400 || !internals.test(text), context)
  if (status !== 422) return { status, errors: {} }
  const entries = Object.entries(body.errors ?? {})
  assert.ok(entries.length > 0, context)
  for (const [, texts] of entries)
    assert.ok(texts.length > 0 && texts.every((line) => typeof line === 'string'), context)
  return { status, errors: body.errors ?? {} }
}

/** Returns whether the errors name this field, a field inside it, or a field that contains it. */
function names(errors: Record<string, string[]>, field: string): boolean {
  return Object.keys(errors).some(
    (key) => key === field || key.startsWith(`${field}.`) || field.startsWith(`${key}.`),
  )
}

const endpoints: [string, Endpoint][] = Object.entries(routes)

/**
 * Returns a subset of the values, because many endpoints have the same parameters. Returns all values if FC_RUNS is at
 * least 100.
 */
function shareOf<T>(values: readonly T[], shares: number, turn: number): readonly T[] {
  return runs >= 100 ? values : everyNth(values, isFullSize ? shares : 3 * shares, turn)
}

function isDecodable(segment: string): boolean {
  try {
    return decodeURIComponent(segment) !== ''
  } catch {
    return false
  }
}

const fixtures = new Map<string, Promise<Fixture>>()

/**
 * Returns the fixture for an endpoint. All GET endpoints share one, each endpoint that aborts or deletes resources that
 * others need gets its own, and up to ten of the other endpoints share one.
 */
function fixtureFor(index: number, endpoint: Endpoint): Promise<Fixture> {
  if (endpoint.method === 'GET') return Promise.resolve(shared)
  const isOwn = deletesParent(endpoint) || endpoint.path.endsWith('abort')
  const name = isOwn ? `${index}` : `few ${Math.floor(index / 10)}`
  const fixture = fixtures.get(name) ?? createFixture(service)
  fixtures.set(name, fixture)
  return fixture
}

for (const [number, [name, endpoint]] of endpoints.entries()) {
  const fixtureOf = () => fixtureFor(number, endpoint)
  const pathIn = (fixture: Fixture) => fillPath(endpoint, idsOf(fixture, endpoint))
  const send = async (fixture: Fixture, path: string, body?: string, sent = body ?? path) =>
    assertValid(endpoint, await call(fixture, endpoint, path, body), sent)
  const bodySchema = endpoint.body as Schema | undefined

  for (const [index, param] of pathNames(endpoint).entries()) {
    // Other tests in this file may have created a resource with the value as its name.
    const mayBeName = param.endsWith('_identifier') || param === 'platform'
    const outcome = mayBeName ? 'returns no 5xx' : 'returns 400 or 404'
    test(`${name} ${outcome} for invalid values of ${param} in the path`, async () => {
      const fixture = await fixtureOf()
      for (const segment of shareOf(badSegments, 8, index + number)) {
        const path = endpoint.path.replace(`:${param}`, () => segment)
        const filled = fillPath({ ...endpoint, path: path as `/${string}` }, idsOf(fixture, endpoint))
        const { status } = await send(fixture, filled)
        assert.ok(status === (isDecodable(segment) ? 404 : 400) || mayBeName, `${status} ${filled}`)
      }
    })
  }

  for (const [field, schema] of Object.entries((endpoint.query ?? {}).properties ?? {}) as [
    string,
    Schema,
  ][]) {
    test(`${name} returns no 5xx for any value of the query parameter ${field} and names the parameter in each 422`, async () => {
      const fixture = await fixtureOf()
      for (const text of shareOf(badQueries(field), 6, number)) {
        const { status, errors } = await send(fixture, `${pathIn(fixture)}?${text}`)
        if (status === 422) assert.ok(names(errors, field), `${text}: ${Object.keys(errors).join()}`)
        const isNumber = /^[+-]?\d+(\.0)?$/.test(text.slice(field.length + 1))
        const isAbsent = text === field || text === `${field}=` || text.startsWith(`${field}[`)
        if (schema.type === 'integer' && !isNumber && !isAbsent) assert.equal(status, 422, text)
        if (text.endsWith(`&${field}=b`)) assert.equal(status, 422, text)
      }
    })
  }

  const fields = fieldsOf(bodySchema)
  const isLenient = endpoint.lenient === true
  const maxBytes = endpoint.scope === 'public' ? maxPublicBodyBytes : maxBodyBytes
  const isTooLarge = (json: string) => Buffer.byteLength(json) > maxBytes

  if (fields.length > 0) {
    test(`${name} returns a 422 that names every body field with a value of the wrong type`, async () => {
      const fixture = await fixtureOf()
      for (const { json, value } of someOf(badValues, 4, number)) {
        if (isTooLarge(json)) continue
        const wrong = fields.filter(
          (field) => field.path.length === 1 && isWrongType(field, value, isLenient),
        )
        const paths = wrong.map(({ path }) => path)
        const maxFields = Math.max(1, Math.floor((maxBytes - 10_000) / Buffer.byteLength(json)))
        while (paths.length > 0) {
          const some = paths.splice(0, maxFields)
          const text = withFields(sampleBody(fixture, endpoint), bodySchema!, some, json)
          const { status, errors } = await send(fixture, pathIn(fixture), text, json)
          assert.equal(status, 422, `${status} ${json.slice(0, 100)}`)
          for (const [path] of some) assert.ok(names(errors, path!), `${path} = ${json.slice(0, 100)}`)
        }
      }
    })
  }

  // Other fields of these sample bodies are invalid; custom-store-input.test.ts sends valid ones.
  for (const [index, field] of needsOtherServer(endpoint) ? [] : fields.entries()) {
    const dotted = field.path.join('.')
    test(`${name} returns no 5xx for any value of the body field ${dotted} and names the field in each 422`, async () => {
      const fixture = await fixtureOf()
      const validBody = sampleBody(fixture, endpoint, [...idFields(endpoint), field.path[0]!])
      for (const { json, value } of shareOf(badValues, 4, index + number)) {
        const isWrong = isWrongType(field, value, isLenient)
        // The previous test covers all of these fields in one request.
        if (isWrong && field.path.length === 1) continue
        const body = withFields(validBody, bodySchema!, [field.path], json)
        const { status, errors } = await send(fixture, pathIn(fixture), body, `${dotted} = ${json}`)
        const context = `${dotted} = ${json.slice(0, 100)}: ${status} ${JSON.stringify(errors)}`
        if (status === 422) assert.ok(names(errors, dotted), context)
        if (isWrong) assert.equal(status, 422, context)
      }
    })
  }

  if (endpoint.method !== 'GET') {
    test(`${name} returns no 5xx for any request body`, async () => {
      const fixture = await fixtureOf()
      // Endpoints without a body schema only parse the body.
      for (const json of shareOf(badJson, bodySchema === undefined ? 8 : 2, number)) {
        const response = await call(fixture, endpoint, pathIn(fixture), json)
        if (isTooLarge(json)) assert.equal(response.status, 413)
        else assertValid(endpoint, response, json)
      }
      await fc.assert(
        fc.asyncProperty(anyJson, async (json) => {
          await send(fixture, pathIn(fixture), json)
        }),
        { numRuns: runs },
      )
    })
  }

  test(`${name} returns no 5xx for any combination of valid and invalid values`, async () => {
    const fixture = await fixtureOf()
    const queryNames = Object.keys(endpoint.query?.properties ?? {})
    const topFields = fields.filter(({ path }) => path.length === 1)
    const mixture = fc.record({
      query: fc.dictionary(fc.constantFrom('x', ...queryNames), anyQueryValue, {
        maxKeys: 4,
      }),
      body: fc.dictionary(fc.constantFrom('x', ...topFields.map(({ path }) => path[0]!)), anyWrongValue, {
        maxKeys: 4,
      }),
    })
    const isGet = endpoint.method === 'GET'
    await fc.assert(
      fc.asyncProperty(mixture, async ({ query, body }) => {
        const path = `${pathIn(fixture)}?${new URLSearchParams(query).toString()}`
        const all = { ...(sampleBody(fixture, endpoint) as object | undefined), ...body }
        const json = JSON.stringify(all)
        await send(fixture, path, isGet ? undefined : json, `${path} ${json}`)
      }),
      { numRuns: runs },
    )
  })
}

test('stays ready after invalid input and does not pollute Object.prototype', async () => {
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)
})
