import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { sharedBuildResource, versionResource } from '../builds/build.ts'
import { listBuildsOfRelease, requireRelease } from '../releases/release.db.ts'
import { groupLinkParams, requireReachingLink, SharedRelease } from './group-link.ts'
import { groupLinkUrl } from './release-notification.ts'

export const openGroupLink = endpoint({
  method: 'GET',
  path: '/public/group-links/:group_link_id/:group_link_token',
  scope: 'public',
  summary: 'See the release of a personal link',
  description:
    'The link of a mail to a member of a distribution group. 410 says why it stopped: the person left every active group that has the release, the release was taken away or deleted, or its group or application was.',
  params: groupLinkParams,
  returns: one(SharedRelease),
  visible: requireReachingLink,
  async handle({ notification, ...call }) {
    const { application_id, application_name, release_id } = notification
    const release = await requireRelease(call.db, application_id, release_id)
    const builds = await listBuildsOfRelease(call.db, release_id)
    const { title, notes } = release
    return {
      message: 'Release opened.',
      data: {
        application_name,
        title,
        version: versionResource(release).version,
        notes,
        download_url: `${groupLinkUrl(call, notification.id)}/download`,
        builds: builds.map(sharedBuildResource),
      },
    }
  },
})
