import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Type, type Static } from 'typebox'
import { scopeMissing, type Actor } from '../../http/endpoint/actor.ts'
import { name, Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import {
  applicationScopes,
  expandScopes,
  scopesOf,
  workspaceEquivalent,
  workspaceScopes,
  type KeyKind,
  type Scope,
} from '../../http/endpoint/scopes.ts'
import { invalid } from '../../http/endpoint/validation.ts'

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
  { ...fields, key: Type.String({ description: 'The complete key. It is returned only once.' }) },
  { title: 'CreatedApiKey' },
)

export const ApiKeyId = PathId('ID of the API key.')

export const NewApiKey = Type.Object({
  name: name(100, 'Name that describes the purpose of the key.'),
  scopes: Type.Array(Type.String({ maxLength: 50 }), {
    minItems: 1,
    maxItems: 50,
    examples: [['builds:create']],
    description: `Scopes of workspace keys: ${workspaceScopes.join(', ')}. Scopes of application keys: ${applicationScopes.join(', ')}.`,
  }),
  expires_at: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 40,
        description:
          'ISO 8601 timestamp, stored with millisecond precision. If omitted or `null`, the key expires when the key that creates it expires, or never if that key does not expire.',
      }),
    ),
  ),
})

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 27 base62 characters carry more than 160 bits of entropy.
const randomLength = 27
const prefixes = { workspace: 'qsw_', application: 'qsa_' } as const

export const generateKey = (kind: KeyKind): string => generateSecret(prefixes[kind])

/** Returns a random secret with a prefix, by which people and scanners recognize it, and a checksum. */
export function generateSecret(prefix: string): string {
  let body = prefix
  for (let i = 0; i < randomLength; i++) body += base62[randomInt(62)]
  return body + checksum(body)
}

/** Returns whether a key has a valid format and checksum. Malformed keys are rejected without a database query. */
export const isWellFormedKey = (text: string): boolean =>
  Object.values(prefixes).some((prefix) => isWellFormedSecret(text, prefix))

export const isWellFormedSecret = (text: string, prefix: string): boolean =>
  text.startsWith(prefix) &&
  /^[0-9A-Za-z]{33}$/.test(text.slice(prefix.length)) &&
  checksum(text.slice(0, -6)) === text.slice(-6)

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

/**
 * Returns the requested scopes without duplicates. Throws `invalid` if a scope does not exist for this kind of key, and
 * 403 if the caller does not have the scope.
 */
export function requireGrantable(actor: Actor, kind: KeyKind, requested: string[]): Scope[] {
  const known = new Set<string>(scopesOf(kind))
  const errors: Record<string, string[]> = {}
  for (const [index, scope] of requested.entries()) {
    if (!known.has(scope))
      errors[`scopes.${index}`] = [
        `"${scope}" is not a scope of ${kind} keys. Use one of: ${[...known].join(', ')}.`,
      ]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  for (const scope of expandScopes(kind, requested)) {
    const own = kind === 'workspace' ? scope : workspaceEquivalent(scope)
    if (!actor.scopes.has(own)) throw scopeMissing({ scope: own })
  }
  return [...new Set(requested)] as Scope[]
}

export function apiKeyResource(
  row: Omit<Static<typeof ApiKey>, 'kind'> & { kind: string },
): Static<typeof ApiKey> {
  return { ...row, kind: row.kind as KeyKind }
}
