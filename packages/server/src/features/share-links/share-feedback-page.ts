import type { Tx } from '../../database/transaction.ts'
import { page, type PageCall } from '../../http/pages/page.ts'
import { notFound } from '../../lib/problem.ts'
import { maxFormBytes, sendFeedback, showFeedback } from '../feedback/form/feedback.ts'
import { explainShareLink } from './explain-share-link.ts'
import { isUnlocked, requireOpenLink, shareLinkParams } from './share-link-access.ts'
import { grantCookie } from './share-link-cookies.ts'
import { listSharedBuilds, requireDownloadsForVisitor } from './share-link-download.ts'
import { sharePath } from './share-link-url.ts'
import type { ShareLinkRow } from './share-link.db.ts'

const definition = {
  path: '/public/share-links/:share_link_id/:share_token/feedback',
  params: shareLinkParams,
  isForEveryClient: true,
  load: loadLink,
  explain: explainShareLink,
} as const

type LinkCall = Parameters<typeof requireOpenLink>[0]

/** Loads a link that accepts feedback; throws 404 if its feedback is turned off. */
async function loadLink(call: LinkCall) {
  const { link } = await requireOpenLink(call)
  if (!link.feedback_enabled) throw notFound()
  return { link }
}

/** The form with which visitors of a share link send feedback, or the confirmation that it was sent. */
export const shareFeedbackPage = page({
  ...definition,
  method: 'GET',
  async handle({ link, ...call }) {
    const opened = await openPage(call, link)
    if (opened.location !== undefined) return { location: opened.location }
    return showFeedback(call, opened)
  },
})

/** Accepts the form. */
export const sendShareFeedback = page({
  ...definition,
  method: 'POST',
  maxFormBytes,
  async handle({ link, ...call }) {
    const opened = await openPage(call, link)
    if (opened.location !== undefined) return { location: opened.location }
    const requireSource = async (tx: Tx) => {
      await loadLink({ ...call, db: tx })
      return { channel: 'share-link' as const, share_link_id: link.id }
    }
    return sendFeedback(call, { ...opened, linkId: link.id, requireSource })
  },
})

/**
 * Returns the page, or redirects to the password form. Throws 410 if the download limit is reached and the visitor has
 * not downloaded a build.
 */
async function openPage(call: PageCall, link: ShareLinkRow) {
  const path = sharePath(call, link.id)
  const builds = await listSharedBuilds(call.db, link)
  await requireDownloadsForVisitor(call, link, builds)
  if (!isUnlocked(call, link, call.cookies.get(grantCookie))) return { location: path }
  return { applicationId: link.application_id, builds, path }
}
