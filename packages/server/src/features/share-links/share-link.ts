import { Type, type Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { changesOf } from '../../http/changes.ts'
import { Nullable, PathId, Timestamp } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { readTime } from '../../lib/time.ts'
import type { ShareLinkRow } from './share-link.db.ts'

export const whoHasTheLink =
  'Who has the `url` of the answer needs no key: GET it to see what is shared, POST the password to its `/grants`, and POST ' +
  'the grant to its `/downloads` for links to the files.'

export const ShareLink = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'Whoever has it may use the link: it holds the secret.' }),
    is_active: Type.Boolean(),
    password_protected: Type.Boolean(),
    expires_at: Nullable(Timestamp),
    expired: Type.Boolean(),
    max_downloads: Nullable(Type.Integer()),
    download_count: Type.Integer(),
    shareable_type: Type.Enum(['build', 'release']),
    shareable_id: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'ShareLink' },
)

export const ShareLinkId = PathId('Id of the share link.')

const wish = {
  is_active: Type.Boolean({ description: 'false revokes the link: 410 for whoever follows it.' }),
  password: Nullable(Type.String({ minLength: 1, maxLength: 72, description: 'null takes it away.' })),
  expires_at: Nullable(
    Type.String({
      maxLength: 40,
      description: 'ISO 8601; null = never.',
      examples: ['2099-01-01T00:00:00Z'],
    }),
  ),
  max_downloads: Nullable(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'null = any number.' }),
  ),
}

export const NewShareLink = Type.Partial(Type.Object(wish))
export const ShareLinkChanges = changesOf(wish)

const longestMs = 100 * 365 * 24 * 60 * 60 * 1000

/** The expiry as the database takes it; throws `invalid` unless it lies in the next hundred years. */
export function readExpiry(value: string | null | undefined, now: Date): string | null | undefined {
  if (value === undefined || value === null) return value
  const time = readTime(value)
  const ms = time === undefined ? Number.NaN : Date.parse(time)
  if (time !== undefined && ms > now.getTime() && ms < now.getTime() + longestMs) return time
  throw invalid({ expires_at: ['must be an ISO 8601 time to come, such as 2099-01-01T00:00:00Z.'] })
}

type Signing = Pick<Deps, 'secretBox' | 'config'>

/** The secret part of the URL: derived, never stored. */
export const shareToken = ({ secretBox }: Pick<Deps, 'secretBox'>, id: string): string =>
  secretBox.token('share link v1', id)

export const shareUrl = (signing: Signing, id: string): string =>
  `${signing.config.publicUrl}/api/v1/public/share-links/${id}/${shareToken(signing, id)}`

export function shareLinkResource(row: ShareLinkRow, signing: Signing): Static<typeof ShareLink> {
  const { id, is_active, expires_at, expired, max_downloads, download_count, created_at, updated_at } = row
  return {
    id,
    url: shareUrl(signing, id),
    is_active,
    password_protected: row.password_hash !== null,
    expires_at,
    expired,
    max_downloads,
    download_count,
    shareable_type: row.build_id === null ? 'release' : 'build',
    shareable_id: row.build_id ?? row.release_id ?? '',
    created_at,
    updated_at,
  }
}

/** What the audit log keeps of a link: nothing that opens it. */
export const shareLinkFacts = (row: ShareLinkRow) => ({
  build_id: row.build_id,
  release_id: row.release_id,
  is_active: row.is_active,
  password_protected: row.password_hash !== null,
  expires_at: row.expires_at,
  max_downloads: row.max_downloads,
})
