import { platformResource } from '../../catalog/platforms.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { feedbackMail } from '../../http/mails/feedback.mail.ts'
import { versionWithNumber } from '../builds/build.ts'
import { enqueueMails } from '../mails/mail.ts'
import { listSubscriberAddresses, requireNoticeNames, takeNotice } from './feedback-notice.db.ts'
import type { FeedbackRow } from './feedback.db.ts'

/** Returns the page of the console that shows feedback. */
const consoleUrl = ({ publicUrl }: Deps['config'], { application_id, id }: FeedbackRow): string =>
  `${publicUrl}/applications/${application_id}/feedback?id=${id}`

/** Emails feedback to the subscribers of its application, at most once in 15 minutes for each build. */
export async function notifySubscribers(
  tx: Tx,
  sending: Pick<Deps, 'queue' | 'mailer' | 'config'>,
  row: FeedbackRow,
): Promise<void> {
  const addresses = await listSubscriberAddresses(tx, row.application_id)
  if (addresses.length === 0 || !(await takeNotice(tx, row.build_id))) return
  const mail = feedbackMail.render({
    ...(await requireNoticeNames(tx, row.application_id)),
    build: `${platformResource(row.platform).name} ${versionWithNumber(row)}`,
    text: row.text,
    rating: row.rating,
    sender: row.name ?? row.email,
    device: [row.device, row.os].filter((part) => part !== null).join(' · '),
    screenshotCount: row.screenshots.length,
    url: consoleUrl(sending.config, row),
  })
  const mails = addresses.map((to) => ({ workspaceId: row.workspace_id, to, ...mail }))
  await enqueueMails(tx, sending, mails)
}
