import { page } from '../../../http/pages/page.ts'
import { versionResource } from '../../builds/build.ts'
import { downloadDocument } from '../../download-pages/download-page.ts'
import { feedbackPath } from '../../feedback/form/feedback.ts'
import { iosInstallation } from '../../installs/install.ts'
import { listBuildsOfRelease, requireRelease } from '../../releases/release.db.ts'
import { findFeedbackGroup } from '../release-notification.db.ts'
import { groupLinkUrl } from '../release-notification.ts'
import { explainGroupLink } from './explain-group-link.ts'
import { groupLinkParams, requireUsableGroupLink } from './group-link.ts'

/** The page that the personal link in an email opens. Opening it records nothing. */
export const groupPage = page({
  method: 'GET',
  path: '/public/group-links/:group_link_id/:group_link_token',
  params: groupLinkParams,
  load: requireUsableGroupLink,
  explain: explainGroupLink,
  async handle({ notification, ...call }) {
    const { id, email, application_id, release_id } = notification
    const url = groupLinkUrl(call, id)
    const release = await requireRelease(call.db, application_id, release_id)
    const path = new URL(url).pathname
    const hasFeedback = (await findFeedbackGroup(call.db, notification)) !== undefined
    return downloadDocument(call, {
      applicationId: application_id,
      release: { title: release.title, version: versionResource(release).version },
      notes: release.notes,
      builds: await listBuildsOfRelease(call.db, release_id),
      path,
      ...(hasFeedback ? { feedbackPath: feedbackPath({ path }) } : {}),
      url,
      hasPreview: true,
      recipient: email,
      commands: {
        urlOf: (buildId, fileId) =>
          `${url}/download?${new URLSearchParams({ build_id: buildId, file_id: fileId }).toString()}`,
      },
      expiresAt: null,
      downloadsLeft: null,
      ios: iosInstallation(call, { channel: 'g', linkId: id, passwordHash: null, pageUrl: url }),
      isAvailable: () => true,
      remark: call.text.personalLink,
    })
  },
})
