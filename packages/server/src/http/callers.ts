import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { limitConcurrencyByName } from '../lib/concurrency.ts'
import type { Actor } from './actor.ts'
import { createAddressLimits } from './address-limits.ts'
import { unauthorized } from './errors.ts'
import { createRateLimits, type Budget } from './rate-limits.ts'

export type Authenticate = (bearer: string) => Promise<Actor | undefined>

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

/** Creates the functions that authenticate callers and apply their rate limits. */
export function createCallers({ config, log }: Pick<Deps, 'config' | 'log'>, authenticate: Authenticate) {
  const rateLimits = createRateLimits(config)
  const addressLimits = createAddressLimits(config, log)
  const limitWrites = limitConcurrencyByName(maxWritesPerCaller)

  async function requireActor({ headers, client }: FastifyRequest): Promise<Actor> {
    const bearer = bearerOf({ headers })
    if (bearer === undefined) throw unauthorized()
    const actor = await authenticate(bearer)
    if (actor === undefined) throw await addressLimits.refuseKey(client.network)
    return actor
  }

  return {
    /** Authenticates the caller and counts the call against the key's rate limit. Throws 401 or 429. */
    async admit(request: FastifyRequest, reply: FastifyReply, budget: Budget = 'requests'): Promise<Actor> {
      const actor = await requireActor(request)
      const { application_id: applicationId } = request.params as { application_id?: string }
      const { headers, problem } = rateLimits.charge(actor, budget, applicationId)
      reply.headers(headers)
      if (problem !== undefined) throw problem
      return actor
    },
    /** Returns whether the key of an earlier request is still valid. */
    async isKeyValid(request: FastifyRequest): Promise<boolean> {
      const bearer = bearerOf(request)
      return bearer !== undefined && (await authenticate(bearer)) !== undefined
    },
    /**
     * Runs a write once the caller has fewer than four other writes in progress. A caller with many parallel writes
     * therefore delays only itself and not every request that needs a database connection.
     */
    limitWrites: <T>({ keyId, workspaceId }: Actor, work: () => Promise<T>): Promise<T> =>
      limitWrites(keyId ?? `bootstrap ${workspaceId}`, work),
    /** Counts a call without a key against the rate limit of its address. Throws 429 if the limit is exceeded. */
    admitPublic(request: FastifyRequest, reply: FastifyReply): void {
      const { headers, problem } = addressLimits.chargePublic(request.client.network)
      reply.headers(headers)
      if (problem !== undefined) throw problem
    },
  }
}
