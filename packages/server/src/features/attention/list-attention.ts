import type { Static } from 'typebox'
import { reachesWholeWorkspace } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import type { Scope } from '../../http/endpoint/scopes.ts'
import {
  countFailedMails,
  listDueStreams,
  listExpiringProfiles,
  listExpiringShareLinks,
  listFailedBuilds,
  listFailingWebhooks,
  listOpenAccessRequests,
  listWeakWebhookSecrets,
} from './attention.db.ts'
import {
  AttentionItem,
  dueStream,
  expiringProfile,
  expiringShareLinks,
  failedBuilds,
  failedMails,
  failingWebhook,
  lowStorage,
  openAccessRequests,
  periods,
  weakWebhookSecret,
} from './attention.ts'

export const listAttention = endpoint({
  method: 'GET',
  path: '/workspace/attention',
  scope: { workspace: 'workspace:read' },
  summary: 'List items that need attention',
  description:
    'Lists problems and upcoming deadlines in the applications that the caller can access, latest `since` first, with ' +
    'at most 100 items of each kind. Keys get only items about what they can read: those about webhooks require ' +
    '`webhooks:read`, those about builds and streams `builds:read`, and those about share links `share_links:read`. ' +
    'Storage and emails are included if the caller can access the whole workspace.',
  returns: listOf(AttentionItem),
  async handle({ db, actor, storage, clock }) {
    // Every role in an application includes these scopes.
    const mayRead = (scope: Scope) => actor.session !== null || actor.scopes.has(scope)
    const items: Static<typeof AttentionItem>[] = []
    if (mayRead('webhooks:read')) {
      items.push(...(await listFailingWebhooks(db, actor, periods.failedDays)).map(failingWebhook))
      items.push(...(await listWeakWebhookSecrets(db, actor)).map(weakWebhookSecret))
    }
    if (mayRead('builds:read')) {
      items.push(...(await listFailedBuilds(db, actor, periods.failedDays)).map(failedBuilds))
      items.push(...(await listExpiringProfiles(db, actor, periods.expiringProfileDays)).map(expiringProfile))
      items.push(...(await listDueStreams(db, actor, periods.retentionDays)).map(dueStream))
    }
    if (mayRead('share_links:read'))
      items.push(
        ...(await listExpiringShareLinks(db, actor, periods.expiringShareLinkDays)).map(expiringShareLinks),
      )
    items.push(...(await listOpenAccessRequests(db, actor)).map(openAccessRequests))
    if (reachesWholeWorkspace(actor)) {
      items.push(...failedMails(await countFailedMails(db, actor.workspaceId, periods.failedDays)))
      items.push(...lowStorage(await storage.findCapacity(), clock.now()))
    }
    return {
      message: 'Items retrieved.',
      data: items.toSorted((one, other) => (one.since > other.since ? -1 : 1)),
    }
  },
})
