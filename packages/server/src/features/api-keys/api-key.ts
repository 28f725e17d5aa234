import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Type, type Static } from 'typebox'
import type { Actor } from '../../http/actor.ts'
import { name, Nullable, Timestamp } from '../../http/fields.ts'
import {
  applicationScopes,
  expandScopes,
  scopesOf,
  workspaceScopes,
  type KeyKind,
  type Scope,
} from '../../http/scopes.ts'
import { invalid } from '../../http/validation.ts'
import { Problem } from '../../lib/problem.ts'
import { isoMicroseconds, readTime } from '../../lib/time.ts'

const fields = {
  id: Type.String(),
  name: Type.String(),
  kind: Type.Enum(['workspace', 'application']),
  application_id: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  prefix: Type.String({ description: 'First 8 characters of the key.' }),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
}

export const ApiKey = Type.Object(fields, { title: 'ApiKey' })

export const CreatedApiKey = Type.Object(
  { ...fields, key: Type.String({ description: 'The whole key, shown this once.' }) },
  { title: 'CreatedApiKey' },
)

export const NewApiKey = Type.Object({
  name: name(100, 'What the key is for.'),
  scopes: Type.Array(Type.String({ maxLength: 50 }), {
    minItems: 1,
    maxItems: 50,
    examples: [['builds:create']],
    description: `Of workspace keys: ${workspaceScopes.join(', ')}. Of keys of one application: ${applicationScopes.join(', ')}.`,
  }),
  expires_at: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 40,
        description: 'ISO 8601, kept to the millisecond; null = with the key that makes it, or never.',
      }),
    ),
  ),
})

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 62^27 is more than 2^160
const randomLength = 27
const prefixes = { workspace: 'qsw_', application: 'qsa_' } as const

export function makeKey(kind: KeyKind): string {
  let body: string = prefixes[kind]
  for (let i = 0; i < randomLength; i++) body += base62[randomInt(62)]
  return body + checksum(body)
}

/** True for text that has the form of a key: what fails needs no look into the database. */
export function isWellFormedKey(text: string): boolean {
  return /^qs[wa]_[0-9A-Za-z]{33}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)
}

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  while (digits.length < 6) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The scopes asked for, if they exist for this kind of key and the caller may do all of it too. */
export function requireGrantable(actor: Actor, kind: KeyKind, wanted: string[]): Scope[] {
  const known = new Set<string>(scopesOf(kind))
  const errors: Record<string, string[]> = {}
  for (const [index, scope] of wanted.entries()) {
    if (!known.has(scope))
      errors[`scopes.${index}`] = [
        `"${scope}" is not a scope of ${kind} keys; those are ${[...known].join(', ')}.`,
      ]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  for (const scope of expandScopes(kind, wanted)) {
    const own = kind === 'workspace' ? scope : workspaceEquivalent(scope)
    if (!actor.scopes.has(own))
      throw new Problem('forbidden', 'scope.missing', `This action requires '${own}' scope.`)
  }
  return [...new Set(wanted)] as Scope[]
}

// What a workspace key must hold to hand out an application key's scope.
function workspaceEquivalent(scope: Scope): Scope {
  if (scope === 'members:create') return 'members:write'
  return (scope.startsWith('application:') ? scope.replace('application:', 'applications:') : scope) as Scope
}

/** Reads `expires_at`: a time to come, and none after the end of the key that asks; without one, that end. */
export function requireExpiry(text: string | null | undefined, now: Date, own: Date | null): Date | null {
  if (text === null || text === undefined) return own
  const known = readTime(text)
  if (known === undefined)
    throw invalid({ expires_at: ['must be an ISO 8601 time such as 2027-01-31T00:00:00Z.'] })
  const time = new Date(known)
  if (time <= now) throw invalid({ expires_at: ['must lie in the future.'] })
  if (own !== null && time > own)
    throw invalid({
      expires_at: [`must not lie after ${isoMicroseconds(own)}: the key that makes it ends then.`],
    })
  return time
}

export type ApiKeyRow = Static<typeof ApiKey>
