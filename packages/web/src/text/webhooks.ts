import type { Webhook, WebhookRequest } from '@quayside/sdk'
import { plural } from '../ui/format/bytes.ts'

export const formatNames: Record<Webhook['format'], string> = {
  json: 'JSON',
  form: 'Form',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
}

export const formatHelp: Record<Webhook['format'], string> = {
  json: 'The event as JSON.',
  form: 'The JSON in a form field named payload, for receivers that cannot read JSON bodies.',
  slack: 'A message for a Slack incoming webhook.',
  discord: 'A message for a Discord channel webhook.',
  teams: 'A message for a Microsoft Teams workflow that starts when a webhook request is received.',
}

export const stateNames: Record<WebhookRequest['state'], string> = {
  delivered: 'Delivered',
  waiting: 'Waiting',
  failed: 'Failed',
}

export const webhookText = {
  noWebhooks:
    'A webhook sends a request to your URL when something happens, such as a new build in a stream. It can also post to Slack, Discord and Microsoft Teams.',
  noDeliveries:
    'The webhook sends a request when its event occurs. Send a test to see what your receiver gets.',
  noMatchingDeliveries: 'No requests match. Requests are kept for 30 days.',
  noDelivery: 'This webhook has no such request. Select another one.',
  selectDelivery: 'Select a request to see what was sent and what the receiver responded.',
  failing: 'The receiver is failing. Requests are retried for 24 hours after the first attempt.',
  inErrorState:
    'All attempts to deliver a request have failed. Once your receiver works again, redeliver the failed requests.',
  inactive:
    'This webhook is off and sends no requests. It may have been switched off because all requests failed for five days or the receiver no longer exists.',
  deleteWebhook: 'Its requests are deleted as well. This cannot be undone.',
  switchOff: 'Waiting requests are canceled. Events that occur while the webhook is off are not sent.',
  secretOnce: 'Copy the secret now. It is stored encrypted and cannot be shown again.',
  rotation:
    'The previous secret stays valid for 24 hours. Until then, each request is signed with both, so that you have time to update your receiver.',
  weakSecret:
    'The secret of this webhook can be guessed, so your receiver may accept forged requests. Earlier versions accepted such secrets. Rotate the secret, then update your receiver.',
  rotate: 'A new secret is generated and shown once.',
  chatSecret: 'Chat services do not verify signatures, so no secret is necessary.',
  notRecorded: 'Earlier attempts were not recorded.',
  redeliver:
    'Requests are sent again in their original order, to the current URL. Tests, waiting requests and redelivered requests are skipped.',
  checker: 'Paste a request that your receiver got, and the webhook secret. Both stay in this browser.',
  checkerNeedsHttps:
    'Browsers verify signatures only over HTTPS or on localhost. Open the console over HTTPS to use the checker.',
  sampleOfNewest: 'Uses the most recent build or release.',
  curl: 'Signatures are not recorded, so the command sends the request without one.',
  sending: 'Sending …',
  notSent: 'This request has not been sent yet.',
  noResponse: 'The receiver did not respond.',
  created: 'Webhook created.',
  saved: 'Webhook saved.',
  deleted: 'Webhook deleted.',
  switchedOn: 'Webhook switched on.',
  switchedOff: 'Webhook switched off.',
  testQueued: 'Test request queued.',
  queued: (count: number) =>
    count === 0 ? 'No requests to redeliver.' : `${plural(count, 'request')} queued for redelivery.`,
  lostRequests: 'For a receiver that responded but lost the requests.',
  emptyBody: 'The body is empty.',
  rawBody: 'Exactly as it was received, before parsing.',
  oldSignature: (age: string) =>
    `The request was signed ${age}; most libraries reject requests that are more than five minutes old.`,
} as const
