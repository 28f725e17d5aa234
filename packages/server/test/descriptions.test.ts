import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { routes } from '../src/routes.ts'
import { startService, type Service } from './harness.ts'
import { fillPath, idsOf, sampleBody, type Schema } from './sample.ts'
import { createFixture, type Fixture } from './world.ts'

let service: Service
let fixture: Fixture
before(async () => {
  service = await startService()
  fixture = await createFixture(service)
})
after(() => service.close())

const endpoints: [string, Endpoint][] = Object.entries(routes).filter(
  ([, { body }]) => 'description' in ((body as Schema | undefined)?.properties ?? {}),
)

test('trims descriptions and stores empty descriptions as null at every endpoint that accepts them', async () => {
  for (const [name, endpoint] of endpoints)
    for (const [input, expected] of [
      [' some words ', 'some words'],
      ['', null],
      [' \n', null],
      [null, null],
    ]) {
      const body = {
        ...(sampleBody(fixture, endpoint) as object),
        ...(endpoint.method === 'POST' ? { name: `${name} ${JSON.stringify(input)}` } : {}),
        description: input,
      }
      const path = fillPath(endpoint, idsOf(fixture, endpoint))
      const response = await service.call(endpoint.method, path, { key: fixture.workspaceKey, body })
      assert.ok(response.status < 300, `${name}: ${response.text}`)
      assert.equal(response.body.data.description, expected, `${name} ${JSON.stringify(input)}`)
    }
  assert.ok(endpoints.length >= 18, `${endpoints.length}`)
})
