import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { Problem } from '../lib/problem.ts'

const mostErrorsOfField = 20

// Unknown fields are ignored; `strict` off because schemas carry their OpenAPI titles and examples.
const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true })
const compiled = new WeakMap<TSchema, ValidateFunction>()

function validatorOf(schema: TSchema): ValidateFunction {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  return validate
}

/** Throws a Problem `invalid` with a text for each wrong field, under its dotted path. */
export function requireValid(schema: TSchema, value: unknown, what: 'body' | 'query'): void {
  const errors: Record<string, string[]> = {}
  const validate = validatorOf(schema)
  if (what === 'query')
    for (const [name, given] of Object.entries(value as object))
      if (Array.isArray(given)) add(errors, name, 'must be given only once.')
  const isRepeated = ({ instancePath }: ErrorObject) => Object.hasOwn(errors, instancePath.slice(1))
  if (!validate(value))
    for (const error of readable(validate.errors ?? []))
      if (what === 'body' || !isRepeated(error)) add(errors, ...explain(error))
  for (const path of unstorableTexts(value))
    add(errors, path, 'must not contain NUL or half a surrogate pair.')
  if (Object.keys(errors).length === 0) return
  throw invalid(errors, what === 'body' ? 'The given data was invalid.' : 'A query parameter was invalid.')
}

/** No field has so many that the others are not seen, and none is told that null would have done as well. */
function readable(all: ErrorObject[]): ErrorObject[] {
  const counts = new Map<string, number>()
  const besideNull = new Set(all.filter(isOfNull).map(({ instancePath }) => instancePath))
  const saysMore = new Set(
    all
      .filter((error) => !isOfNull(error) && error.keyword !== 'anyOf')
      .map(({ instancePath }) => instancePath),
  )
  return all.filter((error) => {
    const { instancePath, keyword } = error
    if (
      besideNull.has(instancePath) &&
      saysMore.has(instancePath) &&
      (isOfNull(error) || keyword === 'anyOf')
    )
      return false
    const [, field = ''] = instancePath.split('/', 2)
    const count = (counts.get(field) ?? 0) + 1
    counts.set(field, count)
    return field === '' || count <= mostErrorsOfField
  })
}

/** Of the alternative null in what may be null. */
const isOfNull = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'type' && params['type'] === 'null'

/** Problem `invalid` about fields that only the operation can judge. */
export function invalid(errors: Record<string, string[]>, message?: string): Problem {
  const [path, texts] = Object.entries(errors)[0] ?? ['', []]
  const first = `${path === '' ? 'The body' : path} ${texts[0] ?? 'is invalid.'}`
  return new Problem('invalid', 'request.invalid', message === undefined ? first : `${message} ${first}`, {
    errors,
  })
}

function add(errors: Record<string, string[]>, path: string, text: string): void {
  const texts = Object.hasOwn(errors, path) ? errors[path] : undefined
  if (texts === undefined) Object.defineProperty(errors, path, { value: [text], enumerable: true })
  else if (!texts.includes(text)) texts.push(text)
}

function explain(error: ErrorObject): [path: string, text: string] {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const within = (name: string) => (path === '' ? name : `${path}.${name}`)
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return [within(String(params['missingProperty'])), 'is required.']
    case 'type':
      return [path, `must be ${typeName(params['type'])}.`]
    case 'enum':
      return [path, `must be one of: ${(params['allowedValues'] as unknown[]).join(', ')}.`]
    case 'const':
      return [path, `must be ${JSON.stringify(params['allowedValue'])}.`]
    case 'anyOf':
      return [path, `must be one of: ${alternatives(error.schema as TSchema[])}.`]
    case 'minimum':
      return [path, `must be at least ${String(params['limit'])}.`]
    case 'maximum':
      return [path, `must be at most ${String(params['limit'])}.`]
    case 'minLength':
      return [
        path,
        params['limit'] === 1
          ? 'must not be empty.'
          : `must have at least ${String(params['limit'])} characters.`,
      ]
    case 'maxLength':
      return [path, `must have at most ${String(params['limit'])} characters.`]
    case 'maxItems':
      return [path, `must have at most ${String(params['limit'])} entries.`]
    case 'minItems':
      return [path, `must have at least ${String(params['limit'])} entries.`]
    case 'minProperties':
      return [path, 'must hold at least one field to change.']
    case 'uniqueItems':
      return [path, 'must not hold an entry twice.']
    case 'pattern':
      return [
        path,
        (error.parentSchema as { patternMessage?: string }).patternMessage ?? 'has an invalid format.',
      ]
    default:
      return [path, `${error.message ?? 'is invalid'}.`]
  }
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

/** Paths of strings (keys included) that PostgreSQL cannot store as they are. */
function* unstorableTexts(value: unknown, path = '', depth = 0): Generator<string> {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) yield path
  } else if (typeof value === 'object' && value !== null && depth < 32) {
    for (const [key, item] of Object.entries(value)) {
      const inner = path === '' ? key : `${path}.${key}`
      if (key.includes('\0') || !key.isWellFormed()) continue
      yield* unstorableTexts(item, inner, depth + 1)
    }
  }
}
