import { Type, type Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { futureTime } from '../../http/endpoint/future-time.ts'
import { beyondLifetime, isBeyondLifetime } from '../../http/endpoint/lifetime.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { FeedbackEnabled } from '../feedback/feedback.ts'
import { shareUrl, shortShareUrl } from './share-link-url.ts'
import type { ShareLinkRow } from './share-link.db.ts'

export const ShareLink = Type.Object(
  {
    id: Type.String(),
    url: Type.String({
      description:
        'URL for programs, to which the paths of the endpoints below `/public/share-links` are added. Contains the secret of the link: anyone who has the URL can use it.',
    }),
    short_url: Type.String({
      description:
        'URL for people, in messages and QR codes. It does the same as `url` and also contains the secret.',
    }),
    is_active: Type.Boolean(),
    password_protected: Type.Boolean(),
    expires_at: Nullable(Timestamp),
    expired: Type.Boolean(),
    locked_until: Nullable(
      Type.String({
        description:
          'Time until which the link accepts no password, because too many incorrect ones were entered. Otherwise `null`. Changing the password unlocks the link.',
      }),
    ),
    max_downloads: Nullable(Type.Integer()),
    download_count: Type.Integer(),
    feedback_enabled: FeedbackEnabled,
    shareable_type: Type.Enum(['build', 'release']),
    shareable_id: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'ShareLink' },
)

export const ShareLinkId = PathId('ID of the share link.')

const writableFields = {
  is_active: Type.Boolean({ description: '`false` revokes the link: its URL returns 410.' }),
  password: Nullable(
    Type.String({ minLength: 1, maxLength: 72, description: '`null` removes the password.' }),
  ),
  expires_at: Nullable(
    futureTime(
      'ISO 8601 timestamp within the next 100 years. If `null`, the link expires with the key that sets it, or never if that key does not expire.',
    ),
  ),
  max_downloads: Nullable(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: '`null` means no limit.' }),
  ),
  feedback_enabled: FeedbackEnabled,
}

export const NewShareLink = Type.Partial(Type.Object(writableFields), {
  examples: [{ password: 'a long password', max_downloads: 50 }],
})
export const ShareLinkChanges = changesOf(writableFields)

/**
 * Returns the expiry of a link, by default the latest expiry that the caller may grant. Throws `invalid` if the
 * requested expiry is later than that.
 */
export function requireLinkExpiry(expiresAt: string | null, actor: Actor): string | null {
  if (expiresAt === null) return actor.grantsUntil === null ? null : isoMicroseconds(actor.grantsUntil)
  if (isBeyondLifetime(new Date(expiresAt), actor)) throw beyondLifetime(actor)
  return expiresAt
}

type Signing = Pick<Deps, 'secretBox' | 'config'>

export function shareLinkResource(row: ShareLinkRow, signing: Signing): Static<typeof ShareLink> {
  const {
    id,
    is_active,
    expires_at,
    expired,
    locked_until,
    max_downloads,
    download_count,
    feedback_enabled,
    created_at,
    updated_at,
  } = row
  return {
    id,
    url: shareUrl(signing, id),
    short_url: shortShareUrl(signing, id),
    is_active,
    password_protected: row.password_hash !== null,
    expires_at,
    expired,
    locked_until,
    max_downloads,
    download_count,
    feedback_enabled,
    shareable_type: row.build_id === null ? 'release' : 'build',
    shareable_id: row.build_id ?? row.release_id ?? '',
    created_at,
    updated_at,
  }
}

/** Returns the fields of a link that the audit log records, without its secrets. */
export const shareLinkAuditSnapshot = (row: ShareLinkRow) => ({
  build_id: row.build_id,
  release_id: row.release_id,
  is_active: row.is_active,
  password_protected: row.password_hash !== null,
  expires_at: row.expires_at,
  max_downloads: row.max_downloads,
  feedback_enabled: row.feedback_enabled,
})
