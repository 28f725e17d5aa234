import { Type, type Static } from 'typebox'
import { lockMember } from '../../access/member.db.ts'
import { inTransaction, type Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import type { DocumentContent } from '../../http/pages/document.ts'
import type { Explanation } from '../../http/pages/error-page.ts'
import { page, type PageCall } from '../../http/pages/page.ts'
import { subscriptionDocument } from '../../http/pages/subscription-document.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import { notFound, type Problem } from '../../lib/problem.ts'
import { emailSubscriptionUrl, isEmailSubscriptionToken } from './email-subscription.ts'
import {
  findEmailRecipient,
  findResumedMode,
  findSettings,
  saveSettings,
} from './notification-settings.db.ts'

const params = Type.Object({
  workspace_id: PathId('ID of the workspace.'),
  user_id: PathId('ID of the person.'),
  notification_token: PathId('Secret segment of the URL.'),
})

async function load(call: { db: Db; secretBox: Deps['secretBox']; params: Static<typeof params> }) {
  const { workspace_id: workspaceId, user_id: userId, notification_token: token } = call.params
  const member = { workspaceId, userId }
  const recipient = isEmailSubscriptionToken(call, member, token)
    ? await findEmailRecipient(call.db, member)
    : undefined
  if (recipient === undefined) throw notFound()
  return { recipient: { ...recipient, ...member } }
}

const definition = {
  path: '/public/notification-emails/:workspace_id/:user_id/:notification_token',
  params,
  load,
  isForEveryClient: true,
  explain: ({ code }: Problem, { notificationEmails }: VisitorText): Explanation | undefined =>
    code === 'resource.not_found' ? { ...notificationEmails.notFound, symbol: 'search' } : undefined,
} as const

/** The page that the link in an email opens. It changes nothing, because mail scanners open links. */
export const emailSubscriptionPage = page({
  ...definition,
  method: 'GET',
  handle: async ({ recipient, ...call }) =>
    emailDocument(call, recipient, (await findSettings(call.db, recipient)).email),
})

/**
 * Ends or renews the emails. Mail services send `List-Unsubscribe=One-Click` as a form of any type and must not be
 * redirected (RFC 8058); only the form of the page says `subscribe`.
 */
export const changeEmailSubscription = page({
  ...definition,
  method: 'POST',
  async handle({ recipient, ...call }) {
    const email = await inTransaction(call.db, async (tx) => {
      if (!(await lockMember(tx, recipient))) throw notFound()
      const mode = call.fields.get('action') === 'subscribe' ? await findResumedMode(tx, recipient) : 'none'
      await saveSettings(tx, recipient, { ...(await findSettings(tx, recipient)), email: mode })
      return mode
    })
    return emailDocument(call, recipient, email)
  },
})

type Recipient = { workspaceId: string; userId: string; email: string; workspace_name: string }

const emailDocument = (call: PageCall, recipient: Recipient, mode: string): DocumentContent =>
  subscriptionDocument(call.text.notificationEmails, {
    isSubscribed: mode !== 'none',
    email: recipient.email,
    sender: recipient.workspace_name,
    path: new URL(emailSubscriptionUrl(call, recipient).url).pathname,
  })
