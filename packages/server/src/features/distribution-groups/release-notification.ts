import type { Deps } from '../../deps.ts'
import type { NewMail } from '../mails/mail.db.ts'

type Signing = Pick<Deps, 'secretBox' | 'config'>

const tokenPurpose = 'group link v1'

const linkToken = ({ secretBox }: Pick<Deps, 'secretBox'>, id: string): string =>
  secretBox.token(tokenPurpose, id)

/** Returns whether the token belongs to the link, which proves that this service created the link. */
export const isLinkToken = ({ secretBox }: Pick<Deps, 'secretBox'>, id: string, token: string): boolean =>
  secretBox.isToken(token, tokenPurpose, id)

export const groupLinkUrl = (signing: Signing, id: string): string =>
  `${signing.config.publicUrl}/api/v1/public/group-links/${id}/${linkToken(signing, id)}`

type ReleaseMail = {
  notification: { id: string; email: string }
  workspaceId: string
  group: { name: string }
  release: { title: string; version: string; application_name: string }
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** Returns the email that notifies a group member of a release. */
export function releaseMail(
  signing: Signing,
  { notification: { id, email }, workspaceId, group, release }: ReleaseMail,
): NewMail {
  const url = groupLinkUrl(signing, id)
  const [application, title] = [oneLine(release.application_name), oneLine(release.title)]
  return {
    workspaceId,
    to: email,
    secrets: [linkToken(signing, id)],
    subject: `${application} ${release.version}: ${title}`,
    text: `${title} (${application} ${release.version}) is available to you.

Open it here (no account needed):
${url}

This link is personal: please do not share it. It works as long as the release is shared with you.
You received this email because you are in the group ${oneLine(group.name)}.
`,
  }
}
