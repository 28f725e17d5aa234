import { installPages } from '../installs/install.ts'
import { requireDownloadsLeft, requireOpenLinkWithId } from './share-link-access.ts'
import { listSharedBuilds, recordShareLinkDownload } from './share-link-download.ts'
import type { ShareLinkRow } from './share-link.db.ts'

/** The manifest and the package that a device requests to install a build of a share link. */
export const { manifest: openShareManifest, file: installShareBuild } = installPages<ShareLinkRow>({
  channel: 's',
  load: requireOpenLinkWithId,
  passwordHashOf: ({ password_hash }) => password_hash,
  findBuild: async (db, link, buildId) => (await listSharedBuilds(db, link)).find(({ id }) => id === buildId),
  requireDownloadsLeft,
  record: async (call, link, build, download) => {
    await recordShareLinkDownload(call, link, build, download)
  },
})
