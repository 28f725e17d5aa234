import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'

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
