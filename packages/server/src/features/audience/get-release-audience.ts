import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { listChannelsOfRelease } from '../channels/channel.db.ts'
import {
  countPeopleToNotify,
  listGroupsOfRelease,
} from '../distribution-groups/distribution-group-release.db.ts'
import { listPortalsOfRelease } from '../portals/portal-release.db.ts'
import { listStreamsLedByRelease } from '../releases/release-build.db.ts'
import { requireReleaseOfPath } from '../releases/release.db.ts'
import { ReleaseId } from '../releases/release.ts'
import { countUsableLinksOfRelease } from '../share-links/share-link.db.ts'
import { audienceResource, ReleaseAudience } from './audience.ts'

export const getReleaseAudience = endpoint({
  method: 'GET',
  path: '/applications/:application_id/releases/:release_id/audience',
  scope: { workspace: 'releases:read', application: 'releases:read' },
  summary: 'Get the audience of a release',
  description:
    'Returns the distribution groups, portals, share links, streams and channels through which people get the release, and how many people are notified when it is published.',
  params: Type.Object({ application_id: ApplicationId, release_id: ReleaseId }),
  returns: one(ReleaseAudience),
  load: requireReleaseOfPath,
  async handle({ db, release, config }) {
    const parts = {
      to_notify_count: await countPeopleToNotify(db, release.id),
      groups: await listGroupsOfRelease(db, release.id),
      portals: await listPortalsOfRelease(db, release),
      share_link_count: await countUsableLinksOfRelease(db, release.id),
      streams: await listStreamsLedByRelease(db, release.id),
      channels: await listChannelsOfRelease(db, release),
    }
    return { message: 'Audience retrieved.', data: audienceResource(parts, config) }
  },
})
