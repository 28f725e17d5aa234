import { page, type PageCall } from '../../http/pages/page.ts'
import { versionResource } from '../builds/build.ts'
import { downloadDocument, passwordDocument } from '../download-pages/download-page.ts'
import { feedbackPath } from '../feedback/form/feedback.ts'
import { iosInstallation } from '../installs/install.ts'
import { requireRelease } from '../releases/release.db.ts'
import { explainShareLink } from './explain-share-link.ts'
import { isUnlocked, requireOpenLink, shareLinkParams } from './share-link-access.ts'
import { grantCookie } from './share-link-cookies.ts'
import { listSharedBuilds, requireDownloadsForVisitor } from './share-link-download.ts'
import { createTicket } from './share-link-ticket.ts'
import { sharePath, shortShareUrl } from './share-link-url.ts'
import type { ShareLinkRow } from './share-link.db.ts'

/** The page that a share link opens in a browser. Opening it counts nothing. */
export const sharePage = page({
  method: 'GET',
  path: '/public/share-links/:share_link_id/:share_token',
  params: shareLinkParams,
  load: requireOpenLink,
  explain: explainShareLink,
  async handle({ link, ...call }) {
    const builds = await listSharedBuilds(call.db, link)
    const resumable = await requireDownloadsForVisitor(call, link, builds)
    const path = sharePath(call, link.id)
    if (!isUnlocked(call, link, call.cookies.get(grantCookie))) return passwordDocument({ path }, call.text)
    const release =
      link.release_id === null
        ? undefined
        : await requireRelease(call.db, link.application_id, link.release_id)
    const downloadsLeft = link.max_downloads === null ? null : link.max_downloads - link.download_count
    return downloadDocument(call, {
      applicationId: link.application_id,
      ...(release && { release: { title: release.title, version: versionResource(release).version } }),
      notes: release === undefined ? (builds[0]?.notes ?? null) : release.notes,
      builds,
      path,
      expiresAt: link.expires_at,
      downloadsLeft,
      url: shortShareUrl(call, link.id),
      // The preview of a link with a password would show more than the form.
      hasPreview: link.password_hash === null,
      ...(link.feedback_enabled ? { feedbackPath: feedbackPath({ path }) } : {}),
      ios: iosInstallation(call, {
        channel: 's',
        linkId: link.id,
        passwordHash: link.password_hash,
        pageUrl: new URL(path, call.config.publicUrl).href,
      }),
      commands: commandsOf(call, link, downloadsLeft),
      isAvailable: (id) => downloadsLeft !== 0 || resumable.has(id),
    })
  },
})

/** Returns the commands of a page whose visitor has entered the password, if there is one. */
function commandsOf(
  call: Pick<PageCall, 'config' | 'secretBox' | 'text'>,
  link: ShareLinkRow,
  downloadsLeft: number | null,
) {
  const { counted, limitedTime } = call.text.verify
  // All files of a build are one download.
  const tickets = new Map<string, string>()
  return {
    urlOf(buildId: string, fileId: string) {
      if (downloadsLeft === 0) return undefined
      const ticket = tickets.get(buildId) ?? createTicket(call, link)
      tickets.set(buildId, ticket)
      const query = new URLSearchParams({ build_id: buildId, file_id: fileId, ticket })
      return `${shortShareUrl(call, link.id)}/download?${query.toString()}`
    },
    ...(downloadsLeft === null ? {} : { remark: counted }),
    ...(link.password_hash === null ? {} : { remark: limitedTime }),
  }
}
