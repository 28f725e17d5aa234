import { databaseProblems, outcomeUnknown, outOfSpace } from '../../database/errors.ts'
import { notFound, type ProblemDefinition } from '../../lib/problem.ts'
import { actorProblems } from '../endpoint/actor.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { streamNotAccepted } from '../endpoint/event-stream.ts'
import { invalidRequest } from '../endpoint/validation.ts'
import { acceptsIdempotencyKey, idempotencyProblems } from '../idempotency/idempotency.ts'
import { rateExceeded } from '../limits/rate-limits.ts'
import { bodyProblems } from '../wire/body.ts'
import { badUrl, malformedRequest, unauthorized } from '../wire/errors.ts'
import { crossOrigin } from '../wire/same-origin.ts'

/**
 * Returns the errors that do not depend on the operation but only on the declaration of the endpoint. An endpoint lists
 * the others in `refuses`.
 */
export function implicitProblems(endpoint: Endpoint): ProblemDefinition[] {
  const { method, path, scope, query, body, streams } = endpoint
  const isWrite = method !== 'GET'
  return [
    badUrl,
    malformedRequest,
    rateExceeded,
    ...databaseProblems,
    ...(scope === 'public' ? [] : [unauthorized, ...actorProblems, crossOrigin]),
    ...(isWrite ? [...bodyProblems, outcomeUnknown, outOfSpace] : []),
    ...(body || path.includes(':') ? [notFound] : []),
    ...(body || query ? [invalidRequest] : []),
    ...(acceptsIdempotencyKey(endpoint) ? idempotencyProblems : []),
    ...(streams === undefined ? [] : [streamNotAccepted]),
  ]
}
