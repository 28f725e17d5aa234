import { Type, type Static } from 'typebox'
import { Timestamp } from '../../http/endpoint/fields.ts'
import type { listGroupsOfRelease } from '../distribution-groups/distribution-group-release.db.ts'
import type { listPortalsOfRelease } from '../portals/portal-release.db.ts'
import { Mode, portalUrl, PortalUrl, type PortalAddresses } from '../portals/portal.ts'

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
  },
  { title: 'ReleaseAudience' },
)

type Parts = {
  groups: Awaited<ReturnType<typeof listGroupsOfRelease>>
  portals: Awaited<ReturnType<typeof listPortalsOfRelease>>
  to_notify_count: number
  share_link_count: number
}

export const audienceResource = (
  { portals, ...parts }: Parts,
  config: PortalAddresses,
): Static<typeof ReleaseAudience> => ({
  ...parts,
  portals: portals.map((row) => ({
    id: row.id,
    name: row.name,
    type: row.type as 'public' | 'private',
    portal_url: portalUrl(config, row),
    releases_mode: row.releases_mode as Static<typeof Mode>,
    is_included: row.is_included,
  })),
})
