import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Endpoint } from '../src/http/endpoint.ts'
import { routes } from '../src/routes.ts'
import { badJson, badQueries, badSegments } from './bad-values.ts'
import { fieldsOf, isWrongType, withFields } from './fields.ts'
import { startService, type Service } from './harness.ts'
import { fillPath, idFields, idsOf, pathNames, sampleBody, type Schema } from './sample.ts'
import { createPlace, type Place } from './world.ts'

const runs = Number(process.env['FC_RUNS'] ?? 10)
const agent = new Agent({ keepAlive: true, maxSockets: 4 })
let service: Service
let shared: Place

before(async () => {
  service = await startService()
  shared = await createPlace(service)
})
after(async () => {
  agent.destroy()
  await service.close()
})

type Raw = { status: number; type: string; text: string }

/** One request with the path and the body as they are given. */
function ask(place: Place, endpoint: Endpoint, path: string, body?: string | Uint8Array): Promise<Raw> {
  const { port } = service
  const headers = {
    authorization: `Bearer ${place.workspaceKey}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const options = { port, path: `/api/v1${path}`, method: endpoint.method, headers, agent, timeout: 10_000 }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }),
      )
      response.on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in 10 s')))
    sent.on('error', reject)
    sent.end(body)
  })
}

const fine = new Set([200, 201, 302, 400, 404, 409, 410, 422])
const insides =
  /node_modules|\.ts:\d|syntax error at|violates|duplicate key|invalid input syntax|is out of range for/

/** What every answer to whatever input must be. */
function judge(
  { status, type, text }: Raw,
  sent: string,
): { status: number; errors: Record<string, string[]> } {
  const about = `${status} ${text.slice(0, 300)} to ${sent.slice(0, 300)}`
  assert.ok(fine.has(status), about)
  if (type.startsWith('image/')) return { status, errors: {} }
  const body = JSON.parse(text) as { message?: unknown; errors?: Record<string, string[]> }
  assert.ok(typeof body.message === 'string' && body.message !== '', about)
  assert.ok(status < 400 || !insides.test(text), about)
  if (status !== 422) return { status, errors: {} }
  const entries = Object.entries(body.errors ?? {})
  assert.ok(entries.length > 0, about)
  for (const [, texts] of entries)
    assert.ok(texts.length > 0 && texts.every((each) => typeof each === 'string'), about)
  return { status, errors: body.errors ?? {} }
}

/** The errors speak of this field, of one inside it, or of the one that holds it. */
function names(errors: Record<string, string[]>, field: string): boolean {
  return Object.keys(errors).some(
    (key) => key === field || key.startsWith(`${field}.`) || field.startsWith(`${key}.`),
  )
}

const endpoints: [string, Endpoint][] = Object.entries(routes)

/** The same names and ids stand in many endpoints: each takes a share of the forms, all of them with FC_RUNS=100. */
function shareOf<T>(forms: readonly T[], shares: number, turn: number): readonly T[] {
  return runs >= 100 ? forms : forms.filter((_, index) => index % shares === turn % shares)
}

const places = new Map<string, Promise<Place>>()

/** Calls that change something spend what they are given: a place for a few of them, for a DELETE one of its own. */
function placeFor(index: number, { method, path }: Endpoint): Promise<Place> {
  if (method === 'GET') return Promise.resolve(shared)
  const name = method === 'DELETE' || path.endsWith('abort') ? `${index}` : `few ${Math.floor(index / 10)}`
  const place = places.get(name) ?? createPlace(service)
  places.set(name, place)
  return place
}

for (const [number, [name, endpoint]] of endpoints.entries()) {
  const placeOf = () => placeFor(number, endpoint)
  const pathIn = (place: Place) => fillPath(endpoint, idsOf(place, endpoint))
  const bodySchema = endpoint.body as Schema | undefined

  for (const [index, param] of pathNames(endpoint).entries()) {
    test(`${name}, ${param} of any form in the path, 404 or 400`, async () => {
      const place = await placeOf()
      for (const segment of shareOf(badSegments, 4, index + number)) {
        const path = endpoint.path.replace(`:${param}`, () => segment)
        const filled = fillPath({ ...endpoint, path: path as `/${string}` }, idsOf(place, endpoint))
        const { status } = judge(await ask(place, endpoint, filled), filled)
        // other tests here may have given a thing that name
        const mayBeName = param.endsWith('_identifier') || param === 'platform'
        assert.ok([400, 404].includes(status) || mayBeName, `${status} ${filled}`)
      }
    })
  }

  for (const [field, schema] of Object.entries((endpoint.query ?? {}).properties ?? {}) as [
    string,
    Schema,
  ][]) {
    test(`${name}, the query's ${field} of any form, fine or a 422 that names it`, async () => {
      const place = await placeOf()
      for (const text of shareOf(badQueries(field), 3, number)) {
        const { status, errors } = judge(await ask(place, endpoint, `${pathIn(place)}?${text}`), text)
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

  if (fields.length > 0) {
    test(`${name}, fields of the body of a wrong type, a 422 names each of them`, async () => {
      const place = await placeOf()
      for (const json of badJson) {
        const wrong = fields.filter((field) => field.path.length === 1 && isWrongType(field, json, isLenient))
        const paths = wrong.map(({ path }) => path)
        const most = Math.floor(900_000 / json.length)
        while (paths.length > 0) {
          const some = paths.splice(0, most)
          const text = withFields(sampleBody(place, endpoint), bodySchema!, some, json)
          const { status, errors } = judge(await ask(place, endpoint, pathIn(place), text), json)
          assert.equal(status, 422, `${status} ${json.slice(0, 100)}`)
          for (const [path] of some) assert.ok(names(errors, path!), `${path} = ${json.slice(0, 100)}`)
        }
      }
    })
  }

  for (const [index, field] of fields.entries()) {
    const dotted = field.path.join('.')
    test(`${name}, the body's ${dotted} of any form, fine or a 4xx; a 422 names it`, async () => {
      const place = await placeOf()
      const good = sampleBody(place, endpoint, [...idFields(endpoint), field.path[0]!])
      for (const json of shareOf(badJson, 2, index + number)) {
        const isWrong = isWrongType(field, json, isLenient)
        // the test above has had these all at once
        if (isWrong && field.path.length === 1) continue
        const body = withFields(good, bodySchema!, [field.path], json)
        const { status, errors } = judge(
          await ask(place, endpoint, pathIn(place), body),
          `${dotted} = ${json}`,
        )
        const about = `${dotted} = ${json.slice(0, 100)}: ${status} ${JSON.stringify(errors)}`
        if (status === 422) assert.ok(names(errors, dotted), about)
        if (isWrong) assert.equal(status, 422, about)
      }
    })
  }

  if (endpoint.method !== 'GET') {
    test(`${name}, anything as the body, fine or a 4xx`, async () => {
      const place = await placeOf()
      for (const json of badJson) judge(await ask(place, endpoint, pathIn(place), json), json)
      await fc.assert(
        fc.asyncProperty(fc.json({ depthSize: 'large' }), async (json) => {
          judge(await ask(place, endpoint, pathIn(place), json), json)
        }),
        { numRuns: runs },
      )
    })
  }

  test(`${name}, right and wrong values in any mixture, fine or a 4xx`, async () => {
    const place = await placeOf()
    const wrong = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.integer().map(String),
      fc.double(),
      fc
        .constantFrom(...badJson.filter(({ length }) => length < 5000))
        .map((json) => JSON.parse(json) as unknown),
    )
    const queryNames = Object.keys(endpoint.query?.properties ?? {})
    const topFields = fields.filter(({ path }) => path.length === 1)
    const mixture = fc.record({
      query: fc.dictionary(fc.constantFrom('x', ...queryNames), fc.string({ unit: 'grapheme' }), {
        maxKeys: 4,
      }),
      body: fc.dictionary(fc.constantFrom('x', ...topFields.map(({ path }) => path[0]!)), wrong, {
        maxKeys: 4,
      }),
    })
    const isGet = endpoint.method === 'GET'
    await fc.assert(
      fc.asyncProperty(mixture, async ({ query, body }) => {
        const path = `${pathIn(place)}?${new URLSearchParams(query).toString()}`
        const all = { ...(sampleBody(place, endpoint) as object | undefined), ...body }
        const json = JSON.stringify(all)
        judge(
          await (isGet ? ask(place, endpoint, path) : ask(place, endpoint, path, json)),
          `${path} ${json}`,
        )
      }),
      { numRuns: runs },
    )
  })
}

test('after all of it, the service is ready and nobody has got a key into Object.prototype', async () => {
  const answer = await fetch(`${service.url}/readyz`)
  assert.equal(answer.status, 200)
  assert.equal(({} as { polluted?: unknown }).polluted, undefined)
})
