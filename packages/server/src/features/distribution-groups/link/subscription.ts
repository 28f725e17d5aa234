import type { Deps } from '../../../deps.ts'

type Signing = Pick<Deps, 'secretBox' | 'config'>

const tokenPurpose = 'group subscription v1'

/** Derives the secret segment of the URL at which a member of a group unsubscribes. It is never stored. */
const subscriptionToken = ({ secretBox }: Pick<Deps, 'secretBox'>, memberId: string): string =>
  secretBox.token(tokenPurpose, memberId)

/** Returns whether the token belongs to the member, which proves that it comes from an email to the member. */
export const isSubscriptionToken = (
  { secretBox }: Pick<Deps, 'secretBox'>,
  memberId: string,
  token: string,
): boolean => secretBox.isToken(token, tokenPurpose, memberId)

/** Returns the URL at which a member of a group unsubscribes, and its secret segment. */
export function subscriptionUrl(signing: Signing, memberId: string) {
  const token = subscriptionToken(signing, memberId)
  return { token, url: `${signing.config.publicUrl}/api/v1/public/group-subscriptions/${memberId}/${token}` }
}
