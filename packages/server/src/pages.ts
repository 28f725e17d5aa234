import { openBuildDownload, openBuildFile } from './features/builds/open-build-file.ts'
import { downloadGroupPage, openGroupDownload } from './features/distribution-groups/download-group-page.ts'
import { groupPage } from './features/distribution-groups/group-page.ts'
import { downloadSharePage, openShareDownload } from './features/share-links/download-share-page.ts'
import { sharePage } from './features/share-links/share-page.ts'
import { unlockSharePage } from './features/share-links/unlock-share-page.ts'
import type { Page } from './http/page.ts'

/** Every page that browsers get instead of JSON. */
export const pages: Readonly<Record<string, Page>> = {
  openBuildDownload,
  openBuildFile,
  sharePage,
  unlockSharePage,
  downloadSharePage,
  openShareDownload,
  groupPage,
  downloadGroupPage,
  openGroupDownload,
}
