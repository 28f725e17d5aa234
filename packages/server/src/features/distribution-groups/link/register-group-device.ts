import { registrationPages } from '../../installs/device-registration.ts'
import { listBuildsOfRelease } from '../../releases/release.db.ts'
import { findSharingGroup, type ReleaseNotificationRow } from '../release-notification.db.ts'
import { groupLinkUrl } from '../release-notification.ts'
import { explainGroupLink } from './explain-group-link.ts'
import { groupLinkParams, requireSharedNotification, requireUsableGroupLink } from './group-link.ts'

/** The pages on which members of a group register an iPhone or iPad. */
export const {
  show: groupDevicePage,
  submit: enterGroupDevice,
  profile: openGroupDeviceProfile,
  receive: receiveGroupDevice,
} = registrationPages<ReleaseNotificationRow, typeof groupLinkParams>({
  channel: 'g',
  path: '/public/group-links/:group_link_id/:group_link_token',
  params: groupLinkParams,
  load: async (call) => ({ link: (await requireUsableGroupLink(call)).notification }),
  loadById: ({ db }, id) => requireSharedNotification(db, id),
  pageUrlOf: (call, { id }) => groupLinkUrl(call, id),
  isOpen: () => true,
  listBuilds: (db, { release_id }) => listBuildsOfRelease(db, release_id),
  originOf: async (db, notification) => ({
    source: 'distribution-group',
    share_link_id: null,
    distribution_group_id: (await findSharingGroup(db, notification)) ?? null,
    portal_id: null,
    email: notification.email,
  }),
  explain: explainGroupLink,
})
