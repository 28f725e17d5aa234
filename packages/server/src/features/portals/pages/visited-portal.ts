import { hash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import type { Config } from '../../../config/config.ts'
import type { PageCall } from '../../../http/pages/page.ts'
import { PortalId, portalPrefix, portalUrl } from '../portal.ts'
import { hostNameOf, isAtService } from './portal-hosts.ts'
import { requirePortalWithVisitor, type PortalForVisitor } from './visited-portal.db.ts'

export const portalParams = Type.Object({ portal_id: PortalId })

/** The cookie of a visitor who has proven an email address. Its path limits it to one portal. */
export const sessionCookie = 'quayside_portal'
/** The cookie of the browser that requested a code. */
export const codeCookie = 'quayside_portal_code'

export type VisitedPortal = PortalForVisitor & {
  /** What the paths of the pages start with: empty at a host of the portal's own. */
  base: string
  /** The path of the front page, to which cookies are limited. */
  home: string
  /** The host of the portal's own at which it is visited; empty at the address of the service. */
  host: string
  /** The absolute URL that corresponds to `base`. */
  url: string
  /** Whether the visitor may see what the portal shows. */
  isOpen: boolean
}

type VisitCall = Pick<
  PageCall,
  'db' | 'secretBox' | 'config' | 'cookies' | 'fields' | 'visitedPath' | 'host'
> & {
  params: Static<typeof portalParams>
}

export const hashToken = (token: string): string => hash('sha256', token, 'hex')

/** Loads the portal of a page; throws 404 if it does not exist. A private one may not be open to the visitor. */
export async function requireVisitedPortal(call: VisitCall): Promise<{ portal: VisitedPortal }> {
  return visit(call, null)
}

/** Loads the portal of a feed or of a file in it, which a personal URL also opens. */
export async function requirePortalOfReader(call: VisitCall): Promise<{ portal: VisitedPortal }> {
  return visit(call, readReaderEmail(call, call.params.portal_id, call.fields.get('reader')))
}

async function visit(call: VisitCall, readerEmail: string | null): Promise<{ portal: VisitedPortal }> {
  const token = call.cookies.get(sessionCookie)
  const host = isAtService(call.visitedPath) ? '' : hostNameOf(call.host)
  const row = await requirePortalWithVisitor(call.db, call.params.portal_id, {
    sessionHash: token === undefined ? null : hashToken(token),
    host,
    readerEmail,
  })
  return { portal: visitedAt(call.config, row, host) }
}

/** Returns a portal as it is visited at this host of its own, or at the address of the service if the host is empty. */
export function visitedAt(config: Config, row: PortalForVisitor, host: string): VisitedPortal {
  const atService = `${config.publicUrl}${portalPrefix}${row.id}`
  const base = host === '' ? new URL(atService).pathname : ''
  return {
    ...row,
    base,
    home: base === '' ? '/' : base,
    host,
    url: host === '' ? atService : portalUrl(config, row),
    isOpen: row.type === 'public' || row.visitor_email !== null,
  }
}

const readerPurpose = 'portal reader v1'
const readerText = (portalId: string, email: string): string => JSON.stringify([portalId, email])

type Signing = Pick<PageCall, 'secretBox'>

/**
 * Returns the parameter with which a feed reader opens the feeds of a private portal, because feed readers cannot enter a
 * code. It works for as long as the portal allows the email address.
 */
export const readerKey = ({ secretBox }: Signing, portalId: string, email: string): string =>
  `${Buffer.from(email).toString('base64url')}.${secretBox.token(readerPurpose, readerText(portalId, email))}`

function readReaderEmail({ secretBox }: Signing, portalId: string, key = ''): string | null {
  const [, encoded = '', token = ''] = /^([\w-]{1,400})\.([\w-]{43})$/.exec(key) ?? []
  const email = Buffer.from(encoded, 'base64url').toString()
  return token !== '' && secretBox.isToken(token, readerPurpose, readerText(portalId, email)) ? email : null
}
