import { Type, type Static } from 'typebox'
import { Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { problem } from '../../lib/problem.ts'

export const keyKinds = ['openpgp', 'x509'] as const
/** What signs indexes: an OpenPGP key, or an RSA key with an X.509 certificate. */
export type KeyKind = (typeof keyKinds)[number]

export type RepositoryKeyRow = {
  id: string
  kind: KeyKind
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
    kind: Type.Enum([...keyKinds], {
      description:
        '`openpgp` signs repositories for apt, dnf, zypper and pacman. `x509` signs repositories for F-Droid.',
    }),
    fingerprint: Type.String({
      description: 'Fingerprint of the OpenPGP key, or SHA-256 of the certificate, in hexadecimal.',
    }),
    public_key: Type.String({ description: 'The armored public key, or the certificate in PEM format.' }),
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
    kind: Type.Optional(Type.Enum([...keyKinds], { default: 'openpgp' })),
    private_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64 * 1024,
        description:
          'A private key of the team without a passphrase. For `openpgp`, an armored key that does not expire. For `x509`, an RSA key of at least 2,048 bits in PEM format, followed by its certificate. If omitted, the server creates an Ed25519 key, or an RSA key with a certificate.',
      }),
    ),
    overlap_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxOverlapDays,
        default: 90,
        description:
          'Days for which indexes are also signed with the previous key, so that clients that trust only that key continue to work. Set 0 if it was disclosed. Not for `x509`: F-Droid accepts only one signature, so the new key replaces the previous one at once.',
      }),
    ),
  },
  { examples: [{ overlap_days: 90 }] },
)

export const repositoryKeyResource = ({
  id,
  kind,
  fingerprint,
  public_key,
  is_imported,
  created_at,
  retires_at,
}: RepositoryKeyRow): Static<typeof RepositoryKey> => ({
  id,
  kind,
  fingerprint,
  public_key,
  is_current: retires_at === null,
  is_imported,
  created_at,
  retires_at,
})

export const repositoryKeyAuditSnapshot = ({
  kind,
  fingerprint,
  is_imported,
  retires_at,
}: RepositoryKeyRow) => ({
  kind,
  fingerprint,
  is_imported,
  retires_at,
})

export const keyNotUsable = problem(
  'invalid',
  'repository_key.not_usable',
  'The private key cannot be used: it {reason}. Export an armored key that can sign, has no passphrase and does not expire.',
)

export const certificateNotUsable = problem(
  'invalid',
  'repository_key.certificate_not_usable',
  'The private key cannot be used: {reason}. Upload an RSA key of at least 2,048 bits and its certificate in PEM format, without a passphrase.',
)

export const noOverlap = problem(
  'invalid',
  'repository_key.no_overlap',
  'F-Droid accepts an index with one signature only, so the new key replaces the previous one at once. Omit `overlap_days`.',
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
