type Json = Record<string, unknown>
type Schema = {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}
type Parameter = { name: string; in: string; required: boolean; schema: Schema }
type Operation = {
  operationId: string
  summary: string
  tags: string[]
  'x-scope': 'public' | { workspace: string | null; application: string | null | false }
  parameters: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

/** docs/endpoints.md: every endpoint with its scope, what it takes and what it answers. */
export function endpointsPage(document: Json): string {
  const paths = document['paths'] as Record<string, Record<string, Operation>>
  const schemas = (document['components'] as { schemas: Record<string, Schema> }).schemas
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const byNoun = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? 'other')
  const sections = [...byNoun].map(([noun, here]) => {
    const rows = here.map(({ method, path, operation }) => row(method, path, operation, schemas))
    return `## ${noun}

| endpoint | scope | takes | answers |
|---|---|---|---|
${rows.join('\n')}
`
  })
  return `# Every endpoint

Made from the routes by \`npm run docs\`. Paths are below \`/api/v1\`. Scopes: workspace key / application key; "any" is any
key of that kind, "–" none. \`*\` marks what is required. The service shows the same with descriptions at \`/api/v1/docs\`.

${operations.length} endpoints: ${[...byNoun.keys()].map((noun) => `[${noun}](#${noun.replaceAll(' ', '-')})`).join(' · ')}

${sections.join('\n')}`
}

function row(method: string, path: string, operation: Operation, schemas: Record<string, Schema>): string {
  const { operationId, parameters, requestBody, responses } = operation
  const places = ['path', 'query', 'header'].flatMap((place) => {
    const given = parameters.filter((parameter) => parameter.in === place)
    return given.length === 0
      ? []
      : [
          `${place}: ${given.map(({ name, required, schema }) => field(name, schema, required && place !== 'path')).join(', ')}`,
        ]
  })
  const body = requestBody?.content['application/json'].schema
  if (body !== undefined) places.push(`body: ${fields(resolve(body, schemas))}`)
  const cells = [
    `\`${method.toUpperCase()} ${path}\`<br>${operationId}`,
    scope(operation['x-scope']),
    places.join('<br>'),
    Object.entries(responses)
      .map(([status, { content }]) => {
        const schema = content?.['application/json']?.schema
        if (schema !== undefined) return `**${status}** ${answer(schema)}`
        return content === undefined ? status : `**${status}** ${Object.keys(content).join(' / ')}`
      })
      .join(' · '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function scope(rule: Operation['x-scope']): string {
  if (rule === 'public') return 'public'
  const say = (one: string | null | false) => (one === false ? '–' : (one ?? 'any'))
  return `${say(rule.workspace)} / ${say(rule.application)}`
}

const resolve = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema

const fields = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    .map(([name, schema]) => field(name, schema, required.includes(name)))
    .join(', ')

const field = (name: string, schema: Schema, isRequired: boolean): string =>
  `\`${name}\`${isRequired ? '\\*' : ''} ${type(schema)}${limits(schema)}`

function type(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.enum !== undefined) return schema.enum.map(String).join('\u202F/\u202F')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf !== undefined) return schema.anyOf.map(type).join(' or ')
  if (schema.type === 'array') return `list of ${type(schema.items ?? {})}`
  return schema.type ?? 'any'
}

function limits(schema: Schema): string {
  const inner = schema.anyOf?.find(({ type: kind }) => kind !== 'null') ?? schema
  const range = (from: number | undefined, to: number | undefined) =>
    from === undefined && to === undefined
      ? []
      : [`${from ?? ''}…${to === Number.MAX_SAFE_INTEGER ? '' : (to ?? '')}`]
  const parts = [
    ...range(inner.minimum, inner.maximum),
    ...range(inner.minLength, inner.maxLength).map((text) => `${text} characters`),
    ...range(inner.minItems, inner.maxItems).map((text) => `${text} entries`),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** The shape of data, or the fields beside the message. */
function answer(schema: Schema): string {
  if (schema.$ref !== undefined) return type(schema)
  const { properties = {} } = schema
  const { data } = properties
  const beside = Object.keys(properties)
    .filter((name) => name !== 'data' && name !== 'message')
    .map((name) => `\`${name}\``)
  return [...(data === undefined ? [] : [`data: ${type(data)}`]), ...beside].join(', ') || 'message'
}
