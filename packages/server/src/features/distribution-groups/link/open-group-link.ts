import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { versionResource } from '../../builds/build.ts'
import { sharedBuildResources } from '../../download-pages/download-page.ts'
import { listBuildsOfRelease, requireRelease } from '../../releases/release.db.ts'
import { groupLinkUrl } from '../release-notification.ts'
import { groupLinkParams, groupLinkProblems, requireUsableGroupLink, SharedRelease } from './group-link.ts'

export const openGroupLink = endpoint({
  method: 'GET',
  path: '/public/group-links/:group_link_id/:group_link_token',
  scope: 'public',
  summary: 'Get a release via group link',
  description:
    'Returns the release for the personal link in an email to a distribution group member. If the link no longer works, returns 410 with the reason: the recipient is no longer in an active group that has the release, the release was withdrawn, or the release, its group or its application was deleted.',
  params: groupLinkParams,
  refuses: [...groupLinkProblems],
  returns: one(SharedRelease),
  load: requireUsableGroupLink,
  async handle({ notification, ...call }) {
    const { application_id, application_name, release_id } = notification
    const release = await requireRelease(call.db, application_id, release_id)
    const builds = await listBuildsOfRelease(call.db, release_id)
    const { title, notes } = release
    return {
      message: 'Release retrieved.',
      data: {
        application_name,
        title,
        version: versionResource(release).version,
        notes,
        download_url: `${groupLinkUrl(call, notification.id)}/download`,
        builds: await sharedBuildResources(call.db, builds),
      },
    }
  },
})
