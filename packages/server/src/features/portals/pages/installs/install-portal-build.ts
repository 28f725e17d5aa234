import { listBuildsByIds } from '../../../builds/build.db.ts'
import { installPages } from '../../../installs/install.ts'
import { recordPortalDownload } from '../download-from-portal.ts'
import { isBuildInPortal } from '../portal-contents.db.ts'
import type { PortalForVisitor } from '../visited-portal.db.ts'
import { findPortalOfInstall } from './portal-installation.ts'

/** The manifest and the package that a device requests to install a build of a portal. */
export const { manifest: openPortalManifest, file: installPortalBuild } = installPages<PortalForVisitor>({
  channel: 'p',
  load: findPortalOfInstall,
  passwordHashOf: () => null,
  async findBuild(db, portal, buildId) {
    if (!(await isBuildInPortal(db, portal.id, buildId))) return undefined
    return (await listBuildsByIds(db, [buildId]))[0]
  },
  requireDownloadsLeft: () => undefined,
  record: recordPortalDownload,
})
