import { Type, type Static } from 'typebox'
import { name, Nullable, PathId, Timestamp } from '../../../http/endpoint/fields.ts'
import { problem } from '../../../lib/problem.ts'
import { generateSecret, hashKey, isWellFormedSecret } from '../../api-keys/api-key.ts'
import { ChannelParams } from '../channel.ts'
import type { ReadKeyRow } from './channel-read-key.db.ts'

const prefix = 'qsr_'
/** Every node keeps the hashes of the keys of a channel in memory. */
export const maxReadKeys = 5_000

export const ReadKeyParams = Type.Object({
  ...ChannelParams.properties,
  read_key_id: PathId('ID of the read key.'),
})

const fields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'First 8 characters of the key.' }),
  cohort: Nullable(Type.String({ description: 'Cohort of rollouts to which clients with this key belong.' })),
  max_downloads: Nullable(Type.Integer({ description: 'If `null`, the number is not limited.' })),
  download_count: Type.Integer({ description: 'Downloads of complete files.' }),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
}

export const ReadKey = Type.Object(fields, { title: 'ReadKey' })

export const CreatedReadKey = Type.Object(
  {
    ...fields,
    key: Type.String({ description: 'The complete key. It is returned only once.' }),
    url: Type.String({ description: 'Base URL of the channel with the key in its path.' }),
  },
  { title: 'CreatedReadKey' },
)

export const NewReadKey = Type.Object({
  name: name(100, 'Name that identifies who uses the key, such as a customer.'),
  cohort: Type.Optional(
    Nullable(name(50, 'Cohort of rollouts to which clients with this key belong, such as `testers`.')),
  ),
  max_downloads: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: 'Number of complete files that can be downloaded with the key. `null` means no limit.',
      }),
    ),
  ),
  expires_at: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 40,
        description: 'ISO 8601 timestamp. If omitted or `null`, the key never expires.',
      }),
    ),
  ),
})

export const readKeyResource = (row: ReadKeyRow): Static<typeof ReadKey> => ({ ...row })

export const generateReadKey = (): { key: string; prefix: string; sha256: Buffer } => {
  const key = generateSecret(prefix)
  return { key, prefix: key.slice(0, 8), sha256: hashKey(key) }
}

/** Returns the hash under which a read key is stored, or undefined if the text cannot be a read key. */
export const hashReadKey = (text: string): string | undefined =>
  isWellFormedSecret(text, prefix) ? hashKey(text).toString('hex') : undefined

export const readKeyAuditSnapshot = ({ name: label, cohort, max_downloads, expires_at }: ReadKeyRow) => ({
  name: label,
  cohort,
  max_downloads,
  expires_at,
})

export const tooManyReadKeys = problem(
  'conflict',
  'channel_read_key.too_many',
  'A channel can have at most {max} read keys that are not revoked. Revoke one that is no longer used.',
)
