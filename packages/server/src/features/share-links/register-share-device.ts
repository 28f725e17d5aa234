import { registrationPages } from '../installs/device-registration.ts'
import { explainShareLink } from './explain-share-link.ts'
import { isUnlocked, requireOpenLink, requireOpenLinkWithId, shareLinkParams } from './share-link-access.ts'
import { grantCookie } from './share-link-cookies.ts'
import { listSharedBuilds } from './share-link-download.ts'
import { sharePath, shortShareUrl } from './share-link-url.ts'
import type { ShareLinkRow } from './share-link.db.ts'

/** The pages on which visitors of a share link register an iPhone or iPad. */
export const {
  show: shareDevicePage,
  submit: enterShareDevice,
  profile: openShareDeviceProfile,
  receive: receiveShareDevice,
} = registrationPages<ShareLinkRow, typeof shareLinkParams>({
  channel: 's',
  path: '/public/share-links/:share_link_id/:share_token',
  params: shareLinkParams,
  load: requireOpenLink,
  loadById: ({ db }, id) => requireOpenLinkWithId(db, id),
  // The device that answers a profile has not opened the page itself.
  pageUrlOf: (call, { id }) =>
    call.visitedPath.startsWith('/i/')
      ? shortShareUrl(call, id)
      : new URL(sharePath(call, id), call.config.publicUrl).href,
  isOpen: (call, link) => isUnlocked(call, link, call.cookies.get(grantCookie)),
  listBuilds: listSharedBuilds,
  originOf: async (_db, { id }) => ({
    source: 'share-link',
    share_link_id: id,
    distribution_group_id: null,
    portal_id: null,
    email: null,
  }),
  explain: explainShareLink,
})
