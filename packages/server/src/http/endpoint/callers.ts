import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { limitConcurrencyByName } from '../../lib/concurrency.ts'
import { Problem } from '../../lib/problem.ts'
import { createAddressLimits } from '../limits/address-limits.ts'
import { createRateLimits, type Budget } from '../limits/rate-limits.ts'
import { unauthorized } from '../wire/errors.ts'
import { requireSameOrigin } from '../wire/same-origin.ts'
import { callerId, hasSameAccess, narrowToRequest, type Actor, type ScopeRule } from './actor.ts'

export type Authenticate = {
  /** Returns the caller to which the API key belongs, or undefined if the key is not valid. */
  key: (bearer: string) => Promise<Actor | undefined>
  /** Returns the signed-in user of the session cookie, or undefined if there is no valid session. */
  session: (headers: IncomingHttpHeaders) => Promise<Actor | undefined>
}

/** What has become of the access with which a long-lived response began. */
export type AccessState = 'unchanged' | 'changed' | 'ended'

const applicationIdOf = ({ params }: FastifyRequest): string | undefined =>
  (params as { application_id?: string }).application_id

/** Returns the caller with the access that applies to the request. Throws 403 or 404 if there is none. */
const narrow = (actor: Actor, request: FastifyRequest, scope: ScopeRule): Actor =>
  narrowToRequest(actor, scope, applicationIdOf(request))

export type Callers = ReturnType<typeof createCallers>

declare module 'fastify' {
  interface FastifyInstance {
    callers: Callers
  }
}

// Parallel writes by one caller often wait for the same row, and each occupies one of the pool's 16 connections.
const maxWritesPerCaller = 4

const bearerOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]

/** Ignores the session cookie of a request with an `Authorization` header, so that a key never gains its access. */
async function findActor(authenticate: Authenticate, request: FastifyRequest): Promise<Actor | undefined> {
  const { headers } = request
  if (headers.authorization === undefined) return authenticate.session(headers)
  const bearer = bearerOf(request)
  return bearer === undefined ? undefined : authenticate.key(bearer)
}

/** Creates the functions that authenticate callers and apply their rate limits. */
export function createCallers(
  { config, log, createCounter }: Pick<Deps, 'config' | 'log' | 'createCounter'>,
  authenticate: Authenticate,
) {
  const rateLimits = createRateLimits(config, createCounter)
  const addressLimits = createAddressLimits(config, { log, createCounter })
  const limitWrites = limitConcurrencyByName(maxWritesPerCaller)

  async function requireActor(request: FastifyRequest): Promise<Actor> {
    const actor = await findActor(authenticate, request)
    if (actor === undefined)
      // Cookies are signed, so that guesses are rejected without a query and need no limit.
      throw bearerOf(request) === undefined
        ? unauthorized()
        : await addressLimits.refuseKey(request.client.network)
    if (actor.via === 'session') requireSameOrigin(request, config.publicUrl)
    return actor
  }

  return {
    narrow,
    /**
     * Authenticates the caller and counts the call against the rate limit of the key or user. Throws 401 or 429, or 403
     * if another site could have sent the session cookie.
     */
    async admit(request: FastifyRequest, reply: FastifyReply, budget: Budget = 'requests'): Promise<Actor> {
      const actor = await requireActor(request)
      const { headers, problem } = rateLimits.charge(actor, budget, applicationIdOf(request))
      reply.headers(headers)
      if (problem !== undefined) throw problem
      return actor
    },
    /** Returns whether the key or session of an earlier request is still valid and has the same access. */
    async findAccessState(request: FastifyRequest, scope: ScopeRule | 'public'): Promise<AccessState> {
      try {
        const actor = await findActor(authenticate, request)
        if (actor === undefined || request.actor === null || scope === 'public') return 'ended'
        return hasSameAccess(narrow(actor, request, scope), request.actor) ? 'unchanged' : 'changed'
      } catch (error) {
        if (error instanceof Problem && ['forbidden', 'not_found'].includes(error.kind)) return 'ended'
        throw error
      }
    },
    /**
     * Runs a write once the caller has fewer than four other writes in progress. A caller with many parallel writes
     * therefore delays only itself and not every request that needs a database connection.
     */
    limitWrites: <T>(actor: Actor, work: () => Promise<T>): Promise<T> => limitWrites(callerId(actor), work),
    /** Counts a call with a token that is not an API key, with the limit of API keys. Throws 429 if it is exceeded. */
    admitToken(reply: FastifyReply, token: { id: string; workspaceId: string }): void {
      const caller = { via: 'api-key', id: token.id, workspaceId: token.workspaceId } as const
      const { headers, problem } = rateLimits.charge(caller, 'requests', undefined)
      reply.headers(headers)
      if (problem !== undefined) throw problem
    },
    /** Counts a call with an invalid token like one with an invalid key, and returns the error to send. */
    refuseToken: (request: FastifyRequest): Promise<Problem> =>
      addressLimits.refuseKey(request.client.network),
    /** Counts a call without a key against the rate limit of its address. Throws 429 if the limit is exceeded. */
    admitPublic(request: FastifyRequest, reply: FastifyReply): void {
      const { headers, problem } = addressLimits.chargePublic(request.client.network)
      reply.headers(headers)
      if (problem !== undefined) throw problem
    },
  }
}
