import type { Dependents } from './deps.ts'
import { revokeKeysOfMember } from './features/api-keys/key-descendants.ts'
import { setMissingApplicationIcon } from './features/applications/change-application-icon.ts'
import { moveSomeBuildsOfStream } from './features/builds/move-builds-of-stream.ts'
import { requireStreamUnpublished } from './features/channels/channel.ts'
import { recordBounce } from './features/distribution-groups/bounce.ts'
import { notifyGroupsOfReleases } from './features/distribution-groups/notify-members.ts'
import { notifyMentioned } from './features/notifications/mention.ts'
import {
  insertAccessNotices,
  insertNotificationsForEvents,
} from './features/notifications/notification-match.db.ts'
import { deletePortalStreams } from './features/portals/portal-application.db.ts'
import { deleteTrustedPublishers } from './features/trusted-publishers/delete-trusted-publisher.ts'
import { detachSomeUploadsOfStream, moveUploadsOfStream } from './features/uploads/pending-upload.db.ts'
import { deleteWebhooksOf } from './features/webhooks/webhook.ts'

/**
 * The effects of deleting a stream or label, revoking a key, removing a member, publishing a release, rejecting an
 * email, or inspecting a build. Each effect is implemented by the feature it affects.
 */
export const dependents: Dependents = {
  moveSomeBuildsOfStream,
  moveUploadsOfStream,
  detachSomeUploadsOfStream,
  requireStreamUnpublished,
  deletePortalStreams,
  deleteTrustedPublishers,
  deleteWebhooksOf,
  setMissingApplicationIcon,
  notifyGroupsOfReleases,
  notifyMembers: insertNotificationsForEvents,
  notifyMentioned,
  notifyOfAccess: insertAccessNotices,
  recordBounce,
  revokeKeysOfMember,
}
