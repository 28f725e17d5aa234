import type { Deps } from '../../deps.ts'
import { releaseMail, renderNotes } from '../../http/mails/release.mail.ts'
import type { NewMail } from '../mails/mail.db.ts'
import { subscriptionUrl } from './link/subscription.ts'
import type { Notification } from './release-notification.db.ts'

type Signing = Pick<Deps, 'secretBox' | 'config'>

const tokenPurpose = 'group link v1'

/** Returns whether the token belongs to the link, which proves that this service created the link. */
export const isLinkToken = ({ secretBox }: Pick<Deps, 'secretBox'>, id: string, token: string): boolean =>
  secretBox.isToken(token, tokenPurpose, id)

/** Returns the URL of a group link and its secret segment. */
export function groupLink(signing: Signing, id: string): { url: string; token: string } {
  const token = signing.secretBox.token(tokenPurpose, id)
  return { token, url: `${signing.config.publicUrl}/api/v1/public/group-links/${id}/${token}` }
}

export const groupLinkUrl = (signing: Signing, id: string): string => groupLink(signing, id).url

type ReleaseMail = {
  group: { name: string }
  release: { title: string; version: string; application_name: string; notes: string | null }
  workspaceName: string
}

/** Returns a function that creates the email that notifies a group member of a release. Renders the notes once. */
export function createReleaseMails(signing: Signing, { group, release, workspaceName }: ReleaseMail) {
  const { title, version, application_name: application } = release
  const details = { workspace: workspaceName, application, group: group.name, title, version }
  const notes = renderNotes(release.notes ?? '')
  return ({ id, email, member_id: memberId }: Notification): Omit<NewMail, 'workspaceId'> => {
    const link = groupLink(signing, id)
    const unsubscribe = subscriptionUrl(signing, memberId)
    return {
      to: email,
      secrets: [link.token, unsubscribe.token],
      unsubscribeUrl: unsubscribe.url,
      ...releaseMail.render({
        ...details,
        notes,
        url: link.url,
        unsubscribeUrl: unsubscribe.url,
      }),
    }
  }
}
