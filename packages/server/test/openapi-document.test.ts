import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { eventCatalogue, eventNames, type EventName } from '../src/events/catalogue.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Document = any

const text = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
const parse = (): Document => JSON.parse(text)

test('declares a unique operationId and exactly the parameters in the path for every operation', () => {
  const ids = new Set<string>()
  for (const [path, methods] of Object.entries<Document>(parse().paths)) {
    for (const { operationId, parameters } of Object.values<Document>(methods)) {
      assert.ok(!ids.has(operationId), operationId)
      ids.add(operationId)
      const named = parameters.filter((one: Document) => one.in === 'path').map((one: Document) => one.name)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      assert.deepEqual(named.toSorted(), inPath.toSorted(), operationId)
    }
  }
  assert.ok(ids.size > 100)
})

// OpenAPI 3.1 (section 4.8.8.1) and the router both require this.
test('contains no two paths that differ only in parameter names', () => {
  const spellings = Object.groupBy(Object.keys(parse().paths), (path) => path.replaceAll(/\{\w+\}/g, '{}'))
  assert.deepEqual(
    Object.values(spellings).filter((paths) => (paths ?? []).length > 1),
    [],
  )
})

test('describes every operation and every tag', () => {
  const { paths, webhooks, tags } = parse()
  const operations = [...Object.values<Document>(paths), ...Object.values<Document>(webhooks)].flatMap(
    (methods) => Object.values<Document>(methods),
  )
  const undescribed = operations.filter(({ description = '' }) => !/^[A-Z`].{20,}[.]$/s.test(description))
  assert.deepEqual(
    undescribed.map(({ operationId }) => operationId),
    [],
  )
  const declared = new Set(tags.map(({ name }: Document) => name))
  assert.deepEqual(new Set(operations.flatMap((one) => one.tags)), declared)
  assert.ok(tags.every(({ description }: Document) => description.length > 10))
})

// Many generators ignore `patternProperties` and generate a type that allows anything.
test('describes maps with additionalProperties', () => {
  assert.ok(!text.includes('"patternProperties"'))
  const { headers } = parse().components.schemas.FileToSend.properties.presigned_data.anyOf[0].properties
  assert.deepEqual(headers.additionalProperties, { type: 'string' })
})

test('lists every event that webhooks can receive, with its payload and signature headers', () => {
  const { webhooks } = parse()
  assert.deepEqual(Object.keys(webhooks), eventNames)
  for (const [name, { post }] of Object.entries<Document>(webhooks)) {
    const { event, data } = post.requestBody.content['application/json'].schema.properties
    assert.deepEqual(event.enum ?? [event.const], [name])
    assert.deepEqual(data.required, eventCatalogue[name as EventName].carries)
    const headers = new Set(post.parameters.map((header: Document) => header.name))
    for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-webhook-signature'])
      assert.ok(headers.has(header), `${name} ${header}`)
  }
})

test('describes every string query parameter', () => {
  const filters = Object.entries<Document>(parse().paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter(({ in: location, schema }: Document) => location === 'query' && schema.type === 'string')
      .map((one: Document) => ({ where: `${path}?${one.name}`, ...one })),
  )
  assert.deepEqual(
    filters.filter(({ description = '' }) => description === '').map(({ where }) => where),
    [],
  )
  assert.ok(filters.length > 20)
})
