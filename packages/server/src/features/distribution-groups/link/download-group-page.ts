import { page, type PageCall, type PageResponse } from '../../../http/pages/page.ts'
import { notFound } from '../../../lib/problem.ts'
import { chargePublicDownload, publicLinkLifeSeconds, requireFileLink } from '../../builds/files/download.ts'
import { listBuildsOfRelease } from '../../releases/release.db.ts'
import type { ReleaseNotificationRow } from '../release-notification.db.ts'
import { groupLinkUrl } from '../release-notification.ts'
import { explainGroupLink } from './explain-group-link.ts'
import { recordGroupDownload } from './group-link-download.ts'
import { groupLinkParams, requireUsableGroupLink } from './group-link.ts'

const definition = {
  path: '/public/group-links/:group_link_id/:group_link_token/download',
  params: groupLinkParams,
  load: requireUsableGroupLink,
  explain: explainGroupLink,
} as const

/** Starts a download from the page of a group link. Forms are used because browsers never prefetch them. */
export const downloadGroupPage = page({
  ...definition,
  method: 'POST',
  handle: ({ notification, ...call }) => startDownload(call, notification),
})

/** Starts the download if a browser opens the `download_url` of a group link. */
export const openGroupDownload = page({
  ...definition,
  method: 'GET',
  handle: async ({ notification, ...call }) =>
    call.isHead ? { location: pagePath(call, notification) } : startDownload(call, notification),
})

const pagePath = (call: PageCall, { id }: ReleaseNotificationRow): string =>
  new URL(groupLinkUrl(call, id)).pathname

/** Records a download and redirects to the file, or to the page if the visitor has to choose a build first. */
async function startDownload(call: PageCall, notification: ReleaseNotificationRow): Promise<PageResponse> {
  const { id, release_id } = notification
  const builds = await listBuildsOfRelease(call.db, release_id)
  const buildId = call.fields.get('build_id') ?? (builds.length === 1 ? builds[0]?.id : undefined)
  if (buildId === undefined) return { location: pagePath(call, notification) }
  const build = builds.find((candidate) => candidate.id === buildId)
  if (build === undefined) throw notFound()
  chargePublicDownload(call, id)
  const { file_id, location } = await requireFileLink(call, build.id, {
    fileId: call.fields.get('file_id'),
    expiresInSeconds: publicLinkLifeSeconds,
  })
  await recordGroupDownload(call, id, build, { file_id })
  return { location }
}
