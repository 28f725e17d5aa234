import { reachesWholeWorkspace } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { listOf } from '../../http/endpoint/responses.ts'
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
    'at most 100 items of each kind. Storage and emails are included if the caller can access the whole workspace.',
  returns: listOf(AttentionItem),
  async handle({ db, actor, storage, clock }) {
    const items = [
      ...(await listFailingWebhooks(db, actor, periods.failedDays)).map(failingWebhook),
      ...(await listWeakWebhookSecrets(db, actor)).map(weakWebhookSecret),
      ...(await listFailedBuilds(db, actor, periods.failedDays)).map(failedBuilds),
      ...(await listExpiringProfiles(db, actor, periods.expiringProfileDays)).map(expiringProfile),
      ...(await listDueStreams(db, actor, periods.retentionDays)).map(dueStream),
      ...(await listExpiringShareLinks(db, actor, periods.expiringShareLinkDays)).map(expiringShareLinks),
      ...(await listOpenAccessRequests(db, actor)).map(openAccessRequests),
    ]
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
