import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { expandScopes, workspaceScopes, type KeyKind } from '../../http/endpoint/scopes.ts'
import type { Clock } from '../../lib/clock.ts'
import { touchApiKey } from './api-key.db.ts'
import { hashKey, isWellFormedKey } from './api-key.ts'
import { createKeyLookup } from './key-lookup.ts'

type Options = { db: Db; clock: Clock; log: Logger; workspaceId: string; bootstrapKey: string | undefined }

// Every node must reject a revoked key within one second. Half of that second is reserved for requests in progress.
const cacheMs = 500
const lastUsedIntervalMs = 60_000
const maxCachedKeys = 10_000

/** Creates a function that resolves a bearer token to the caller, or to undefined if the token is not a valid key. */
export function createAuthenticate({ db, clock, log, workspaceId, bootstrapKey }: Options) {
  const cache = new Map<string, { actor: Promise<Actor | undefined>; untilMs: number }>()
  const findKey = createKeyLookup({ db, clock })
  const recordUse = createUseRecorder({ db, log })
  const bootstrapHash = bootstrapKey === undefined ? undefined : hashKey(bootstrapKey)
  const bootstrapActor = bootstrapActorOf(workspaceId)

  async function lookUp(sha256: Buffer, nowMs: number): Promise<Actor | undefined> {
    const row = await findKey(sha256)
    if (row === undefined) return undefined
    recordUse(row.id, nowMs)
    const kind = row.kind as KeyKind
    return {
      via: 'api-key',
      kind,
      id: row.id,
      name: row.name,
      workspaceId: row.workspace_id,
      applicationIds: row.application_id === null ? null : new Set([row.application_id]),
      scopes: expandScopes(kind, row.scopes),
      expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
      grantsUntil: row.grants_until === null ? null : new Date(row.grants_until),
      userId: row.user_id,
      canGrantOwner: row.user_id === null || row.creator_role === 'owner',
      session: null,
    }
  }

  return async (bearer: string): Promise<Actor | undefined> => {
    const sha256 = hashKey(bearer)
    if (bootstrapHash !== undefined && timingSafeEqual(sha256, bootstrapHash)) return bootstrapActor
    if (!isWellFormedKey(bearer)) return undefined
    // Uses the monotonic clock, because setting the wall clock back would extend the lifetime of the cache entries.
    const nowMs = clock.monotonicMs()
    const id = sha256.toString('base64')
    let entry = cache.get(id)
    if (entry === undefined || entry.untilMs <= nowMs) {
      // Concurrent requests with the same key share one database query.
      entry = { actor: lookUp(sha256, nowMs), untilMs: nowMs + cacheMs }
      if (cache.size >= maxCachedKeys) cache.clear()
      cache.set(id, entry)
    }
    try {
      const actor = await entry.actor
      if (actor === undefined) cache.delete(id)
      const expiresAt = actor?.expiresAt ?? null
      return expiresAt !== null && expiresAt <= clock.now() ? undefined : actor
    } catch (error) {
      cache.delete(id)
      throw error
    }
  }
}

const bootstrapActorOf = (workspaceId: string): Actor => ({
  via: 'bootstrap-key',
  kind: 'workspace',
  id: null,
  name: 'Bootstrap key',
  workspaceId,
  applicationIds: null,
  scopes: new Set(workspaceScopes),
  expiresAt: null,
  grantsUntil: null,
  userId: null,
  canGrantOwner: true,
  session: null,
})

/** Creates a function that records the use of a key at most once a minute, without delaying the request. */
function createUseRecorder({ db, log }: Pick<Options, 'db' | 'log'>) {
  const lastRecorded = new Map<string, number>()
  return (id: string, nowMs: number): void => {
    if (nowMs - (lastRecorded.get(id) ?? -Infinity) < lastUsedIntervalMs) return
    if (lastRecorded.size >= maxCachedKeys) lastRecorded.clear()
    lastRecorded.set(id, nowMs)
    touchApiKey(db, id).catch((error: unknown) => {
      lastRecorded.delete(id)
      log.warn({ err: error }, 'could not record the use of an API key')
    })
  }
}
