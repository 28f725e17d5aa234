import { Type } from 'typebox'
import { PathId, Timestamp } from '../../http/fields.ts'
import { Email } from '../members/invitation.ts'

export const mostMembers = 10_000
const mostAtOnce = 1000

export const DistributionGroupMember = Type.Object(
  {
    id: Type.String(),
    email: Type.String({ description: 'In lower case.' }),
    added_at: Timestamp,
  },
  { title: 'DistributionGroupMember' },
)

export const MemberId = PathId('Id of the member.')

export const Emails = Type.Array(Email, {
  minItems: 1,
  maxItems: mostAtOnce,
  description: `At most ${mostAtOnce} a call. Addresses that differ in case alone are one.`,
})

/** As they are kept. */
export const lowerCase = (emails: readonly string[]): string[] => emails.map((email) => email.toLowerCase())
