import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import {
  acceptsIdempotencyKey,
  idempotencyKeyFrom,
  runIdempotent,
  type ApiResponse,
} from '../idempotency/idempotency.ts'
import { parseJsonBody } from '../wire/body.ts'
import { callOf } from '../wire/call.ts'
import type { Callers } from './callers.ts'
import { csvResponse } from './csv-response.ts'
import type { Endpoint } from './endpoint.ts'
import { eventStreamResponse } from './event-stream.ts'
import { fileResponse } from './file-response.ts'
import { responseText } from './json.ts'
import { normalizeBody, normalizeQuery } from './normalize.ts'
import { reportIgnoredKeys, requireNoMisspelledKeys } from './query-keys.ts'
import { redirectHeaders } from './redirect.ts'
import { requireValid, schemaErrors, throwIfAny, withoutInvalid } from './validation.ts'

/**
 * Handles a request to an endpoint. Resources in the path are loaded before fields are validated, so that a request for
 * another tenant's resource always returns 404.
 */
export async function handleRequest(
  endpoint: Endpoint,
  deps: Deps,
  request: FastifyRequest,
  { callers, setCookie }: { callers: Callers; setCookie: (header: string) => void },
): Promise<ApiResponse> {
  const idempotencyKey = acceptsIdempotencyKey(endpoint)
    ? idempotencyKeyFrom(request.headers['idempotency-key'])
    : undefined
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const parsed = endpoint.method === 'GET' ? {} : parseJsonBody(raw, request.headers['content-type'])
  const call = {
    ...callOf(deps, request),
    lastEventId: request.headers['last-event-id']?.toString(),
    findAccessState: () => callers.findAccessState(request, endpoint.scope),
    setCookie,
  }
  const sentQuery = (request.query ?? {}) as Record<string, unknown>
  const query = normalizeQuery(endpoint.query ?? {}, sentQuery)
  const queryErrors = endpoint.query === undefined ? {} : schemaErrors(endpoint.query, query, 'query')
  const loaded = await endpoint.load?.({ ...call, query: withoutInvalid(query, queryErrors) } as never)
  const ignoredKeys = requireNoMisspelledKeys(endpoint.query, sentQuery)
  throwIfAny(queryErrors, 'query')
  const isLenient = endpoint.lenient === true
  const body = endpoint.body === undefined ? parsed : normalizeBody(endpoint.body, parsed, { isLenient })
  if (endpoint.body !== undefined && endpoint.check === undefined) requireValid(endpoint.body, body, 'body')
  const input = { ...call, query, body, ...(loaded as object | undefined) }
  const prepare = endpoint.prepare && (async () => endpoint.prepare?.(input as never))
  const respond = (db: Db, prepared: unknown) =>
    callEndpoint(endpoint, { ...input, db, ...(prepared as object | undefined) }, ignoredKeys)
  const { actor } = request
  // Upload requests are not limited, because they lock only the rows of their own upload and clients send many of them
  // in parallel.
  const limit = <T>(work: () => Promise<T>): Promise<T> =>
    actor === null || endpoint.method === 'GET' || endpoint.budget === 'uploads'
      ? work()
      : callers.limitWrites(actor, work)
  if (idempotencyKey === undefined || actor === null) {
    const prepared = await prepare?.()
    return limit(() => respond(deps.db, prepared))
  }
  const { method, url } = request
  const sent = endpoint.body === undefined ? null : body
  return runIdempotent(deps, idempotencyKey, { actor, method, url, body: sent }, { prepare, limit, respond })
}

async function callEndpoint(
  endpoint: Endpoint,
  call: { body: unknown; query: unknown; db: Db; isHead: boolean },
  ignoredKeys: string[],
): Promise<ApiResponse> {
  const found = await runCheck(endpoint, call)
  const result = await endpoint.handle({ ...call, ...found } as never)
  if (endpoint.serves !== undefined) return fileResponse(result)
  if (endpoint.streams !== undefined) return eventStreamResponse(result as Readable | null)
  if (endpoint.exports !== undefined) return csvResponse(result, call)
  const { status = 200 } = endpoint
  return {
    status,
    text: responseText(reportIgnoredKeys(endpoint, result, ignoredKeys)),
    ...(status === 302 ? { headers: redirectHeaders(endpoint, result) } : {}),
  }
}

/**
 * Throws one Problem with the errors from both the schema and the endpoint's own check. Returns what the check found.
 */
async function runCheck({ body: schema, check }: Endpoint, call: { body: unknown }): Promise<object> {
  if (schema === undefined || check === undefined) return {}
  const errors = schemaErrors(schema, call.body, 'body')
  if (typeof call.body !== 'object' || call.body === null) throwIfAny(errors, 'body')
  const checked = await check({ ...call, body: withoutInvalid(call.body, errors) } as never)
  throwIfAny({ ...checked.errors, ...errors }, 'body')
  return checked.found as object
}
