import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { timeOfUuidV7, uuidSource, uuidV7 } from '../../lib/ids.ts'
import { problem } from '../../lib/problem.ts'
import { findRecentDownload } from '../builds/files/download.db.ts'
import { grantLifetimeSeconds } from './share-link-access.ts'
import type { ShareLinkRow } from './share-link.db.ts'

type Signing = Pick<Deps, 'secretBox'>

/** How long a download can be resumed without being counted again. */
export const resumableSeconds = 6 * 60 * 60

const format = new RegExp(`^(${uuidSource})\\.(.+)$`, 's')
const purpose = 'share link ticket v1'
// The signature covers the password hash, so that changing the password invalidates existing tickets.
const signedText = (link: ShareLinkRow, downloadId: string): string =>
  JSON.stringify([link.id, link.password_hash, downloadId])

/**
 * Creates a ticket, which identifies a download that has not begun. The visitor must have a grant if the link has a
 * password.
 */
export function createTicket({ secretBox }: Signing, link: ShareLinkRow): string {
  const downloadId = uuidV7()
  return `${downloadId}.${secretBox.token(purpose, signedText(link, downloadId))}`
}

/**
 * Returns the ID of the download that a ticket identifies, and the download if it has begun. Throws 410 if the ticket is
 * for another link or another password, or if it is too late to begin or resume the download.
 */
export async function openTicket(
  { db, clock, secretBox }: Signing & Pick<Deps, 'clock'> & { db: Db },
  link: ShareLinkRow,
  ticket: string,
) {
  const [, downloadId = '', signature = ''] = format.exec(ticket) ?? []
  if (!secretBox.isToken(signature, purpose, signedText(link, downloadId))) throw ticketExpired()
  const resumed = await findRecentDownload(db, { id: downloadId, shareLinkId: link.id }, resumableSeconds)
  if (resumed !== undefined) return { downloadId, resumed: { ...resumed, resume: undefined } }
  const lifeSeconds = link.password_hash === null ? resumableSeconds : grantLifetimeSeconds
  const endMs = timeOfUuidV7(downloadId).getTime() + lifeSeconds * 1000
  if (endMs < clock.now().getTime()) throw ticketExpired()
  return { downloadId, resumed: undefined }
}

export const ticketExpired = problem(
  'gone',
  'share_link.ticket_expired',
  'This command has expired. Open the page of the link again, and copy a new one.',
)
