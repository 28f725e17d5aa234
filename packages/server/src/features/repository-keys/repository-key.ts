import { Type, type Static } from 'typebox'
import { Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { problem } from '../../lib/problem.ts'

export type RepositoryKeyRow = {
  id: string
  fingerprint: string
  public_key: string
  is_imported: boolean
  created_at: string
  /** Null for the current key. */
  retires_at: string | null
}

/** Returns the encryption context that binds a sealed key to its row. */
export const repositoryKeyContext = (id: string): string => `repository key ${id}`

export const maxRepositoryKeys = 20

export const RepositoryKeyParams = Type.Object({
  repository_key_id: PathId('ID of the repository key.'),
})

export const RepositoryKey = Type.Object(
  {
    id: Type.String(),
    fingerprint: Type.String({ description: 'Fingerprint of the OpenPGP key, in hexadecimal.' }),
    public_key: Type.String({ description: 'The armored public key.' }),
    is_current: Type.Boolean(),
    is_imported: Type.Boolean({ description: 'Whether the team uploaded the key.' }),
    created_at: Timestamp,
    retires_at: Nullable(
      Type.String({
        description:
          'Until this time, indexes are also signed with this previous key. `null` for the current key.',
      }),
    ),
  },
  { title: 'RepositoryKey' },
)

const maxOverlapDays = 365

export const NewRepositoryKey = Type.Object(
  {
    private_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64 * 1024,
        description:
          'An armored OpenPGP private key of the team that has no passphrase and does not expire. If omitted, the server creates an Ed25519 key.',
      }),
    ),
    overlap_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxOverlapDays,
        default: 90,
        description:
          'Days for which indexes are also signed with the previous key, so that clients that trust only that key continue to work. Set 0 if it was disclosed.',
      }),
    ),
  },
  { examples: [{ overlap_days: 90 }] },
)

export const repositoryKeyResource = ({
  id,
  fingerprint,
  public_key,
  is_imported,
  created_at,
  retires_at,
}: RepositoryKeyRow): Static<typeof RepositoryKey> => ({
  id,
  fingerprint,
  public_key,
  is_current: retires_at === null,
  is_imported,
  created_at,
  retires_at,
})

export const repositoryKeyAuditSnapshot = ({ fingerprint, is_imported, retires_at }: RepositoryKeyRow) => ({
  fingerprint,
  is_imported,
  retires_at,
})

export const keyNotUsable = problem(
  'invalid',
  'repository_key.not_usable',
  'The private key cannot be used: it {reason}. Export an armored key that can sign, has no passphrase and does not expire.',
)

export const keyKnown = problem(
  'conflict',
  'repository_key.known',
  'The workspace already has a repository key with this fingerprint. Upload another one.',
)

export const tooManyRepositoryKeys = problem(
  'conflict',
  'repository_key.too_many',
  'Indexes are signed with at most {max} keys. Delete a previous key first.',
)

export const keyIsCurrent = problem(
  'conflict',
  'repository_key.current',
  'Indexes are signed with this key. Create another key first.',
)
