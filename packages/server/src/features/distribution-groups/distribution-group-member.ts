import { Type, type Static } from 'typebox'
import type { Actor } from '../../http/endpoint/actor.ts'
import { Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { Email } from '../members/invitation.ts'
import type { MemberRow } from './distribution-group-member.db.ts'
import { digests, type Digest } from './distribution-group.ts'
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
    bounced_at: Nullable(
      Type.String({
        description:
          'When a mail server rejected the address. The member gets no emails until the rejection is cleared.',
      }),
    ),
    bounce_reason: Nullable(
      Type.String({ description: 'Response of the mail server. `null` for keys without `members:read`.' }),
    ),
    digest: Nullable(
      Type.Enum([...digests], {
        description: 'How often the member wants emails; `null` if the setting of the group applies.',
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
  { latest_download: latest, ...member }: MemberRow,
  { scopes }: Pick<Actor, 'scopes'>,
): Static<typeof DistributionGroupMember> {
  const canSeeEmails = scopes.has('members:read')
  return {
    ...member,
    email: canSeeEmails ? member.email : null,
    // The response usually contains the address.
    bounce_reason: canSeeEmails ? member.bounce_reason : null,
    digest: member.digest as Digest | null,
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
