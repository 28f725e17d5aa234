import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { notFound } from '../../../lib/problem.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import {
  chargePublicDownload,
  downloadFields,
  downloadLinks,
  publicLinkLifeSeconds,
  tooManyDownloads,
} from '../../builds/files/download.ts'
import { findSelectedBuild, noBuilds, recordGroupDownload } from './group-link-download.ts'
import { BuildSelection, groupLinkParams, groupLinkProblems, requireUsableGroupLink } from './group-link.ts'

export const createGroupDownload = endpoint({
  method: 'POST',
  path: '/public/group-links/:group_link_id/:group_link_token/downloads',
  scope: 'public',
  summary: 'Create download links via group link',
  description:
    'Each call is recorded as a download by the person the link was sent to. The URLs are valid for 15 minutes. Returns 410 if the link no longer works.',
  params: groupLinkParams,
  body: BuildSelection,
  refuses: [...groupLinkProblems, noBuilds, tooManyDownloads, ...storageProblems],
  returns: Type.Object({ message: Type.String(), ...downloadFields }),
  load: requireUsableGroupLink,
  async handle({ notification, body, ...call }) {
    const build = await findSelectedBuild(call.db, notification, body.build_id)
    if (build === undefined) throw notFound()
    chargePublicDownload(call, notification.id)
    const links = await downloadLinks(call, build.id, publicLinkLifeSeconds)
    await recordGroupDownload(call, notification.id, build)
    return { message: 'Download links created.', ...links }
  },
})
