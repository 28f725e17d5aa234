import { createHash } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { ProblemDefinition } from '../../lib/problem.ts'
import { isConditional } from '../endpoint/conditional.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { eventStreamContent, lastEventId } from '../endpoint/event-stream.ts'
import { internalKeywords } from '../endpoint/fields.ts'
import { isFileRedirect } from '../endpoint/redirect.ts'
import { acceptsIdempotencyKey } from '../idempotency/idempotency.ts'
import { implicitProblems } from './implicit-problems.ts'
import { headerRefs, headers, ifNoneMatch, onEveryResponse, optionalHeader } from './openapi-headers.ts'
import { tagsOf } from './openapi-tags.ts'
import { webhookPaths, type WebhookEvent } from './openapi-webhooks.ts'
import { guide, guideText } from './reference-guide.ts'

type Json = Record<string, unknown>

const errorSchema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string', description: 'What went wrong and how to fix it.' },
    code: { type: 'string', description: 'Stable error code of the form `noun.reason`.' },
    request_id: { type: 'string' },
    errors: {
      type: 'object',
      description: 'Messages for each invalid field, by dotted path.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
}

const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'The request cannot be processed; the message says why.',
  401: 'The API key, session or other credential is missing or invalid.',
  403: 'Not allowed; the message names the missing scope or gives another reason.',
  404: 'The resource does not exist, or the caller cannot access it.',
  406: 'The client does not accept the content type of the response.',
  408: 'The body did not arrive in time. It must arrive within 30 seconds and at 1 kB per second or faster.',
  409: 'The request conflicts with the current state of the resource; the message explains the conflict.',
  410: 'The resource has expired, was revoked or is no longer available.',
  413: 'The body is larger than 1 MiB, or than 32 KiB for an endpoint that needs no key.',
  415: 'The body is not JSON.',
  422: 'A field is invalid; `errors` lists the invalid fields.',
  429: 'Too many requests; try again after `Retry-After` seconds. `RateLimit` reports the remaining budget.',
  503: 'A dependency is unavailable or the server is busy; try again after `Retry-After` seconds.',
  507: 'A disk of the server is full.',
}

/** Generates the OpenAPI 3.1 document from the endpoints and the events that are sent to webhooks. */
export function openApiDocument(
  endpoints: Readonly<Record<string, Endpoint>>,
  events: Readonly<Record<string, WebhookEvent>>,
  version: string,
): Json {
  const components: Json = { Error: errorSchema }
  const paths: Record<string, Json> = {}
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operation(operationId, endpoint, components),
    }
  }
  const implicit = Object.values(endpoints).flatMap(implicitProblems)
  const webhooks = webhookPaths(events, (schema) => hoist(schema, components))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quayside',
      version,
      summary: 'Build distribution: upload builds, organize them and deliver them to people and machines.',
      description: guideText(guide),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: tagsOf(Object.values(endpoints).map(({ path }) => tagOf(path))),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      responses: Object.fromEntries(
        Object.keys(errorDescriptions).map((status) => [
          `Error${status}`,
          errorComponent(Number(status), implicit),
        ]),
      ),
      headers,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A workspace key or an application key.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'quayside.session_token',
          description:
            'The session cookie of a user who signed in to the console. With HTTPS, the name starts with `__Host-`.',
        },
      },
    },
  }
}

/** Returns who can use an endpoint. `x-scope` is the scope that each kind of API key needs. */
function securityOf(scope: Endpoint['scope']): Json {
  if (scope === 'public') return { security: [], 'x-scope': 'public' }
  if (scope.session === 'required') return { security: [{ session: [] }], 'x-scope': 'session' }
  const { workspace, application = false } = scope
  return { 'x-scope': { workspace, application } }
}

/** Returns the response that operations without errors of their own with this status refer to. */
const errorComponent = (status: number, implicit: readonly ProblemDefinition[]) => ({
  description: describeError(status, implicit),
  headers: errorHeaders(status),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function errorResponse(status: number, endpoint: Endpoint): Json {
  const { refuses = [] } = endpoint
  const $ref = `#/components/responses/Error${status}`
  const own = refuses.filter((problem) => problem.status === status)
  if (own.length === 0) return { $ref }
  const component = errorComponent(status, [...implicitProblems(endpoint), ...refuses])
  const isTemporary = own.some(({ retryAfterSeconds }) => retryAfterSeconds !== undefined)
  if (!isTemporary || alwaysTemporary.has(status)) return { $ref, description: component.description }
  return { ...component, headers: { ...component.headers, ...optionalHeader('Retry-After') } }
}

/** Returns a sentence about the status, with the codes of those of the problems that have it. */
function describeError(status: number, problems: readonly ProblemDefinition[]): string {
  const description = errorDescriptions[status]
  if (description === undefined) throw new Error(`no description of the status ${status}`)
  const codes = new Set(problems.filter((problem) => problem.status === status).map(({ code }) => code))
  const list = [...codes].map((code) => `\`${code}\``).join(', ')
  return list === '' ? description : `${description} Codes: ${list}.`
}

const alwaysTemporary: ReadonlySet<number> = new Set([429, 503])

const errorHeaders = (status: number) =>
  headerRefs(
    ...onEveryResponse,
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(alwaysTemporary.has(status) ? (['Retry-After'] as const) : []),
  )

function operation(operationId: string, endpoint: Endpoint, components: Json): Json {
  const { summary, description, scope, body, status = 200 } = endpoint
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(endpoint.path)],
    ...securityOf(scope),
    'x-rate-limit': scope === 'public' ? 'address' : (endpoint.budget ?? 'requests'),
    parameters: [
      ...parameters('path', endpoint.params, components),
      ...parameters('query', endpoint.query, components),
      ...(hasTag(endpoint) ? [ifNoneMatch] : []),
      ...(acceptsIdempotencyKey(endpoint) ? [idempotencyKey] : []),
      ...(endpoint.streams === undefined ? [] : [lastEventId]),
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
        description: status === 302 ? 'Redirect to the file, valid for this request only.' : 'Success.',
        headers: headerRefs(
          ...onEveryResponse,
          ...(hasTag(endpoint) ? (['ETag'] as const) : []),
          ...(acceptsIdempotencyKey(endpoint) ? (['Idempotency-Replayed'] as const) : []),
          ...(status === 302 ? (['Location'] as const) : []),
          ...(endpoint.startsSession === true ? (['Set-Cookie'] as const) : []),
          ...(endpoint.streams === undefined ? [] : (['X-Accel-Buffering'] as const)),
          ...(endpoint.exports === undefined ? [] : (['Content-Disposition'] as const)),
        ),
        content: contentOf(endpoint, components),
      },
      ...(hasTag(endpoint)
        ? {
            304: {
              description: 'Not modified since the response with this ETag.',
              headers: headerRefs(...onEveryResponse, 'ETag'),
            },
          }
        : {}),
      ...Object.fromEntries(
        errorStatuses(endpoint).map((errorStatus) => [errorStatus, errorResponse(errorStatus, endpoint)]),
      ),
    },
  }
}

/** Returns the error statuses of an endpoint in ascending order. */
function errorStatuses(endpoint: Endpoint): number[] {
  const { method, path, scope, refuses = [] } = endpoint
  const statuses = [
    ...[...implicitProblems(endpoint), ...refuses].map(({ status }) => status),
    ...(method === 'GET' ? [] : [409]),
    ...(scope === 'public' || path.startsWith('/upload') ? [410] : []),
  ]
  return [...new Set(statuses)].toSorted((a, b) => a - b)
}

function contentOf({ serves, streams, exports, returns }: Endpoint, components: Json): Json {
  if (exports !== undefined) return { [exports]: { schema: { type: 'string' } } }
  if (streams !== undefined) return eventStreamContent(copy(streams, components) as Json)
  if (serves === undefined) return { 'application/json': { schema: hoist(returns, components) } }
  // Binary content may omit the schema (OpenAPI 3.1.0, "Considerations for File Uploads").
  return Object.fromEntries(serves.map((type) => [type, {}]))
}

const hasTag = (endpoint: Endpoint): boolean => isConditional(endpoint) || isFileRedirect(endpoint)

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique string chosen by the client. Repeating the same request with the same key within 24 hours returns the first response again (`Idempotency-Replayed: true`) and creates nothing; a different request with the same key fails with 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

// Path segments that name an action on, or a part of, the preceding noun.
const aspects = new Set(
  'accept approve audience badge bounce bulk count custom-domain download downloads export file grants icon logo me photo promote publish read readiness redeliver remove requests restore retention-preview schedule screenshots stream subscription test totals verify withdraw'.split(
    ' ',
  ),
)

/** Returns the tag of an endpoint, which is usually the last path segment that is a noun. */
function tagOf(path: string): string {
  const nouns = path.split('/').filter((part) => part !== '' && !part.startsWith(':'))
  if (nouns[0] === 'upload') return 'upload'
  if (nouns[0] === 'auth') return 'trusted publishers'
  return (nouns.findLast((noun) => !aspects.has(noun)) ?? 'api').replaceAll('-', ' ')
}

function parameters(location: 'path' | 'query', schema: TSchema | undefined, components: Json): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = hoist(property, components)
    return {
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

/** Copies the schema and moves every schema with a title to the components. */
function hoist(schema: unknown, components: Json): Json {
  const plain = copy(schema, components) as Json
  const { title } = plain
  if (typeof title !== 'string') return plain
  const known = components[title]
  if (known !== undefined && digest(known) !== digest(plain))
    throw new Error(`two different schemas are named ${title}`)
  components[title] = plain
  return { $ref: `#/components/schemas/${title}` }
}

function copy(value: unknown, components: Json): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isSchema(item) ? hoist(item, components) : copy(item, components)))
  if (typeof value !== 'object' || value === null) return value
  return withMap(
    Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !internalKeywords.has(key))
        .map(([key, item]) => [key, isSchema(item) ? hoist(item, components) : copy(item, components)]),
    ),
  )
}

/** TypeBox describes a map with a pattern that matches every name. Many generators understand only `additionalProperties`. */
function withMap({ patternProperties, ...schema }: Json): Json {
  if (patternProperties === undefined) return schema
  const { '^.*$': value, ...others } = patternProperties as Json
  if (value === undefined || Object.keys(others).length > 0)
    throw new Error('a map in the API must allow every name, because generators ignore patterns')
  return { ...schema, additionalProperties: value }
}

const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Json)['title'] === 'string'

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
