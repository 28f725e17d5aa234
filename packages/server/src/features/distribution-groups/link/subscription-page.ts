import { Type, type Static } from 'typebox'
import { inTransaction, type Db } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { PathId } from '../../../http/endpoint/fields.ts'
import type { DocumentContent } from '../../../http/pages/document.ts'
import type { Explanation } from '../../../http/pages/error-page.ts'
import { page, type PageCall } from '../../../http/pages/page.ts'
import { subscriptionDocument } from '../../../http/pages/subscription-document.ts'
import type { VisitorText } from '../../../http/pages/text/english.ts'
import { html } from '../../../lib/html.ts'
import { notFound, type Problem } from '../../../lib/problem.ts'
import { findSubscription, setMemberDigest, setSubscribed } from '../distribution-group-member.db.ts'
import { digests } from '../distribution-group.ts'
import { isSubscriptionToken, subscriptionUrl } from './subscription.ts'

const params = Type.Object({
  member_id: PathId('ID of the member.'),
  member_token: PathId('Secret segment of the URL.'),
})

async function load(call: { db: Db; secretBox: Deps['secretBox']; params: Static<typeof params> }) {
  const { member_id: id, member_token: token } = call.params
  const subscription = isSubscriptionToken(call, id, token) ? await findSubscription(call.db, id) : undefined
  if (subscription === undefined) throw notFound()
  return { subscription }
}

const definition = {
  path: '/public/group-subscriptions/:member_id/:member_token',
  params,
  load,
  isForEveryClient: true,
  explain: ({ code }: Problem, { subscription }: VisitorText): Explanation | undefined =>
    code === 'resource.not_found' ? { ...subscription.notFound, symbol: 'search' } : undefined,
} as const

/** The page that the link in an email opens. It changes nothing, because mail scanners open links. */
export const subscriptionPage = page({
  ...definition,
  method: 'GET',
  handle: async ({ subscription, ...call }) => groupDocument(call, subscription),
})

/**
 * Ends or renews the subscription. Mail services send `List-Unsubscribe=One-Click` as a form of any type and must not
 * be redirected (RFC 8058); only the form of the page says `subscribe`.
 */
export const changeSubscription = page({
  ...definition,
  method: 'POST',
  async handle({ subscription: { id }, ...call }) {
    if (call.fields.get('action') === 'digest') return changeDigest(call, id)
    const isSubscribed = call.fields.get('action') === 'subscribe'
    const changed = await inTransaction(call.db, async (tx) => {
      const hasChanged = await setSubscribed(tx, id, isSubscribed)
      const after = await findSubscription(tx, id)
      if (after === undefined) throw notFound()
      const { workspace_id: workspaceId, group_id: groupId, group_name: name, email } = after
      if (hasChanged)
        await recordEvent(
          tx,
          {
            actor: { via: 'system', id: null, name: 'Unsubscribe link', workspaceId },
            address: call.address,
          },
          {
            action: `distribution_group.member_${isSubscribed ? 'subscribed' : 'unsubscribed'}`,
            applicationId: null,
            subject: { type: 'distribution_group', id: groupId },
            before: { name },
            after: { name, email },
          },
        )
      return after
    })
    return groupDocument(call, changed)
  },
})

async function changeDigest(call: PageCall, memberId: string): Promise<DocumentContent> {
  const digest = digests.find((each) => each === call.fields.get('digest'))
  const saved = await inTransaction(call.db, async (tx) => {
    if (digest !== undefined) await setMemberDigest(tx, memberId, digest)
    return findSubscription(tx, memberId)
  })
  if (saved === undefined) throw notFound()
  return groupDocument(call, saved, digest !== undefined)
}

type Subscription = {
  id: string
  email: string
  group_name: string
  unsubscribed_at: string | null
  digest: string | null
  group_digest: string
}

function groupDocument(call: PageCall, subscription: Subscription, isSaved = false): DocumentContent {
  const isSubscribed = subscription.unsubscribed_at === null
  const path = new URL(subscriptionUrl(call, subscription.id).url).pathname
  return subscriptionDocument(call.text.subscription, {
    isSubscribed,
    email: subscription.email,
    sender: subscription.group_name,
    path,
    choices: isSubscribed && frequencyForm(call, subscription, path, isSaved),
  })
}

/** The choice between an email per release and a summary. */
function frequencyForm(call: PageCall, subscription: Subscription, path: string, isSaved: boolean) {
  const text = call.text.subscription
  const selected = subscription.digest ?? subscription.group_digest
  const options = digests.map(
    (digest) =>
      html`<option value="${digest}" ${digest === selected && html` selected`}>
        ${text.digests[digest]}
      </option>`,
  )
  return html`<form method="post" action="${path}">
    <input type="hidden" name="action" value="digest" />
    <label for="digest">${text.frequency}</label>
    <select id="digest" name="digest">
      ${options}
    </select>
    <button class="secondary">${text.save}</button>
    ${isSaved && html`<p role="status">${text.saved}</p>`}
  </form>`
}
