import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { expandScopes, workspaceScopes, type KeyKind } from '../../http/scopes.ts'
import type { Clock } from '../../lib/clock.ts'
import { findValidKey, updateApiKeyLastUsed } from './api-key.db.ts'
import { hashKey, isWellFormedKey } from './api-key.ts'

type Options = { db: Db; clock: Clock; log: Logger; workspaceId: string; bootstrapKey: string | undefined }

// A revoked key is refused within one second on every node: half of it is left to the way of the answers.
const rememberMs = 500
const lastUsedEveryMs = 60_000
const mostRemembered = 10_000

/** Turns a bearer value into who calls; undefined for anything that is no valid key. */
export function createAuthenticate({ db, clock, log, workspaceId, bootstrapKey }: Options) {
  const remembered = new Map<string, { found: Promise<Actor | undefined>; until: number }>()
  const lastNoted = new Map<string, number>()
  const bootstrapHash = bootstrapKey === undefined ? undefined : hashKey(bootstrapKey)
  const bootstrapActor: Actor = {
    via: 'bootstrap-key',
    kind: 'workspace',
    keyId: null,
    name: 'Bootstrap key',
    workspaceId,
    applicationId: null,
    scopes: new Set(workspaceScopes),
    expiresAt: null,
  }

  function noteUse(id: string, now: number): void {
    if (now - (lastNoted.get(id) ?? 0) < lastUsedEveryMs) return
    if (lastNoted.size >= mostRemembered) lastNoted.clear()
    lastNoted.set(id, now)
    updateApiKeyLastUsed(db, id).catch((error: unknown) => {
      lastNoted.delete(id)
      log.warn({ err: error }, 'could not note the use of a key')
    })
  }

  async function lookUp(sha256: Buffer, now: number): Promise<Actor | undefined> {
    const row = await findValidKey(db, sha256)
    if (row === undefined) return undefined
    noteUse(row.id, now)
    const kind = row.kind as KeyKind
    return {
      via: 'api-key',
      kind,
      keyId: row.id,
      name: row.name,
      workspaceId: row.workspace_id,
      applicationId: row.application_id,
      scopes: expandScopes(kind, row.scopes),
      expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    }
  }

  return async (bearer: string): Promise<Actor | undefined> => {
    const sha256 = hashKey(bearer)
    if (bootstrapHash !== undefined && timingSafeEqual(sha256, bootstrapHash)) return bootstrapActor
    if (!isWellFormedKey(bearer)) return undefined
    const now = clock.now().getTime()
    const id = sha256.toString('base64')
    let entry = remembered.get(id)
    if (entry === undefined || entry.until <= now) {
      // thousands that come at once with one key ask the database once
      entry = { found: lookUp(sha256, now), until: now + rememberMs }
      if (remembered.size >= mostRemembered) remembered.clear()
      remembered.set(id, entry)
    }
    try {
      const found = await entry.found
      if (found === undefined) remembered.delete(id)
      const end = found?.expiresAt ?? null
      return end !== null && end <= clock.now() ? undefined : found
    } catch (error) {
      remembered.delete(id)
      throw error
    }
  }
}
