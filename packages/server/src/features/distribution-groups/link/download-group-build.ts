import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { followLocation, Redirect } from '../../../http/endpoint/redirect.ts'
import { invalid } from '../../../http/endpoint/validation.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import {
  chargePublicDownload,
  publicLinkLifeSeconds,
  requireFileLinkOfQuery,
  tooManyDownloads,
} from '../../builds/files/download.ts'
import { findSelectedBuild, noBuilds, recordGroupDownload } from './group-link-download.ts'
import { DownloadQuery, groupLinkParams, groupLinkProblems, requireUsableGroupLink } from './group-link.ts'

export const downloadGroupBuild = endpoint({
  method: 'GET',
  path: '/public/group-links/:group_link_id/:group_link_token/download',
  scope: 'public',
  summary: 'Download a build via group link',
  description:
    'Redirects browsers and `curl -L -OJ` to the primary file. Each GET is recorded as a download by the person the link was sent to; HEAD returns the same response without the `Location` header and is not recorded. The `Location` URL is valid for 15 minutes. Returns 410 if the link no longer works.',
  params: groupLinkParams,
  query: DownloadQuery,
  status: 302,
  refuses: [...groupLinkProblems, noBuilds, tooManyDownloads, ...storageProblems],
  returns: Redirect,
  load: requireUsableGroupLink,
  async handle({ notification, query, ...call }) {
    const build = await findSelectedBuild(call.db, notification, query.build_id)
    if (build === undefined) throw invalid({ build_id: ['must be the ID of a build of this release.'] })
    const message = followLocation
    if (call.isHead) return { message }
    chargePublicDownload(call, notification.id)
    const { file_id, location } = await requireFileLinkOfQuery(call, build.id, {
      fileId: query.file_id,
      expiresInSeconds: publicLinkLifeSeconds,
    })
    await recordGroupDownload(call, notification.id, build, { file_id })
    return { message, location }
  },
})
