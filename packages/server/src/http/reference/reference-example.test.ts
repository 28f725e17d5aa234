import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookEvents } from '../../features/webhooks/webhook-events.ts'
import { routes } from '../../routes.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { requireValid } from '../endpoint/validation.ts'
import { openApiDocument } from './openapi.ts'
import { curlExample, type Schema } from './reference-example.ts'

const { components } = openApiDocument(routes, webhookEvents, '1.0.0') as {
  components: { schemas: Record<string, Schema> }
}
const resolve = (schema: Schema): Schema => components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema

for (const [name, { method, path, scope, body }] of Object.entries<Endpoint>(routes)) {
  if (body === undefined) continue
  test(`generates a valid example request body for ${name}`, () => {
    const example = curlExample(
      { method: method.toLowerCase(), path, isPublic: scope === 'public', body },
      resolve,
    )
    const [, json = ''] = /-d '(.*)'$/s.exec(example) ?? []
    requireValid(body, JSON.parse(json.replaceAll("'\\''", "'")), 'body')
  })
}

test('replaces path parameters with shell variables in curl examples', () => {
  const request = { method: 'get', path: '/applications/{application_id}', isPublic: false, body: undefined }
  assert.equal(
    curlExample(request, resolve),
    'curl "$API/applications/$APPLICATION_ID" \\\n  -H "Authorization: Bearer $KEY"',
  )
})
