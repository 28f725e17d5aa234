import type { Deps } from '../../deps.ts'
import type { Member } from './notification-settings.db.ts'

const tokenPurpose = 'notification emails v1'
const nameOf = ({ workspaceId, userId }: Member): string => `${workspaceId} ${userId}`

/** Returns whether the token belongs to the member, which proves that it comes from an email to the member. */
export const isEmailSubscriptionToken = (
  { secretBox }: Pick<Deps, 'secretBox'>,
  member: Member,
  token: string,
): boolean => secretBox.isToken(token, tokenPurpose, nameOf(member))

/** Returns the URL at which a member unsubscribes from emails about notifications, and its secret segment. */
export function emailSubscriptionUrl(
  { secretBox, config }: Pick<Deps, 'secretBox' | 'config'>,
  member: Member,
) {
  const token = secretBox.token(tokenPurpose, nameOf(member))
  const path = `/api/v1/public/notification-emails/${member.workspaceId}/${member.userId}/${token}`
  return { token, url: `${config.publicUrl}${path}` }
}
