import { Type, type Static } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { notFound, problem } from '../../lib/problem.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { isShareToken } from './share-link-url.ts'
import { findShareLink, type ShareLinkRow } from './share-link.db.ts'
import { ShareLinkId } from './share-link.ts'

export const grantLifetimeSeconds = 15 * 60

export const shareLinkParams = Type.Object({
  share_link_id: ShareLinkId,
  share_token: PathId('Secret segment of the URL.'),
})

type PublicCall = { db: Db; secretBox: Deps['secretBox']; params: Static<typeof shareLinkParams> }

const revoked = problem('gone', 'share_link.revoked', 'This link was revoked. Ask for a new one.')

const expired = problem('gone', 'share_link.expired', 'This link has expired. Ask for a new one.')

export const releaseWithdrawn = problem(
  'gone',
  'share_link.release_withdrawn',
  'The release of this link was withdrawn. Ask for a new link, or try again when the release is published again.',
)

export const downloadLimitReached = problem(
  'gone',
  'share_link.used_up',
  'This link has reached its download limit. Ask for a new one.',
)

/** The errors of every endpoint that loads a share link for a visitor. */
export const shareLinkProblems = [revoked, expired, releaseWithdrawn, downloadLimitReached]

/** Loads a link as `requireOpenLink` does, but also throws 410 if the download limit is reached. */
export async function requireUsableLink(call: PublicCall) {
  const { link } = await requireOpenLink(call)
  requireDownloadsLeft(link)
  return { link }
}

/**
 * Loads a link, even if its download limit is reached. Throws the same 404 for an unknown link, a wrong token and a link
 * to a release that has never been published, and 410 for a revoked or expired link or a withdrawn release.
 */
export async function requireOpenLink(call: PublicCall) {
  const { share_link_id: id, share_token: token } = call.params
  if (!isShareToken(call, id, token)) throw notFound()
  return { link: await requireOpenLinkWithId(call.db, id) }
}

/** Loads a link as `requireOpenLink` does. The caller must have verified a signature that contains the ID. */
export async function requireOpenLinkWithId(db: Db, id: string): Promise<ShareLinkRow> {
  const link = await findShareLink(db, id)
  if (link === undefined) throw notFound()
  if (link.release_id !== null && link.release_published_at === null) throw notFound()
  if (!link.is_active) throw revoked()
  if (isReleaseHidden(link)) throw releaseWithdrawn()
  if (link.expired) throw expired()
  return link
}

const isReleaseHidden = ({ release_id, release_status }: ShareLinkRow): boolean =>
  release_id !== null && release_status !== 'published'

export function requireDownloadsLeft({ max_downloads, download_count }: ShareLinkRow): void {
  if (max_downloads !== null && download_count >= max_downloads) throw downloadLimitReached()
}

type Signing = Pick<Deps, 'secretBox' | 'clock'>

// The signature covers the password hash, so that changing the password invalidates existing grants.
const grantText = (link: ShareLinkRow, expiresAt: number): string =>
  JSON.stringify([link.id, link.password_hash, expiresAt])
const grantPurpose = 'share grant v1'

/** Creates a grant, which proves knowledge of the password and is valid for 15 minutes. */
export function createGrant(signing: Signing, link: ShareLinkRow) {
  const expiresAt = Math.floor(signing.clock.now().getTime() / 1000) + grantLifetimeSeconds
  return {
    grant: `${expiresAt}.${signing.secretBox.token(grantPurpose, grantText(link, expiresAt))}`,
    grant_expires_at: isoMicroseconds(new Date(expiresAt * 1000)),
  }
}

/** Returns whether the text is an unexpired grant for the link. */
export function isGrant(signing: Signing, link: ShareLinkRow, text: string | undefined): boolean {
  const [, seconds, signature = ''] = /^(\d{1,12})\.(.+)$/s.exec(text ?? '') ?? []
  const isSigned = signing.secretBox.isToken(signature, grantPurpose, grantText(link, Number(seconds ?? 0)))
  return isSigned && Number(seconds) * 1000 > signing.clock.now().getTime()
}

/** Returns whether the link has no password or the grant is valid. */
export const isUnlocked = (signing: Signing, link: ShareLinkRow, grant: string | undefined): boolean =>
  link.password_hash === null || isGrant(signing, link, grant)

/** Throws `share_link.password_required` unless the link has no password or the grant is valid. */
export function requireGrant(signing: Signing, link: ShareLinkRow, grant: string | undefined): void {
  if (!isUnlocked(signing, link, grant)) throw passwordRequired()
}

export const passwordRequired = problem(
  'forbidden',
  'share_link.password_required',
  'This link requires a password. Request a grant with the password first.',
)
