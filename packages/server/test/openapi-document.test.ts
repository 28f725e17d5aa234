import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'

// oxlint-disable-next-line typescript/no-explicit-any
type Document = any
type Judge = (document: Document) => Promise<boolean>

const text = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
const fresh = (): Document => JSON.parse(text)

/** The OpenAPI 3.1 schema with the dialect of its own, by Hyperjump's engine: looks into every schema too. */
const byHyperjump: Judge = async (document) =>
  (await validate('https://spec.openapis.org/oas/3.1/schema-base', document)).valid

/** The OpenAPI 3.1 schema by Ajv, and every reference followed. */
const bySeriousme: Judge = async (document) => {
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
const both = { byHyperjump, bySeriousme }

/** What is done to the document, and who must refuse it then. */
const spoilt: Record<string, [(document: Document) => unknown, Partial<typeof both>]> = {
  'of a version that is none': [(d) => (d.openapi = '3.1'), both],
  'without info': [(d) => delete d.info, both],
  'without a title': [(d) => delete d.info.title, both],
  'with a path that begins with no slash': [(d) => (d.paths['applications'] = {}), both],
  'with a method that is none': [(d) => (d.paths['/applications'].fetch = list(d)), both],
  'with a parameter without a name': [(d) => delete list(d).parameters[0].name, both],
  'with a parameter in a place that is none': [(d) => (list(d).parameters[0].in = 'body'), both],
  'with a parameter in the path that may be left out': [
    (d) => (d.paths['/applications/{application_id}'].get.parameters[0].required = false),
    both,
  ],
  'with a status that is none': [(d) => (list(d).responses['2000'] = list(d).responses['200']), both],
  'with an answer without a description': [(d) => delete list(d).responses['200'].description, both],
  'with a schema of a type that is none': [
    (d) => (d.components.schemas.Error.properties.message.type = 'text'),
    { byHyperjump },
  ],
  'with required fields that are no list': [
    (d) => (d.components.schemas.Error.required = 'message'),
    { byHyperjump },
  ],
  'with a length below zero': [
    (d) => (d.components.schemas.Error.properties.message.maxLength = -1),
    { byHyperjump },
  ],
  'with a reference to nothing': [
    (d) => (list(d).responses['401'] = { $ref: '#/components/responses/Nothing' }),
    { bySeriousme },
  ],
}

for (const [name, judge] of Object.entries(both)) {
  test(`openapi.json, judged ${name}, is valid`, async () => assert.equal(await judge(fresh()), true))
}

for (const [how, [spoil, judges]] of Object.entries(spoilt)) {
  test(`openapi.json ${how}, refused`, async () => {
    for (const [name, judge] of Object.entries(judges)) {
      const document = fresh()
      spoil(document)
      assert.notDeepEqual(document, fresh())
      assert.equal(await judge(document), false, name)
    }
  })
}

test('openapi.json, every operation has an id of its own and names exactly the parameters of its path', () => {
  const ids = new Set<string>()
  for (const [path, methods] of Object.entries<Document>(fresh().paths)) {
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

// OpenAPI 3.1 section 4.8.8.1, and the router refuses to start
test('openapi.json, one place in a path, one name of its parameter', () => {
  const spellings = Object.groupBy(Object.keys(fresh().paths), (path) => path.replaceAll(/\{\w+\}/g, '{}'))
  assert.deepEqual(
    Object.values(spellings).filter((paths) => (paths ?? []).length > 1),
    [],
  )
})

test('openapi.json, a text that a list takes, says what it is matched with', () => {
  const taken = Object.entries<Document>(fresh().paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter(({ in: place, schema }: Document) => place === 'query' && schema.type === 'string')
      .map((one: Document) => ({ where: `${path}?${one.name}`, ...one })),
  )
  assert.deepEqual(
    taken.filter(({ description = '' }) => description === '').map(({ where }) => where),
    [],
  )
  assert.ok(taken.length > 20)
})
