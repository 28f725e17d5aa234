import type { PageCall } from '../../../http/pages/page.ts'
import { downloadDocument } from '../../download-pages/download-page.ts'
import { feedbackPath } from '../../feedback/form/feedback.ts'
import { iosInstallationOf } from './installs/portal-installation.ts'
import type { VisitedPortal } from './visited-portal.ts'

type Shown = Pick<Parameters<typeof downloadDocument>[1], 'applicationId' | 'release' | 'notes' | 'builds'>

/** Renders the downloads of a release or build, whose page is at this path below that of the portal. */
export function downloadsAt(call: PageCall, portal: VisitedPortal, pagePath: string, shown: Shown) {
  const path = `${portal.base}${pagePath}`
  const url = `${portal.url}${pagePath}`
  const isPublic = portal.type === 'public'
  const urlOf = (buildId: string, fileId: string) =>
    isPublic
      ? `${url}/download?${new URLSearchParams({ build_id: buildId, file_id: fileId }).toString()}`
      : undefined
  return downloadDocument(call, {
    ...shown,
    path,
    url,
    ...(portal.feedback_enabled ? { feedbackPath: feedbackPath({ path }) } : {}),
    expiresAt: null,
    downloadsLeft: null,
    isAvailable: () => true,
    // Only a public portal can be opened without cookies.
    hasPreview: isPublic,
    commands: { urlOf },
    ios: iosInstallationOf(call, portal, url),
  })
}
