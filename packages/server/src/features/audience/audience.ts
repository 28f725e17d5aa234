import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import type { listChannelsOfRelease } from '../channels/channel.db.ts'
import type { listGroupsOfRelease } from '../distribution-groups/distribution-group-release.db.ts'
import { Platform } from '../platforms/platform.ts'
import type { listPortalsOfRelease } from '../portals/portal-release.db.ts'
import { Mode, portalUrl, PortalUrl, type PortalAddresses } from '../portals/portal.ts'
import type { listStreamsLedByRelease } from '../releases/release-build.db.ts'

const AudienceGroup = Type.Object(
  {
    id: Type.String({ description: 'ID of the distribution group.' }),
    name: Type.String(),
    is_active: Type.Boolean({
      description: '`false`: the members are not notified, and their links do not work.',
    }),
    notify: Type.Boolean({ description: 'Whether the members are notified when the release is published.' }),
    tester_count: Type.Integer({ description: 'Number of members who have access to the release.' }),
    notified_count: Type.Integer({
      description: 'Number of these members who have been notified of the release, through any group.',
    }),
    added_at: Timestamp,
  },
  { title: 'AudienceGroup' },
)

const AudiencePortal = Type.Object(
  {
    id: Type.String({ description: 'ID of the portal.' }),
    name: Type.String(),
    type: Type.Enum(['public', 'private']),
    portal_url: PortalUrl,
    releases_mode: Mode,
    is_included: Type.Boolean({
      description: 'Whether the portal shows the release once the release is published.',
    }),
  },
  { title: 'AudiencePortal' },
)

const AudienceStream = Type.Object(
  {
    id: Type.String({ description: 'ID of the stream.' }),
    name: Type.String(),
    platforms: Type.Array(Platform, {
      description: 'Platforms for which a build of the release is the latest of the stream.',
    }),
  },
  { title: 'AudienceStream' },
)

const AudienceChannel = Type.Object(
  {
    id: Type.String({ description: 'ID of the channel.' }),
    name: Type.String(),
    stream_name: Nullable(
      Type.String({
        description: 'The stream whose builds the channel publishes; `null` if it publishes releases.',
      }),
    ),
    is_newest: Type.Boolean({
      description: 'Whether the release has the newest version that the channel publishes now.',
    }),
  },
  { title: 'AudienceChannel' },
)

export const ReleaseAudience = Type.Object(
  {
    to_notify_count: Type.Integer({
      description:
        'Number of people who are notified when the release is published. Each person is counted once, and not again if they have already been notified.',
    }),
    groups: Type.Array(AudienceGroup, { description: 'Groups to which the release was added.' }),
    portals: Type.Array(AudiencePortal, {
      description: 'Portals that contain the application of the release.',
    }),
    share_link_count: Type.Integer({
      description: 'Number of share links to the release that can be used while it is published.',
    }),
    streams: Type.Array(AudienceStream, {
      description:
        'Streams whose permalinks lead to a build of the release. They do so whether or not it is published.',
    }),
    channels: Type.Array(AudienceChannel, {
      description: 'Channels that publish the release, once it is published, or builds of it.',
    }),
  },
  { title: 'ReleaseAudience' },
)

type Parts = {
  groups: Awaited<ReturnType<typeof listGroupsOfRelease>>
  portals: Awaited<ReturnType<typeof listPortalsOfRelease>>
  to_notify_count: number
  share_link_count: number
  streams: Awaited<ReturnType<typeof listStreamsLedByRelease>>
  channels: Awaited<ReturnType<typeof listChannelsOfRelease>>
}

export const audienceResource = (
  { portals, streams, ...parts }: Parts,
  config: PortalAddresses,
): Static<typeof ReleaseAudience> => ({
  ...parts,
  streams: streams.map(({ platforms, ...row }) => ({ ...row, platforms: platforms.map(platformResource) })),
  portals: portals.map((row) => ({
    id: row.id,
    name: row.name,
    type: row.type as 'public' | 'private',
    portal_url: portalUrl(config, row),
    releases_mode: row.releases_mode as Static<typeof Mode>,
    is_included: row.is_included,
  })),
})
