import { openBuildDownload, openBuildFile } from './features/builds/files/open-build-file.ts'
import {
  downloadGroupPage,
  openGroupDownload,
} from './features/distribution-groups/link/download-group-page.ts'
import {
  groupFeedbackPage,
  sendGroupFeedback,
} from './features/distribution-groups/link/group-feedback-page.ts'
import { groupPage } from './features/distribution-groups/link/group-page.ts'
import {
  installGroupBuild,
  openGroupManifest,
} from './features/distribution-groups/link/install-group-build.ts'
import {
  enterGroupDevice,
  groupDevicePage,
  openGroupDeviceProfile,
  receiveGroupDevice,
} from './features/distribution-groups/link/register-group-device.ts'
import {
  changeSubscription,
  subscriptionPage,
} from './features/distribution-groups/link/subscription-page.ts'
import { openTestManifest } from './features/installs/manifest-check.ts'
import {
  changeEmailSubscription,
  emailSubscriptionPage,
} from './features/notifications/email-subscription-page.ts'
import {
  openLatestBuild,
  openLatestPublicBuild,
  openPublicReleaseBuild,
  openReleaseBuild,
} from './features/permalinks/open-permalink.ts'
import {
  downloadPortalBuild,
  downloadPortalRelease,
  openPortalBuildFile,
  openPortalReleaseFile,
} from './features/portals/pages/download-from-portal.ts'
import {
  installPortalBuild,
  openPortalManifest,
} from './features/portals/pages/installs/install-portal-build.ts'
import {
  enterPortalBuildDevice,
  enterPortalReleaseDevice,
  openPortalDeviceProfile,
  portalBuildDevicePage,
  portalReleaseDevicePage,
  receivePortalDevice,
} from './features/portals/pages/installs/register-portal-device.ts'
import {
  enterPortalCode,
  leavePortal,
  portalCodePage,
  requestPortalCode,
} from './features/portals/pages/open-private-portal.ts'
import { portalChangelogPage } from './features/portals/pages/portal-changelog-page.ts'
import { portalAtomFeed, portalJsonFeed, portalRssFeed } from './features/portals/pages/portal-feed.ts'
import {
  portalBuildFeedbackPage,
  portalReleaseFeedbackPage,
  sendPortalBuildFeedback,
  sendPortalReleaseFeedback,
} from './features/portals/pages/portal-feedback-page.ts'
import { portalFrontPage } from './features/portals/pages/portal-front-page.ts'
import { portalReleasePage } from './features/portals/pages/portal-release-page.ts'
import { portalBuildPage, portalStreamPage } from './features/portals/pages/portal-stream-page.ts'
import { downloadSharePage, openShareDownload } from './features/share-links/download-share-page.ts'
import { installShareBuild, openShareManifest } from './features/share-links/install-share-build.ts'
import {
  enterShareDevice,
  openShareDeviceProfile,
  receiveShareDevice,
  shareDevicePage,
} from './features/share-links/register-share-device.ts'
import { sendShareFeedback, shareFeedbackPage } from './features/share-links/share-feedback-page.ts'
import { sharePage } from './features/share-links/share-page.ts'
import { unlockSharePage } from './features/share-links/unlock-share-page.ts'
import type { Page } from './http/pages/page.ts'

/** Every page that browsers get instead of JSON. */
export const pages: Readonly<Record<string, Page>> = {
  openBuildDownload,
  openBuildFile,
  openReleaseBuild,
  openLatestBuild,
  openPublicReleaseBuild,
  openLatestPublicBuild,
  sharePage,
  unlockSharePage,
  downloadSharePage,
  openShareDownload,
  openTestManifest,
  openShareManifest,
  installShareBuild,
  shareDevicePage,
  enterShareDevice,
  openShareDeviceProfile,
  receiveShareDevice,
  groupPage,
  downloadGroupPage,
  openGroupDownload,
  openGroupManifest,
  installGroupBuild,
  groupDevicePage,
  enterGroupDevice,
  openGroupDeviceProfile,
  receiveGroupDevice,
  shareFeedbackPage,
  sendShareFeedback,
  groupFeedbackPage,
  sendGroupFeedback,
  subscriptionPage,
  changeSubscription,
  emailSubscriptionPage,
  changeEmailSubscription,
  portalFrontPage,
  portalChangelogPage,
  portalReleasePage,
  downloadPortalRelease,
  openPortalReleaseFile,
  portalStreamPage,
  portalBuildPage,
  downloadPortalBuild,
  openPortalBuildFile,
  openPortalManifest,
  installPortalBuild,
  portalReleaseDevicePage,
  enterPortalReleaseDevice,
  portalBuildDevicePage,
  enterPortalBuildDevice,
  openPortalDeviceProfile,
  receivePortalDevice,
  portalReleaseFeedbackPage,
  sendPortalReleaseFeedback,
  portalBuildFeedbackPage,
  sendPortalBuildFeedback,
  portalRssFeed,
  portalAtomFeed,
  portalJsonFeed,
  portalCodePage,
  requestPortalCode,
  enterPortalCode,
  leavePortal,
}
