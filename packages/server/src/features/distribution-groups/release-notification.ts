import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import type { NewMail } from '../mails/mail.db.ts'

type Signing = Pick<Deps, 'secretBox' | 'config'>

const linkToken = ({ secretBox }: Pick<Deps, 'secretBox'>, id: string): string =>
  secretBox.token('group link v1', id)

/** Whether this service made the link: only then there was a mail with it. */
export function isLinkToken(signing: Pick<Deps, 'secretBox'>, id: string, token: string): boolean {
  const given = Buffer.from(token)
  const wanted = Buffer.from(linkToken(signing, id))
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

export const groupLinkUrl = (signing: Signing, id: string): string =>
  `${signing.config.publicUrl}/api/v1/public/group-links/${id}/${linkToken(signing, id)}`

type Told = {
  notification: { id: string; email: string }
  workspaceId: string
  group: { name: string }
  release: { title: string; version: string; application_name: string }
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** The one mail that a person gets about a release. */
export function releaseMail(
  signing: Signing,
  { notification: { id, email }, workspaceId, group, release }: Told,
): NewMail {
  const url = groupLinkUrl(signing, id)
  const [application, title] = [oneLine(release.application_name), oneLine(release.title)]
  return {
    workspaceId,
    to: email,
    subject: `${application} ${release.version}: ${title}`,
    text: `${title} (${application} ${release.version}) is there for you.

Open it here, no account is needed:
${url}

The link is yours alone: please do not pass it on. It works as long as the release is shared with you.
You get this mail because you are in the group ${oneLine(group.name)}.
`,
  }
}
