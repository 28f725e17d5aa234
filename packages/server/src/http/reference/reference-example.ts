/** The parts of a JSON Schema that the reference shows. */
export type Schema = {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: string | number | boolean
  pattern?: string
  default?: string | number | boolean
  examples?: unknown[]
  additionalProperties?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export type ExampleRequest = {
  method: string
  path: string
  isPublic: boolean
  body: Schema | undefined
}

type Resolve = (schema: Schema) => Schema

/** Returns a curl command in which path parameters are shell variables and the body contains the required fields. */
export function curlExample({ method, path, isPublic, body }: ExampleRequest, resolve: Resolve): string {
  const url = withVariables(path)
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$API${url}"`]
  if (!isPublic) lines.push('-H "Authorization: Bearer $KEY"')
  if (body !== undefined)
    lines.push(
      "-H 'Content-Type: application/json'",
      `-d ${quote(JSON.stringify(bodyExample(resolve(body), resolve)))}`,
    )
  return lines.join(' \\\n  ')
}

/** Returns a path in which path parameters are shell variables. */
export const withVariables = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)

/** Quotes text for the shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Returns the schema's example or, if it has none, an example with the required fields. If no field is required, the
 * example contains the first field, because a PATCH needs at least one field.
 */
export function bodyExample(schema: Schema, resolve: Resolve): unknown {
  const { properties = {}, required = [], examples } = schema
  if (examples !== undefined) return examples[0]
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(names.map((name) => [name, valueExample(name, properties[name] ?? {}, resolve)]))
}

function valueExample(name: string, schemaOrRef: Schema, resolve: Resolve): unknown {
  const schema = resolve(schemaOrRef)
  const { examples, const: constant, default: byDefault, enum: values, anyOf, type, items, minimum } = schema
  const known = [examples?.[0], constant, byDefault, values?.[0]].find((value) => value !== undefined)
  if (known !== undefined) return known
  const alternative = anyOf?.find((option) => option.type !== 'null')
  if (alternative !== undefined) return valueExample(name, alternative, resolve)
  if (type === 'object') return bodyExample(schema, resolve)
  if (type === 'array') return [valueExample(name.replace(/s$/, ''), items ?? {}, resolve)]
  if (type === 'integer' || type === 'number') return Math.max(1, minimum ?? 1)
  if (type === 'boolean') return true
  return (
    byName[name] ?? (name.endsWith('_id') || name === 'id' ? `<${name}>` : `<${name.replaceAll('_', ' ')}>`)
  )
}

const byName: Readonly<Record<string, string>> = {
  name: 'Example',
  title: 'Spring release',
  email: 'ann@example.com',
  url: 'https://example.com/hook',
  filename: 'app.tar.gz',
  platform: 'linux',
  stream: 'default',
  source: 'cli-upload',
  label: 'beta',
  scope: 'builds:read',
  architecture: 'x64',
  password: 'a long password',
}
