import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { notFound } from '../../lib/problem.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import {
  chargePublicDownload,
  downloadFields,
  downloadLinks,
  tooManyDownloads,
} from '../builds/files/download.ts'
import { passwordRequired, requireOpenLink, shareLinkParams, shareLinkProblems } from './share-link-access.ts'
import {
  DownloadSelection,
  notResumable,
  recordShareLinkDownload,
  Resume,
  selectDownload,
} from './share-link-download.ts'

export const createLinkDownload = endpoint({
  method: 'POST',
  path: '/public/share-links/:share_link_id/:share_token/downloads',
  scope: 'public',
  summary: 'Create download links via share link',
  description:
    'Each call without `resume` counts as one download. The URLs are valid for 15 minutes, even if the link is revoked or the build is deleted in the meantime; a download that has begun is not interrupted. Returns 410 once the link has reached its download limit.',
  params: shareLinkParams,
  body: DownloadSelection,
  refuses: [...shareLinkProblems, passwordRequired, notResumable, tooManyDownloads, ...storageProblems],
  returns: Type.Object({ message: Type.String(), ...downloadFields, resume: Resume }),
  load: requireOpenLink,
  async handle({ link, body, ...call }) {
    const { build, resumed, lifeSeconds } = await selectDownload(call, link, body)
    if (build === undefined) throw notFound()
    chargePublicDownload(call, link.id)
    const links = await downloadLinks(call, build.id, lifeSeconds)
    const message = 'Download links created.'
    if (resumed?.resume !== undefined) return { message, ...links, resume: resumed.resume }
    return { message, ...links, ...(await recordShareLinkDownload(call, link, build)) }
  },
})
