import { oneLine, schemaType, typeName } from './schema-type.ts'
import type { Schema } from './schema-type.ts'

type Parameter = { name: string; in: string; required?: boolean; schema?: Schema; description?: string }
type Media = { schema?: Schema & { 'x-events'?: Record<string, Schema> } }
type Body = { required?: boolean; content?: Record<string, Media> }
type ResponseObject = { content?: Record<string, Media> }
type OperationObject = {
  operationId?: string
  summary?: string
  parameters?: (Parameter | Ref)[]
  requestBody?: Body | Ref
  responses?: Record<string, ResponseObject | Ref>
}
type Ref = { $ref: string }

export type Document = {
  servers?: { url: string }[]
  paths: Record<string, Record<string, unknown>>
  components?: Record<string, Record<string, unknown>>
}

/** The generated source of one operation: its two types and its entry in the runtime table. */
export type Operation = {
  id: string
  summary: string
  params: string
  response: string
  /** Whether the response is an event stream. */
  isStream: boolean
  /** The schemas of the successful JSON responses. */
  schemas: Schema[]
  entry: string
}

const methods = ['get', 'put', 'post', 'delete', 'patch']

/** Returns the operations in document order of their paths and, for each path, in the order of `methods`. */
export function readOperations(document: Document): Operation[] {
  const found: Operation[] = []
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method] as OperationObject | undefined
      if (operation) {
        const shared = (item['parameters'] ?? []) as (Parameter | Ref)[]
        found.push(readOperation(document, method, path, shared, operation))
      }
    }
  }
  const names = found.map((operation) => operation.id)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate) throw new Error(`operationId ${duplicate} is used twice`)
  return found
}

function readOperation(
  document: Document,
  method: string,
  path: string,
  shared: (Parameter | Ref)[],
  operation: OperationObject,
): Operation {
  const id = operation.operationId
  if (!id) throw new Error(`${method.toUpperCase()} ${path} has no operationId`)
  const parameters = [...shared, ...(operation.parameters ?? [])]
    .map((parameter) => resolve<Parameter>(document, parameter))
    .filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
  const body = operation.requestBody && resolve<Body>(document, operation.requestBody)
  const response = successResponse(document, operation)
  const query = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name)
  const pieces = [`method: '${method.toUpperCase()}'`, `path: ${quote(basePath(document) + path)}`]
  if (query.length > 0) pieces.push(`query: [${query.map(quote).join(', ')}]`)
  pieces.push(`response: '${response.kind}'`)
  return {
    id,
    summary: oneLine(operation.summary ?? ''),
    params: paramsType(id, parameters, body),
    response: response.type,
    isStream: response.kind === 'events',
    schemas: response.schemas,
    entry: `{ ${pieces.join(', ')} }`,
  }
}

function paramsType(id: string, parameters: Parameter[], body: Body | undefined): string {
  const fields = new Map<string, string>()
  for (const parameter of parameters) {
    if (parameter.name === 'body' || fields.has(parameter.name)) {
      throw new Error(`${id}: parameter ${parameter.name} conflicts with another parameter or the body`)
    }
    const optional = parameter.in === 'query' && parameter.required !== true
    const text = parameter.description ? `\n/** ${oneLine(parameter.description)} */\n` : ''
    fields.set(
      parameter.name,
      `${text}${key(parameter.name)}${optional ? '?' : ''}: ${schemaType(parameter.schema)}`,
    )
  }
  const schema = body?.content?.['application/json']?.schema
  if (schema !== undefined) {
    fields.set('body', `body${body?.required === true ? '' : '?'}: ${schemaType(schema)}`)
  }
  return fields.size === 0 ? '{}' : `{ ${[...fields.values()].join('; ')} }`
}

function successResponse(
  document: Document,
  operation: OperationObject,
): { kind: string; type: string; schemas: Schema[] } {
  const success = Object.entries(operation.responses ?? {})
    .filter(([status]) => /^(2(\d\d|XX)|302)$/.test(status))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const schemas: Schema[] = []
  const otherTypes = new Set<string>()
  for (const [, response] of success) {
    const content = resolve<ResponseObject>(document, response).content ?? {}
    const json = content['application/json']
    const events = content['text/event-stream']?.schema?.['x-events']
    if (events) return { kind: 'events', type: eventsType(events), schemas }
    if (json) schemas.push(json.schema ?? true)
    else for (const type of Object.keys(content)) otherTypes.add(type)
  }
  const kind = success.every(([status]) => status === '302') ? 'redirect' : 'json'
  const types = new Set(schemas.map(schemaType))
  if (types.size > 0) return { kind, type: [...types].join(' | '), schemas }
  if (otherTypes.size === 0) return { kind: 'none', type: 'void', schemas }
  return [...otherTypes].every((type) => type.startsWith('text/'))
    ? { kind: 'text', type: 'string', schemas }
    : { kind: 'bytes', type: 'Uint8Array', schemas }
}

/** Returns the union of the events of a stream. */
function eventsType(events: Record<string, Schema>): string {
  return Object.entries(events)
    .map(([name, schema]) => `{ event: ${quote(name)}; data: ${schemaType(schema)} }`)
    .join(' | ')
}

/** Returns the path of the first server, so that `baseUrl` needs to contain only the service's origin. */
function basePath(document: Document): string {
  const url = document.servers?.[0]?.url ?? ''
  const path = /^https?:/.test(url) ? new URL(url).pathname : url
  return path.replace(/\/+$/, '')
}

function resolve<T extends object>(document: Document, value: T | Ref): T {
  if (!('$ref' in value)) return value
  const [, kind = '', name = ''] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(value.$ref) ?? []
  const target = document.components?.[kind]?.[name]
  if (!target) throw new Error(`unresolved reference ${value.$ref}`)
  return target as T
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** Returns the name of an operation's parameter or response type. */
export function operationTypeName(id: string, part: 'Params' | 'Response' | 'Event'): string {
  return typeName(id) + part
}
