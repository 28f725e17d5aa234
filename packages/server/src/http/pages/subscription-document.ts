import { html, type Fragment } from '../../lib/html.ts'
import { symbol } from '../endpoint/symbols.ts'
import type { DocumentContent } from './document.ts'

type SubscriptionText = Record<'title' | 'unsubscribedTitle' | 'unsubscribe' | 'subscribe', string> &
  Record<'subscribed' | 'unsubscribed', (email: Fragment, sender: Fragment) => Fragment>

type Subscription = {
  isSubscribed: boolean
  email: string
  /** The name of the group or workspace whose emails the person gets. */
  sender: string
  /** Path to which the form is sent. */
  path: string
  /** Forms for what else can be chosen. */
  choices?: Fragment | false
}

/** Returns the page on which people end the emails that they get, or renew them. */
export function subscriptionDocument(
  text: SubscriptionText,
  { isSubscribed, email, sender, path, choices = false }: Subscription,
): DocumentContent {
  const title = isSubscribed ? text.title : text.unsubscribedTitle
  const sentence = isSubscribed ? text.subscribed : text.unsubscribed
  const body = html`<div class="card notice">
    <div class="symbol">${symbol(isSubscribed ? 'mail' : 'off')}</div>
    <h1>${title}</h1>
    <p>${sentence(html`<strong>${email}</strong>`, html`<strong>${sender}</strong>`)}</p>
    ${choices}
    <form method="post" action="${path}">
      <input type="hidden" name="action" value="${isSubscribed ? 'unsubscribe' : 'subscribe'}" />
      <button class="${isSubscribed ? '' : 'secondary'}">
        ${isSubscribed ? text.unsubscribe : text.subscribe}
      </button>
    </form>
  </div>`
  return { title, body }
}
