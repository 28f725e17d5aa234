/** The part of JSON Schema 2020-12 that the generator supports. */
export type Schema =
  | boolean
  | {
      $ref?: string
      type?: string | string[]
      const?: unknown
      enum?: unknown[]
      anyOf?: Schema[]
      oneOf?: Schema[]
      allOf?: Schema[]
      properties?: Record<string, Schema>
      required?: string[]
      additionalProperties?: Schema
      patternProperties?: Record<string, Schema>
      items?: Schema | Schema[]
      prefixItems?: Schema[]
      description?: string
    }

type ObjectSchema = Exclude<Schema, boolean>

export const refPrefix = '#/components/schemas/'

/** Returns the type name of a component: `build-file` and `build_file` become `BuildFile`. */
export function typeName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[0-9]/.test(joined) ? `_${joined}` : joined
}

/** Converts a schema to a TypeScript type. Throws if a reference points outside the components. */
export function schemaType(schema: Schema | undefined): string {
  if (schema === undefined || schema === true) return 'unknown'
  if (schema === false) return 'never'
  if (schema.$ref !== undefined) return reference(schema.$ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const parts: string[] = []
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) parts.push(union(alternatives.map(schemaType)))
  if (schema.allOf) parts.push(...schema.allOf.map(schemaType))
  if (parts.length === 0 || schema.properties) parts.push(byType(schema))
  return intersection(parts)
}

function byType(schema: ObjectSchema): string {
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => byType({ ...schema, type })))
  const { type = schema.properties ? 'object' : '' } = schema
  if (type === 'array') return arrayType(schema)
  if (type === 'object') return objectType(schema)
  return scalars[type] ?? 'unknown'
}

const scalars: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function arrayType(schema: ObjectSchema): string {
  const tuple = schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined)
  if (tuple) return `[${tuple.map(schemaType).join(', ')}]`
  return `Array<${schemaType(schema.items as Schema | undefined)}>`
}

function objectType(schema: ObjectSchema): string {
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    return `${docComment(field)}${key}${required.has(name) ? '' : '?'}: ${schemaType(field)}`
  })
  const open = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})].filter(
    (value): value is Exclude<Schema, boolean> => typeof value === 'object',
  )
  const parts: string[] = []
  if (fields.length > 0) parts.push(`{ ${fields.join('; ')} }`)
  if (open.length > 0) parts.push(`{ [key: string]: ${union(open.map(schemaType))} }`)
  if (parts.length > 0) return intersection(parts)
  return schema.additionalProperties === false ? 'Record<string, never>' : '{ [key: string]: unknown }'
}

function docComment(schema: Schema): string {
  const text = typeof schema === 'object' ? schema.description : undefined
  return text ? `\n/** ${oneLine(text)} */\n` : ''
}

/** Converts text to a form that is safe in a one-line doc comment. */
export function oneLine(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()
}

function reference(ref: string): string {
  if (!ref.startsWith(refPrefix)) throw new Error(`unresolved reference ${ref}`)
  return typeName(decodeURIComponent(ref.slice(refPrefix.length)))
}

function union(types: string[]): string {
  const unique = [...new Set(types)]
  if (unique.includes('unknown')) return 'unknown'
  return unique.length === 1 ? unique.join('') : `(${unique.join(' | ')})`
}

function intersection(types: string[]): string {
  const unique = [...new Set(types)]
  return unique.length === 1 ? unique.join('') : `(${unique.join(' & ')})`
}
