import { page, type PageCall, type PageResponse } from '../../http/pages/page.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import { chargePublicDownload, requireFileLink } from '../builds/files/download.ts'
import { explainShareLink } from './explain-share-link.ts'
import { requireOpenLink, shareLinkParams } from './share-link-access.ts'
import { grantCookie, resumeCookie } from './share-link-cookies.ts'
import {
  findSelectedBuild,
  isResumable,
  listSharedBuilds,
  recordShareLinkDownload,
  selectDownload,
} from './share-link-download.ts'
import { resumableSeconds } from './share-link-ticket.ts'
import { sharePath } from './share-link-url.ts'
import type { ShareLinkRow } from './share-link.db.ts'

const definition = {
  path: '/public/share-links/:share_link_id/:share_token/download',
  params: shareLinkParams,
  load: requireOpenLink,
  explain: explainShareLink,
} as const

/** Starts a download from the page of a share link. Forms are used because browsers never prefetch them. */
export const downloadSharePage = page({
  ...definition,
  method: 'POST',
  handle: ({ link, ...call }) => startDownload(call, link),
})

/** Starts the download if a browser opens the `download_url` of a share link. */
export const openShareDownload = page({
  ...definition,
  method: 'GET',
  handle: async ({ link, ...call }) =>
    call.isHead ? { location: sharePath(call, link.id) } : startDownload(call, link),
})

/**
 * Redirects to the file, counting one download per build and browser within six hours. Redirects to the page instead if
 * the visitor has to enter the password or choose a build first.
 */
async function startDownload(call: PageCall, link: ShareLinkRow): Promise<PageResponse> {
  const path = sharePath(call, link.id)
  const buildId = call.fields.get('build_id') ?? (await findBuildId(call, link))
  if (buildId === undefined) return { location: path }
  const grant = call.fields.get('grant') ?? call.cookies.get(grantCookie)
  const resume = call.fields.get('resume') ?? call.cookies.get(resumeCookie(buildId))
  try {
    const { build, resumed, lifeSeconds } = await selectDownload(call, link, {
      build_id: buildId,
      ...(grant === undefined ? {} : { grant }),
      ...(resume !== undefined && (await isResumable(call, link, resume)) ? { resume } : {}),
    })
    if (build === undefined) throw notFound()
    chargePublicDownload(call, link.id)
    const file = { fileId: call.fields.get('file_id'), expiresInSeconds: lifeSeconds }
    const { file_id, location } = await requireFileLink(call, build.id, file)
    if (resumed !== undefined) return { location }
    const { resume: value } = await recordShareLinkDownload(call, link, build, { file_id })
    if (value === undefined) return { location }
    const cookie = { name: resumeCookie(build.id), value, path, maxAgeSeconds: resumableSeconds }
    return { location, cookies: [cookie] }
  } catch (error) {
    if (error instanceof Problem && error.code === 'share_link.password_required') return { location: path }
    throw error
  }
}

/**
 * Returns the ID of the build that the address selects, or of the only build that the link shares; undefined if there are
 * several. Throws 404 if the address selects none of them.
 */
async function findBuildId({ db, fields }: PageCall, link: ShareLinkRow): Promise<string | undefined> {
  if (['platform', 'architecture', 'version'].some((name) => fields.has(name))) {
    const build = await findSelectedBuild(db, link, Object.fromEntries(fields))
    if (build === undefined) throw notFound()
    return build.id
  }
  const [only, ...more] = await listSharedBuilds(db, link)
  return more.length === 0 ? only?.id : undefined
}
