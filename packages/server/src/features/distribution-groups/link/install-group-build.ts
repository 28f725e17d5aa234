import { installPages } from '../../installs/install.ts'
import { listBuildsOfRelease } from '../../releases/release.db.ts'
import type { ReleaseNotificationRow } from '../release-notification.db.ts'
import { recordGroupDownload } from './group-link-download.ts'
import { requireSharedNotification } from './group-link.ts'

/** The manifest and the package that a device requests to install a build of a group link. */
export const { manifest: openGroupManifest, file: installGroupBuild } = installPages<ReleaseNotificationRow>({
  channel: 'g',
  load: requireSharedNotification,
  passwordHashOf: () => null,
  findBuild: async (db, { release_id }, buildId) =>
    (await listBuildsOfRelease(db, release_id)).find(({ id }) => id === buildId),
  requireDownloadsLeft: () => undefined,
  record: (call, { id }, build, download) => recordGroupDownload(call, id, build, download),
})
