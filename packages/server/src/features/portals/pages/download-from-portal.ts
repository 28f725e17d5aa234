import { page, type PageCall, type PageResponse } from '../../../http/pages/page.ts'
import { notFound } from '../../../lib/problem.ts'
import type { BuildRow } from '../../builds/build.db.ts'
import { insertNewDownload } from '../../builds/files/download.db.ts'
import {
  chargePublicDownload,
  downloadAttributes,
  publicLinkLifeSeconds,
  recordIfPossible,
  requireFileLink,
  withDownloadTransaction,
} from '../../builds/files/download.ts'
import { listBuildsOfRelease } from '../../releases/release.db.ts'
import { explainPortal } from './explain-portal.ts'
import { portalReleaseParams, requireReleaseOfPortal } from './portal-release-page.ts'
import { emailDocument } from './portal-sign-in-document.ts'
import { portalBuildParams, requireBuildOfStream } from './portal-stream-page.ts'
import { requirePortalOfReader, type VisitedPortal } from './visited-portal.ts'

const ofRelease = {
  path: '/public/portals/:portal_id/releases/:release_id/download',
  params: portalReleaseParams,
  load: requirePortalOfReader,
  isForEveryClient: true,
  explain: explainPortal,
} as const

const ofStream = {
  ...ofRelease,
  path: '/public/portals/:portal_id/streams/:stream_id/builds/:build_id/download',
  params: portalBuildParams,
} as const

type ReleaseCall = PageCall & { params: { release_id: string; portal_id: string }; portal: VisitedPortal }

async function downloadRelease({ portal, ...call }: ReleaseCall): Promise<PageResponse> {
  if (!portal.isOpen) return emailDocument(call, portal, {})
  const release = await requireReleaseOfPortal(call, portal)
  const builds = await listBuildsOfRelease(call.db, release.id)
  const buildId = call.fields.get('build_id') ?? (builds.length === 1 ? builds[0]?.id : undefined)
  // The visitor has to choose a build first.
  if (buildId === undefined) return { location: `${portal.base}/releases/${release.id}` }
  const build = builds.find(({ id }) => id === buildId)
  if (build === undefined) throw notFound()
  return download(call, portal, build)
}

type BuildCall = PageCall & {
  params: { stream_id: string; build_id: string; portal_id: string }
  portal: VisitedPortal
}

async function downloadBuild({ portal, ...call }: BuildCall): Promise<PageResponse> {
  if (!portal.isOpen) return emailDocument(call, portal, {})
  return download(call, portal, await requireBuildOfStream(call, portal))
}

/** Records a download through a portal and redirects to the file. A `HEAD` request or a prefetch is not a download. */
async function download(call: PageCall, portal: VisitedPortal, build: BuildRow): Promise<PageResponse> {
  if (!call.isHead) chargePublicDownload(call, portal.id)
  const { file_id, location } = await requireFileLink(call, build.id, {
    fileId: call.fields.get('file_id'),
    expiresInSeconds: publicLinkLifeSeconds,
  })
  if (!call.isHead) await recordPortalDownload(call, portal, build, { file_id })
  return { location }
}

/** Records a download through a portal, with the address of the visitor of a private one. */
export async function recordPortalDownload(
  call: Pick<PageCall, 'db' | 'log' | 'address' | 'userAgent'>,
  { id: portal_id, visitor_email: email }: Pick<VisitedPortal, 'id' | 'visitor_email'>,
  build: BuildRow,
  download: { file_id: string; id?: string; is_install?: boolean },
): Promise<void> {
  const row = { ...downloadAttributes(call, build), ...download, channel: 'portal', portal_id, email }
  await recordIfPossible(call, () =>
    withDownloadTransaction(call.db, async (tx) => {
      await insertNewDownload(tx, row)
    }),
  )
}

/** Starts a download from the page of a release. Forms are used because browsers never prefetch them. */
export const downloadPortalRelease = page({ ...ofRelease, method: 'POST', handle: downloadRelease })

/** Starts a download from a feed. */
export const openPortalReleaseFile = page({ ...ofRelease, method: 'GET', handle: downloadRelease })

/** Starts a download of a build in a stream. */
export const downloadPortalBuild = page({ ...ofStream, method: 'POST', handle: downloadBuild })

/** Starts a download if someone opens the address of a build's file. */
export const openPortalBuildFile = page({ ...ofStream, method: 'GET', handle: downloadBuild })
