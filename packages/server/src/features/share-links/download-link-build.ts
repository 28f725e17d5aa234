import { Type } from 'typebox'
import { outOfSpace } from '../../database/errors.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { followLocation, Redirect } from '../../http/endpoint/redirect.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { notFound } from '../../lib/problem.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { chargePublicDownload, requireFileLinkOfQuery, tooManyDownloads } from '../builds/files/download.ts'
import { passwordRequired, requireOpenLink, shareLinkParams, shareLinkProblems } from './share-link-access.ts'
import {
  DownloadQuery,
  notResumable,
  recordShareLinkDownload,
  Resume,
  selectDownload,
} from './share-link-download.ts'
import { ticketExpired } from './share-link-ticket.ts'

export const downloadLinkBuild = endpoint({
  method: 'GET',
  path: '/public/share-links/:share_link_id/:share_token/download',
  scope: 'public',
  summary: 'Download a build via share link',
  description:
    'Redirects browsers and `curl -L -OJ` to the primary file. Each GET without `resume` counts as one download, regardless of its `Range` header; HEAD returns the same response without the `Location` header and does not count. The `Location` URL is valid for 15 minutes, even if the link is revoked or the build is deleted in the meantime; a download that has begun is not interrupted. To resume an interrupted download without counting it again, send the `Range` header to that URL, or get a new one with `resume`. Returns 410 once the link has reached its download limit.',
  params: shareLinkParams,
  query: DownloadQuery,
  status: 302,
  refuses: [
    ...shareLinkProblems,
    passwordRequired,
    notResumable,
    ticketExpired,
    tooManyDownloads,
    ...storageProblems,
    outOfSpace,
  ],
  returns: Type.Object({ ...Redirect.properties, resume: Resume }, { title: 'ShareLinkRedirect' }),
  load: requireOpenLink,
  async handle({ link, query, ...call }) {
    const { build, resumed, lifeSeconds, downloadId } = await selectDownload(call, link, query)
    if (build === undefined)
      throw query.build_id === undefined
        ? notFound()
        : invalid({ build_id: ['must be the ID of a build that this link shares.'] })
    const message = followLocation
    if (call.isHead) return { message }
    chargePublicDownload(call, link.id)
    const file = { fileId: query.file_id, expiresInSeconds: lifeSeconds }
    const { file_id, location } = await requireFileLinkOfQuery(call, build.id, file)
    if (resumed !== undefined)
      return { message, location, ...(resumed.resume === undefined ? {} : { resume: resumed.resume }) }
    const download = { file_id, id: downloadId }
    return { message, location, ...(await recordShareLinkDownload(call, link, build, download)) }
  },
})
