import type { Db } from '../../../../database/transaction.ts'
import { notFound } from '../../../../lib/problem.ts'
import type { BuildRow } from '../../../builds/build.db.ts'
import { registrationPages } from '../../../installs/device-registration.ts'
import { listBuildsOfRelease } from '../../../releases/release.db.ts'
import { explainPortal } from '../explain-portal.ts'
import { portalDocument } from '../portal-document.ts'
import { portalReleaseParams, requireReleaseOfPortal } from '../portal-release-page.ts'
import { portalBuildParams, requireBuildOfStream } from '../portal-stream-page.ts'
import { requireVisitedPortal, visitedAt, type VisitedPortal } from '../visited-portal.ts'
import { findPortalOfInstall, linkIdOf } from './portal-installation.ts'

/** The page of a release, or of a build in a stream. */
type Shown = { releaseId: string } | { streamId: string; buildId: string }

/** A page of a portal on which a visitor registers a device. */
type PortalLink = {
  id: string
  workspace_id: string
  application_id: string
  portal: VisitedPortal
  /** The path of the page below that of the portal. */
  path: string
  builds: BuildRow[]
}

/** Loads what a page of a portal shows; throws 404 if the portal does not show it. */
async function requireLink(db: Db, portal: VisitedPortal, shown: Shown): Promise<Omit<PortalLink, 'id'>> {
  const common = { workspace_id: portal.workspace_id, portal }
  if ('releaseId' in shown) {
    const { id, application_id } = await requireReleaseOfPortal(
      { db, params: { portal_id: portal.id, release_id: shown.releaseId } },
      portal,
    )
    return {
      ...common,
      application_id,
      path: `/releases/${id}`,
      builds: await listBuildsOfRelease(db, id),
    }
  }
  const { streamId, buildId } = shown
  const build = await requireBuildOfStream({ db, params: { stream_id: streamId, build_id: buildId } }, portal)
  return {
    ...common,
    application_id: build.application_id,
    path: `/streams/${streamId}/builds/${buildId}`,
    builds: [build],
  }
}

const format = /^(?:r-(\w+)|b-(\w+)-(\w+))-([sh])-(.+)$/

/** Returns the signed ID of a page: what it shows, at which of its addresses the portal is visited, and the session. */
function pageIdOf(call: Parameters<typeof linkIdOf>[0], portal: VisitedPortal, shown: Shown): string {
  const item = 'releaseId' in shown ? `r-${shown.releaseId}` : `b-${shown.streamId}-${shown.buildId}`
  return `${item}-${portal.host === '' ? 's' : 'h'}-${linkIdOf(call, portal)}`
}

function readPageId(id: string): { shown: Shown; isAtOwnHost: boolean; installId: string } {
  const [, releaseId, streamId = '', buildId = '', address, installId = ''] = format.exec(id) ?? []
  if (address === undefined) throw notFound()
  const shown = releaseId === undefined ? { streamId, buildId } : { releaseId }
  return { shown, isAtOwnHost: address === 'h', installId }
}

type VisitCall = Parameters<typeof requireVisitedPortal>[0]

async function loadPage(call: VisitCall, shown: Shown): Promise<{ link: PortalLink }> {
  const { portal } = await requireVisitedPortal(call)
  return { link: { ...(await requireLink(call.db, portal, shown)), id: pageIdOf(call, portal, shown) } }
}

const common = {
  channel: 'p',
  /** The device that answers a profile has no cookies, so the page ID contains the session of the visitor. */
  async loadById(call: Pick<VisitCall, 'db' | 'config'>, id: string): Promise<PortalLink | undefined> {
    const { shown, isAtOwnHost, installId } = readPageId(id)
    const row = await findPortalOfInstall(call.db, installId)
    if (row === undefined) return undefined
    const portal = visitedAt(call.config, row, isAtOwnHost ? 'own' : '')
    return { ...(await requireLink(call.db, portal, shown)), id }
  },
  pageUrlOf: (_call: unknown, { portal, path }: PortalLink) => `${portal.url}${path}`,
  isOpen: (_call: unknown, { portal }: PortalLink) => portal.isOpen,
  listBuilds: async (_db: Db, { builds }: PortalLink) => builds,
  originOf: async (_db: Db, { portal }: PortalLink) => ({
    source: 'portal',
    share_link_id: null,
    distribution_group_id: null,
    portal_id: portal.id,
    email: portal.visitor_email,
  }),
  explain: explainPortal,
  frame: (call, { portal }: PortalLink, { title, body }) =>
    portalDocument(call, portal, { title, tab: 'releases', body }),
} satisfies Partial<Parameters<typeof registrationPages<PortalLink, typeof portalReleaseParams>>[0]>

/** The pages on which visitors of a release register an iPhone or iPad. The profile also serves those of a build. */
export const {
  show: portalReleaseDevicePage,
  submit: enterPortalReleaseDevice,
  profile: openPortalDeviceProfile,
  receive: receivePortalDevice,
} = registrationPages<PortalLink, typeof portalReleaseParams>({
  ...common,
  path: '/public/portals/:portal_id/releases/:release_id',
  params: portalReleaseParams,
  load: (call) => loadPage(call, { releaseId: call.params.release_id }),
})

/** The pages on which visitors of a build in a stream register an iPhone or iPad. */
export const { show: portalBuildDevicePage, submit: enterPortalBuildDevice } = registrationPages<
  PortalLink,
  typeof portalBuildParams
>({
  ...common,
  path: '/public/portals/:portal_id/streams/:stream_id/builds/:build_id',
  params: portalBuildParams,
  load: (call) => loadPage(call, { streamId: call.params.stream_id, buildId: call.params.build_id }),
})
