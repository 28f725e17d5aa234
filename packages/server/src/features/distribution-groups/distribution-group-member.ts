import { Type, type Static } from 'typebox'
import type { Actor } from '../../http/endpoint/actor.ts'
import { Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { Email } from '../members/invitation.ts'
import type { MemberRow } from './distribution-group-member.db.ts'
import { downloadedBuild, downloadedBuildResource } from './link/group-download.ts'

export const maxMembers = 10_000
const maxEmailsPerCall = 1000

export const DistributionGroupMember = Type.Object(
  {
    id: Type.String(),
    email: Nullable(Type.String({ description: 'Lowercase. `null` for keys without `members:read`.' })),
    added_at: Timestamp,
    unsubscribed_at: Nullable(
      Type.String({
        description:
          'When the member unsubscribed from the emails of the group with the link in one of them. The member can still use the links and can subscribe again, but you cannot subscribe the member.',
      }),
    ),
    latest_download: Nullable(
      Type.Object(downloadedBuild, {
        title: 'LatestDownload',
        description: 'The latest download through a link that was sent to the member for this group.',
      }),
    ),
  },
  { title: 'DistributionGroupMember' },
)

export function memberResource(
  { id, email, added_at, unsubscribed_at, latest_download: latest }: MemberRow,
  { scopes }: Pick<Actor, 'scopes'>,
): Static<typeof DistributionGroupMember> {
  return {
    id,
    email: scopes.has('members:read') ? email : null,
    added_at,
    unsubscribed_at,
    latest_download: latest && downloadedBuildResource(latest),
  }
}

export const MemberId = PathId('ID of the member.')

export const Emails = Type.Array(Email, {
  minItems: 1,
  maxItems: maxEmailsPerCall,
  description: `At most ${maxEmailsPerCall} per call. Addresses that differ only in case count as one.`,
})

/** Returns the addresses in lowercase, as they are stored. */
export const lowerCase = (emails: readonly string[]): string[] => emails.map((email) => email.toLowerCase())

/** Formats a number of members for messages. */
export const memberCount = (count: number): string => (count === 1 ? '1 member' : `${count} members`)
