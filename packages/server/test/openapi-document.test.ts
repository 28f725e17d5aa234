import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'
import { eventCatalogue, eventNames, type EventName } from '../src/events/catalogue.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Document = any
type Validate = (document: Document) => Promise<boolean>

const text = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
const parse = (): Document => JSON.parse(text)

/** Validates the document and every embedded schema against the OpenAPI 3.1 schema and dialect. */
const hyperjump: Validate = async (document) =>
  (await validate('https://spec.openapis.org/oas/3.1/schema-base', document)).valid

/** Validates the document against the OpenAPI 3.1 schema with Ajv and resolves every reference. */
const seriousme: Validate = async (document) => {
  const validator = new Validator()
  const { valid } = await validator.validate(document)
  if (!valid) return false
  try {
    validator.resolveRefs()
    return true
  } catch {
    return false
  }
}

const list = (document: Document) => document.paths['/applications'].get
const both = { hyperjump, seriousme }

/** Changes that make the document invalid, each with the validators that must reject the result. */
const corruptions: Record<string, [(document: Document) => unknown, Partial<typeof both>]> = {
  'with an invalid OpenAPI version': [(d) => (d.openapi = '3.1'), both],
  'without an info object': [(d) => delete d.info, both],
  'without a title': [(d) => delete d.info.title, both],
  'with a path that does not begin with a slash': [(d) => (d.paths['applications'] = {}), both],
  'with an unknown HTTP method': [(d) => (d.paths['/applications'].fetch = list(d)), both],
  'with an unnamed parameter': [(d) => delete list(d).parameters[0].name, both],
  'with a parameter in an unknown location': [(d) => (list(d).parameters[0].in = 'body'), both],
  'with an optional path parameter': [
    (d) => (d.paths['/applications/{application_id}'].get.parameters[0].required = false),
    both,
  ],
  'with an invalid status code': [(d) => (list(d).responses['2000'] = list(d).responses['200']), both],
  'with a response that has no description': [(d) => delete list(d).responses['200'].description, both],
  'with a schema of an unknown type': [
    (d) => (d.components.schemas.Error.properties.message.type = 'text'),
    { hyperjump },
  ],
  'with a schema whose required keyword is not an array': [
    (d) => (d.components.schemas.Error.required = 'message'),
    { hyperjump },
  ],
  'with a negative maximum length': [
    (d) => (d.components.schemas.Error.properties.message.maxLength = -1),
    { hyperjump },
  ],
  'with an unresolved reference': [
    (d) => (list(d).responses['401'] = { $ref: '#/components/responses/Nothing' }),
    { seriousme },
  ],
}

for (const [name, isValid] of Object.entries(both)) {
  test(`validates openapi.json with the ${name} validator`, async () =>
    assert.equal(await isValid(parse()), true))
}

for (const [description, [corrupt, validators]] of Object.entries(corruptions)) {
  test(`rejects an OpenAPI document ${description}`, async () => {
    for (const [name, isValid] of Object.entries(validators)) {
      const document = parse()
      corrupt(document)
      assert.notDeepEqual(document, parse())
      assert.equal(await isValid(document), false, name)
    }
  })
}

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
