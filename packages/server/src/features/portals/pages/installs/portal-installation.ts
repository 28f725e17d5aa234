import type { Db } from '../../../../database/transaction.ts'
import type { PageCall } from '../../../../http/pages/page.ts'
import { notFound } from '../../../../lib/problem.ts'
import { iosInstallation } from '../../../installs/install.ts'
import { findSessionEmail, requirePortalWithVisitor, type PortalForVisitor } from '../visited-portal.db.ts'
import { hashToken, sessionCookie, type VisitedPortal } from '../visited-portal.ts'

/** The ID of a portal and, for a private one, the session of the visitor. */
const linkIdFormat = /^([^-]+)(?:-([\w-]{43}))?$/

/** Returns the ID of a portal and, for a private one, of the session, which identify a visitor without cookies. */
export function linkIdOf({ cookies }: Pick<PageCall, 'cookies'>, { id, type }: VisitedPortal): string {
  if (type === 'public') return id
  const session = Buffer.from(hashToken(cookies.get(sessionCookie) ?? ''), 'hex')
  return `${id}-${session.toString('base64url')}`
}

/** Returns how visitors of a page of a portal install builds on iPhones and iPads. */
export const iosInstallationOf = (
  call: Parameters<typeof iosInstallation>[0],
  portal: VisitedPortal,
  pageUrl: string,
) => iosInstallation(call, { channel: 'p', linkId: linkIdOf(call, portal), passwordHash: null, pageUrl })

/**
 * Loads the portal of an installation; throws 404 if it does not exist. Returns undefined if it is private and the visitor
 * has signed out or may no longer open it.
 */
export async function findPortalOfInstall(db: Db, linkId: string): Promise<PortalForVisitor | undefined> {
  const [, portalId, session] = linkIdFormat.exec(linkId) ?? []
  if (portalId === undefined) throw notFound()
  const tokenHash = session === undefined ? undefined : Buffer.from(session, 'base64url').toString('hex')
  const email = tokenHash === undefined ? undefined : await findSessionEmail(db, { portalId, tokenHash })
  const proof = { sessionHash: null, host: '', readerEmail: email ?? null }
  const portal = await requirePortalWithVisitor(db, portalId, proof)
  return portal.type === 'private' && portal.visitor_email === null ? undefined : portal
}
