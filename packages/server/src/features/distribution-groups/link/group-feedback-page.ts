import type { Static } from 'typebox'
import type { Db, Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { page, type PageCall } from '../../../http/pages/page.ts'
import { notFound } from '../../../lib/problem.ts'
import { maxFormBytes, sendFeedback, showFeedback } from '../../feedback/form/feedback.ts'
import { listBuildsOfRelease } from '../../releases/release.db.ts'
import { findFeedbackGroup, type ReleaseNotificationRow } from '../release-notification.db.ts'
import { groupLinkUrl } from '../release-notification.ts'
import { explainGroupLink } from './explain-group-link.ts'
import { groupLinkParams, requireUsableGroupLink } from './group-link.ts'

type LinkCall = { db: Db; secretBox: Deps['secretBox']; params: Static<typeof groupLinkParams> }

/** Loads a link that accepts feedback; throws 404 if no group of the recipient with the release does. */
async function loadNotification(call: LinkCall) {
  const { notification } = await requireUsableGroupLink(call)
  const groupId = await findFeedbackGroup(call.db, notification)
  if (groupId === undefined) throw notFound()
  return { notification, groupId }
}

const definition = {
  path: '/public/group-links/:group_link_id/:group_link_token/feedback',
  params: groupLinkParams,
  isForEveryClient: true,
  load: loadNotification,
  explain: explainGroupLink,
} as const

/** The form with which the recipient of a release sends feedback, or the confirmation that it was sent. */
export const groupFeedbackPage = page({
  ...definition,
  method: 'GET',
  async handle({ notification, ...call }) {
    const opened = await openPage(call, notification)
    return showFeedback(call, opened)
  },
})

/** Accepts the form. */
export const sendGroupFeedback = page({
  ...definition,
  method: 'POST',
  maxFormBytes,
  async handle({ notification, ...call }) {
    const requireSource = async (tx: Tx) => {
      const { groupId } = await loadNotification({ ...call, db: tx })
      return { channel: 'distribution-group' as const, distribution_group_id: groupId }
    }
    const opened = await openPage(call, notification)
    return sendFeedback(call, { ...opened, linkId: notification.id, requireSource })
  },
})

async function openPage(call: PageCall, notification: ReleaseNotificationRow) {
  const { id, application_id, release_id, email } = notification
  return {
    applicationId: application_id,
    builds: await listBuildsOfRelease(call.db, release_id),
    path: new URL(groupLinkUrl(call, id)).pathname,
    email,
  }
}
