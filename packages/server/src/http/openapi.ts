import { createHash } from 'node:crypto'
import type { TSchema } from 'typebox'
import { isConditional } from './conditional.ts'
import type { Endpoint } from './endpoint.ts'
import { takesIdempotencyKey } from './idempotency.ts'
import { headerRefs, headers, onEveryAnswer } from './openapi-headers.ts'
import { guide, guideText } from './reference-guide.ts'

type Json = Record<string, unknown>

const errorSchema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string', description: 'What happened and what to do next.' },
    code: { type: 'string', description: 'noun.reason, stable' },
    request_id: { type: 'string' },
    errors: {
      type: 'object',
      description: 'Texts for each wrong field, by its dotted path.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
}

const errorAnswers = {
  400: 'The call cannot be done; the message says why.',
  401: 'Missing or invalid: the API key, or what is sent in its place.',
  403: 'Not allowed; the message names the scope that the key lacks, or what else speaks against it.',
  404: 'Not there, or not visible to this key.',
  409: 'It conflicts with what is there; the message says with what.',
  410: 'It has expired or was taken back.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  422: 'A field is wrong; `errors` says which and why.',
  429: 'Too many at once; try again after `Retry-After` seconds. `RateLimit` says what is left.',
  503: 'A dependency is down; try again after `Retry-After` seconds.',
}

/** The OpenAPI 3.1 document of the endpoints: nothing in it is written twice. */
export function openApiDocument(endpoints: Readonly<Record<string, Endpoint>>, version: string): Json {
  const components: Json = { Error: errorSchema }
  const paths: Record<string, Json> = {}
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operation(operationId, endpoint, components),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quayside',
      version,
      summary: 'Build distribution: upload builds, organise them, get them to people and machines.',
      description: guideText(guide),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      responses: Object.fromEntries(
        Object.entries(errorAnswers).map(([status, description]) => [
          `Error${status}`,
          {
            description,
            headers: errorHeaders(Number(status)),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
      headers,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A workspace key or an application key.' },
      },
    },
  }
}

const errorHeaders = (status: number) =>
  headerRefs(
    ...onEveryAnswer,
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...([429, 503].includes(status) ? (['Retry-After'] as const) : []),
  )

function operation(operationId: string, endpoint: Endpoint, components: Json): Json {
  const { summary, description, scope, body, status = 200, refuses = [] } = endpoint
  const isWrite = endpoint.method !== 'GET'
  const statuses = [
    400,
    429,
    503,
    ...(scope === 'public' ? [] : [401, 403]),
    ...refuses,
    ...(endpoint.visible || body || endpoint.path.includes(':') ? [404] : []),
    ...(isWrite ? [409, 413, 415] : []),
    ...(body || endpoint.query || takesIdempotencyKey(endpoint) ? [422] : []),
  ]
  if (/^\/upload|\/restore$/.test(endpoint.path) || scope === 'public') statuses.push(410)
  const failures = [...new Set(statuses)].toSorted((a, b) => a - b)
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(endpoint.path)],
    ...(scope === 'public' ? { security: [] } : {}),
    'x-scope':
      scope === 'public'
        ? 'public'
        : {
            workspace: scope.workspace,
            application: scope.application === undefined ? false : scope.application,
          },
    parameters: [
      ...parameters('path', endpoint.params, components),
      ...parameters('query', endpoint.query, components),
      ...(isConditional(endpoint) ? [ifNoneMatch] : []),
      ...(takesIdempotencyKey(endpoint) ? [idempotencyKey] : []),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: hoist(body, components) } },
          },
        }),
    responses: {
      [status]: {
        description: status === 302 ? 'Where the file is, for this one call.' : 'Success.',
        headers: headerRefs(
          ...onEveryAnswer,
          ...(isConditional(endpoint) ? (['ETag'] as const) : []),
          ...(takesIdempotencyKey(endpoint) ? (['Idempotency-Replayed'] as const) : []),
          ...(status === 302 ? (['Location'] as const) : []),
        ),
        content: contentOf(endpoint, components),
      },
      ...(isConditional(endpoint)
        ? {
            304: {
              description: 'Unchanged since the answer with this ETag.',
              headers: headerRefs(...onEveryAnswer, 'ETag'),
            },
          }
        : {}),
      ...Object.fromEntries(failures.map((code) => [code, { $ref: `#/components/responses/Error${code}` }])),
    },
  }
}

function contentOf({ serves, returns }: Endpoint, components: Json): Json {
  if (serves === undefined) return { 'application/json': { schema: hoist(returns, components) } }
  // OpenAPI 3.1 section 4.8.14.1: raw bytes need no schema
  return Object.fromEntries(serves.map((type) => [type, {}]))
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETag of an earlier answer: 304 without a body while nothing has changed.',
  schema: { type: 'string' },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of your own. The same key and request within 24 hours give the first answer again (`Idempotency-Replayed: true`) and create nothing more; another request with it is 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

// last parts of paths that say what is done to the noun before them, or name a single part of it
const aspects = new Set(
  'accept bulk custom-domain download downloads file grants icon logo promote redeliver remove requests restore retention-preview stream test verify'.split(
    ' ',
  ),
)

/** The noun: the last fixed part of the path that names things. */
function tagOf(path: string): string {
  const nouns = path.split('/').filter((part) => part !== '' && !part.startsWith(':'))
  if (nouns[0] === 'upload') return 'upload'
  if (nouns[0] === 'auth') return 'trusted publishers'
  return (nouns.findLast((noun) => !aspects.has(noun)) ?? 'api').replaceAll('-', ' ')
}

function parameters(place: 'path' | 'query', schema: TSchema | undefined, components: Json): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = hoist(property, components)
    const isRequired = place === 'path' || required.includes(name)
    return {
      name,
      in: place,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

/** A plain copy of the schema in which everything with a title has moved to the components. */
function hoist(schema: unknown, components: Json): Json {
  const plain = copy(schema, components) as Json
  const { title } = plain
  if (typeof title !== 'string') return plain
  const known = components[title]
  if (known !== undefined && digest(known) !== digest(plain))
    throw new Error(`two schemas are named ${title}`)
  components[title] = plain
  return { $ref: `#/components/schemas/${title}` }
}

function copy(value: unknown, components: Json): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isSchema(item) ? hoist(item, components) : copy(item, components)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'patternMessage')
      .map(([key, item]) => [key, isSchema(item) ? hoist(item, components) : copy(item, components)]),
  )
}

const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Json)['title'] === 'string'

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
