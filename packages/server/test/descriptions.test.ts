import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../src/http/endpoint.ts'
import { routes } from '../src/routes.ts'
import { startService, type Service } from './harness.ts'
import { fillPath, idsOf, sampleBody, type Schema } from './sample.ts'
import { createPlace, type Place } from './world.ts'

let service: Service
let place: Place
before(async () => {
  service = await startService()
  place = await createPlace(service)
})
after(() => service.close())

const describing: [string, Endpoint][] = Object.entries(routes).filter(
  ([, { body }]) => 'description' in ((body as Schema | undefined)?.properties ?? {}),
)

test('a description, wherever one can be given, is null where it says nothing', async () => {
  for (const [name, endpoint] of describing)
    for (const [given, kept] of [
      [' some words ', 'some words'],
      ['', null],
      [' \n', null],
      [null, null],
    ]) {
      const body = {
        ...(sampleBody(place, endpoint) as object),
        ...(endpoint.method === 'POST' ? { name: `${name} ${JSON.stringify(given)}` } : {}),
        description: given,
      }
      const path = fillPath(endpoint, idsOf(place, endpoint))
      const answer = await service.call(endpoint.method, path, { key: place.workspaceKey, body })
      assert.ok(answer.status < 300, `${name}: ${answer.text}`)
      assert.equal(answer.body.data.description, kept, `${name} ${JSON.stringify(given)}`)
    }
  assert.ok(describing.length >= 18, `${describing.length}`)
})
