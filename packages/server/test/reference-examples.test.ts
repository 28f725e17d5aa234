import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { curlExample, type Schema } from '../src/http/reference/reference-example.ts'
import { routes } from '../src/routes.ts'
import { startService, type Service } from './harness.ts'
import { fillPath, idFor, idsOf, needsOtherServer } from './sample.ts'
import { createFixture, type Fixture } from './world.ts'

let service: Service
let fixture: Fixture

before(async () => {
  service = await startService()
  fixture = await createFixture(service)
})
after(() => service.close())

/** Returns the example body from the API reference, with placeholders replaced by existing IDs. */
function exampleBody(endpoint: Endpoint): unknown {
  const { method, path } = endpoint
  const body = endpoint.body as Schema
  const text = curlExample({ method: method.toLowerCase(), path, isPublic: false, body }, (schema) => schema)
  const json = /-d '(.*)'$/s.exec(text)?.[1] ?? ''
  return JSON.parse(json.replaceAll("'\\''", "'"), (_, value: unknown) => {
    const name = typeof value === 'string' ? /^<(\w+)>$/.exec(value)?.[1] : undefined
    if (name?.endsWith('_id')) return idFor(fixture, endpoint, name)
    return fixture.texts[name ?? '']?.() ?? value
  })
}

const isAbort = ({ path }: Endpoint): boolean => path === '/upload/abort'
const withBody = Object.entries<Endpoint>(routes)
  .filter(([, { body }]) => body !== undefined)
  .filter(([, endpoint]) => !needsOtherServer(endpoint))
  // The abort request comes last, because an aborted upload accepts no further requests.
  .toSorted(([, a], [, b]) => Number(isAbort(a)) - Number(isAbort(b)))

for (const [name, endpoint] of withBody)
  test(`accepts the example request for ${name} from the API reference`, async () => {
    const path = fillPath(endpoint, idsOf(fixture, endpoint))
    const key = fixture.workspaceKey
    const body = exampleBody(endpoint)
    const { status, text } = await service.call(endpoint.method, path, { key, body })
    // The verify request may return 400, because the fixture's upload is incomplete.
    const refused = endpoint.path === '/upload/verify' ? [404, 422] : [400, 404, 422]
    assert.ok(!refused.includes(status), `${JSON.stringify(body)}\n${text}`)
  })
