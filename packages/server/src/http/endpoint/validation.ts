import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { problem, type Problem } from '../../lib/problem.ts'
import { nameError } from './fields.ts'

const maxErrorsPerField = 20

// Strict mode is off, because the schemas contain OpenAPI titles and examples. A test validates the schemas; compiling the
// metaschema would add 50 ms of CPU time to the first request.
const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  verbose: true,
  meta: false,
  validateSchema: false,
})
ajv.addKeyword({
  keyword: 'textKind',
  type: 'string',
  errors: false,
  validate: (kind: unknown, text: string) => kind !== 'name' || nameError(text) === undefined,
})
const compiled = new WeakMap<TSchema, ValidateFunction>()

function validatorOf(schema: TSchema): ValidateFunction {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  return validate
}

/** Error messages for each invalid field, keyed by dotted path. */
export type FieldErrors = Record<string, string[]>

/** Throws an `invalid` Problem unless the value matches the schema. */
export function requireValid(schema: TSchema, value: unknown, source: 'body' | 'query'): void {
  throwIfAny(schemaErrors(schema, value, source), source)
}

/** Throws an `invalid` Problem if there are errors. */
export function throwIfAny(errors: FieldErrors, source: 'body' | 'query'): void {
  if (Object.keys(errors).length === 0) return
  throw invalid(errors, source === 'body' ? 'The request body is invalid.' : 'A query parameter is invalid.')
}

/** Returns the body without its invalid fields. Array entries keep their positions. */
export function withoutInvalid(body: unknown, errors: FieldErrors): unknown {
  // Only containers of an invalid field are copied, because other parts of the body can be nested too deeply to copy.
  const copies = new Set<unknown>()
  const without = (value: unknown, [name = '', ...rest]: string[]): unknown => {
    if (!isContainer(value) || !Object.hasOwn(value, name)) return value
    const copy = copies.has(value) ? value : Array.isArray(value) ? [...value] : { ...value }
    copies.add(copy)
    Reflect.set(copy, name, rest.length === 0 ? undefined : without(value[name], rest))
    return copy
  }
  return Object.keys(errors).reduce((value, path) => without(value, path.split('.')), body)
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Returns the errors for a value that does not match the schema. */
export function schemaErrors(schema: TSchema, value: unknown, source: 'body' | 'query'): FieldErrors {
  const errors: FieldErrors = {}
  const validate = validatorOf(schema)
  if (source === 'query')
    for (const [name, parameter] of Object.entries(value as object))
      if (Array.isArray(parameter)) add(errors, name, 'must be given only once.')
  const isRepeated = ({ instancePath }: ErrorObject) => Object.hasOwn(errors, instancePath.slice(1))
  if (!validate(value))
    for (const error of relevantErrors(validate.errors ?? []))
      if (source === 'body' || !isRepeated(error)) add(errors, ...explain(error))
  addUnstorableTexts(errors, value)
  return errors
}

function addUnstorableTexts(errors: FieldErrors, value: unknown): void {
  for (const path of unstorableTexts(value)) add(errors, path, 'must not contain NUL or unpaired surrogates.')
}

/** Throws if the value contains text that PostgreSQL cannot store. */
export function requireStorableTexts(value: unknown): void {
  const errors: FieldErrors = {}
  addUnstorableTexts(errors, value)
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** Limits the number of errors per field, and drops errors about null if the same field has a more specific error. */
function relevantErrors(all: ErrorObject[]): ErrorObject[] {
  const isAboutNull = (error: ErrorObject) => isNullAlternative(error) || error.keyword === 'anyOf'
  const pathsOf = (isIncluded: (error: ErrorObject) => boolean) =>
    new Set(all.filter(isIncluded).map(({ instancePath }) => instancePath))
  const nullable = pathsOf(isNullAlternative)
  const explained = pathsOf((error) => !isAboutNull(error))
  const counts = new Map<string, number>()
  return all.filter((error) => {
    const { instancePath } = error
    if (isAboutNull(error) && nullable.has(instancePath) && explained.has(instancePath)) return false
    const [, field = ''] = instancePath.split('/', 2)
    const count = (counts.get(field) ?? 0) + 1
    counts.set(field, count)
    return field === '' || count <= maxErrorsPerField
  })
}

/** Returns whether the error belongs to the null alternative of a nullable field. */
const isNullAlternative = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'type' && params['type'] === 'null'

/** The key for errors that concern the whole body, such as a PATCH without fields. */
export const wholeBody = 'body'

/** Returns an `invalid` Problem for fields that only the operation can validate. */
export function invalid(errors: FieldErrors, message?: string): Problem {
  const [path, texts] = Object.entries(errors)[0] ?? [wholeBody, []]
  const text = texts[0] ?? 'is invalid.'
  const subject = path === wholeBody ? 'The body' : `\`${path}\``
  const first = `${subject}${/^[a-z]/.test(text) ? ' ' : ': '}${text}`
  return invalidRequest({ reason: message === undefined ? first : `${message} ${first}` }, { errors })
}

export const invalidRequest = problem('invalid', 'request.invalid', '{reason}')

function add(errors: FieldErrors, path: string, text: string): void {
  const texts = Object.hasOwn(errors, path) ? errors[path] : undefined
  if (texts === undefined) Object.defineProperty(errors, path, { value: [text], enumerable: true })
  else if (!texts.includes(text)) texts.push(text)
}

/** The error message for each keyword of a schema. `limit` is the value of the keyword. */
const messages: Record<string, (error: ErrorObject, limit: string) => string | undefined> = {
  required: () => 'is required.',
  type: ({ params }) => `must be ${typeName(params['type'])}.`,
  enum: ({ params }) => `must be one of: ${(params['allowedValues'] as unknown[]).join(', ')}.`,
  const: ({ params }) => `must be ${JSON.stringify(params['allowedValue'])}.`,
  anyOf: ({ schema }) => `must be one of: ${alternatives(schema as TSchema[])}.`,
  minimum: (_, limit) => `must be at least ${limit}.`,
  maximum: (_, limit) => `must be at most ${limit}.`,
  minLength: (_, limit) =>
    limit === '1' ? 'must not be empty.' : `must be at least ${limit} characters long.`,
  maxLength: (_, limit) => `must be at most ${limit} characters long.`,
  minItems: (_, limit) => `must contain at least ${entries(limit)}.`,
  maxItems: (_, limit) => `must contain at most ${entries(limit)}.`,
  minProperties: ({ parentSchema }) => noKnownFields(parentSchema as TSchema),
  uniqueItems: () => 'must not contain duplicate entries.',
  pattern: ({ parentSchema }) =>
    (parentSchema as { patternMessage?: string }).patternMessage ?? 'has an invalid format.',
  textKind: ({ data }) => nameError(String(data)),
}

function explain(error: ErrorObject): [path: string, text: string] {
  const { instancePath, keyword, params } = error
  const inner = instancePath.slice(1).replaceAll('/', '.')
  const path =
    keyword === 'required' ? joinPath(inner, String(params['missingProperty'])) : inner || wholeBody
  const text = messages[keyword]?.(error, String(params['limit']))
  return [path, text ?? `${error.message ?? 'is invalid'}.`]
}

const entries = (limit: string): string => (limit === '1' ? '1 entry' : `${limit} entries`)

/** Returns the error for a body that contains none of the schema's fields. */
export function noKnownFields(schema: TSchema): string {
  const fields = Object.keys((schema as { properties?: object }).properties ?? {})
  return `must contain at least one of these fields: ${fields.join(', ')}.`
}

function typeName(type: unknown): string {
  const name = Array.isArray(type) ? type.join(' or ') : String(type)
  return /^[aeiou]/.test(name) ? `an ${name}` : name === 'null' ? 'null' : `a ${name}`
}

function alternatives(schemas: TSchema[]): string {
  return schemas
    .map((s) => ('const' in s ? String(s['const']) : typeName('type' in s ? s['type'] : 'value')))
    .join(', ')
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** Yields the paths of strings that PostgreSQL cannot store. */
function* unstorableTexts(value: unknown, path = '', depth = 0): Generator<string> {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) yield path
  } else if (typeof value === 'object' && value !== null && depth < 32) {
    for (const [key, item] of Object.entries(value)) {
      if (key.includes('\0') || !key.isWellFormed()) continue
      yield* unstorableTexts(item, joinPath(path, key), depth + 1)
    }
  }
}
