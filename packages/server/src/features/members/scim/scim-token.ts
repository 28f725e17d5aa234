import { Type } from 'typebox'
import type { Config } from '../../../config/config.ts'
import { holdsEveryScope, type Actor } from '../../../http/endpoint/actor.ts'
import { Nullable, Timestamp } from '../../../http/endpoint/fields.ts'
import { problem } from '../../../lib/problem.ts'
import { generateSecret, hashKey, isWellFormedSecret } from '../../api-keys/api-key.ts'

const prefix = 'qsp_'

/** The path below the public URL at which identity providers find the resources. */
export const scimPath = '/scim/v2'

export const scimBaseUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}${scimPath}`

const tokenFields = {
  id: Type.String(),
  prefix: Type.String({ description: 'First 8 characters of the token.' }),
  created_by: Type.String({ description: 'Name of the person or API key that created the token.' }),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
}

export const ScimSettings = Type.Object(
  {
    base_url: Type.String({ description: 'The URL to enter at the identity provider.' }),
    token: Nullable(
      Type.Object(tokenFields, {
        description: 'The token of the identity provider; `null` if there is none.',
      }),
    ),
    user_count: Type.Integer({
      description: 'Number of people whom the identity provider manages, including deactivated ones.',
    }),
  },
  { title: 'ScimSettings' },
)

export const CreatedScimToken = Type.Object(
  {
    ...tokenFields,
    base_url: Type.String({ description: 'The URL to enter at the identity provider.' }),
    token: Type.String({ description: 'The complete token. It is returned only once.' }),
  },
  { title: 'CreatedScimToken' },
)

/** Throws `forbidden` unless the caller may remove every member, as the token can. */
export function requireScimAuthority(actor: Actor): void {
  if (!actor.canGrantOwner || !holdsEveryScope(actor, 'workspace')) throw scimOwnerRequired()
}

export const scimOwnerRequired = problem(
  'forbidden',
  'scim.owner_required',
  'Only owners, and keys with every workspace scope, can create or revoke the SCIM token.',
)

export const generateScimToken = (): string => generateSecret(prefix)

/** Returns the hash of a token, or undefined if the text cannot be a token. */
export const scimTokenHash = (text: string): Buffer | undefined =>
  isWellFormedSecret(text, prefix) ? hashKey(text) : undefined
