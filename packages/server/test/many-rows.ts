import { randomBytes } from 'node:crypto'
import { platforms } from '../src/catalog/platforms.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import type { Service } from './harness.ts'
import { insertMember } from './people.ts'
import {
  buildsWith,
  byId,
  byWorkspaceId,
  enterprise,
  hashed,
  named,
  printed,
  sameWorkspace,
  secret,
  streamId,
  uuid,
  uuidNamed,
  uuidOf,
} from './row-columns.ts'
import { insertCopies, type Copies } from './row-copies.ts'
import { teamLists } from './team-rows.ts'
import type { Fixture } from './world.ts'

const release: Copies = {
  table: 'releases',
  source: ({ ids }) => ({ id: ids['release_id']! }),
  columns: (tag) => ({ id: `r${tag}` }),
}
/** Returns the additional rows that give each copied build a primary file. */
const filesOf = (buildId: (tag: string) => string): Copies[] => [
  { table: 'stored_objects', columns: (tag) => ({ key: `file ${tag}` }) },
  {
    table: 'files',
    source: ({ ids }) => ({ build_id: ids['build_id']!, role: 'primary' }),
    columns: (tag) => ({ ...uuid(), build_id: buildId(tag), object_key: `file ${tag}` }),
  },
]
/** The rows to copy for each list. Lists of catalog values have a fixed length. */
const copies: Record<string, Copies[] | 'members' | 'catalog'> = {
  listApplications: [{ table: 'applications', source: byId('application_id'), columns: named }],
  listApplicationApiKeys: [
    {
      table: 'api_keys',
      source: byId('api_key_id'),
      columns: (tag) => ({ id: `a${tag}`, key_sha256: secret() }),
    },
  ],
  listBuilds: [
    buildsWith((tag) => ({ id: `b${tag}` })),
    {
      table: 'build_labels',
      source: ({ ids }) => ({ build_id: ids['build_id']! }),
      columns: (tag) => ({ build_id: `b${tag}` }),
    },
    ...filesOf((tag) => `b${tag}`),
  ],
  listFilePatches: [
    buildsWith((tag) => ({ id: `p${tag}` })),
    { table: 'stored_objects', columns: (tag) => ({ key: `file ${tag}` }) },
    { table: 'stored_objects', columns: (tag) => ({ key: `patch ${tag}` }) },
    {
      table: 'files',
      source: ({ ids }) => ({ build_id: ids['build_id']!, role: 'primary' }),
      columns: (tag) => ({ id: uuidOf(tag), build_id: `p${tag}`, object_key: `file ${tag}` }),
    },
    {
      table: 'file_patches',
      source: ({ ids }) => ({ file_id: ids['file_id']! }),
      columns: (tag) => ({ source_file_id: uuidOf(tag), object_key: `patch ${tag}` }),
    },
  ],
  listChanges: [],
  listUploads: [
    { table: 'pending_uploads', source: byId('pending_upload_id'), columns: (tag) => ({ id: uuidOf(tag) }) },
    {
      table: 'pending_upload_files',
      source: ({ ids }) => ({ pending_upload_id: ids['pending_upload_id']!, role: 'primary' }),
      columns: (tag) => ({ ...uuid(), pending_upload_id: uuidOf(tag), object_key: uuidV7() }),
    },
  ],
  listBuildDownloads: [
    { table: 'downloads', source: ({ ids }) => ({ build_id: ids['build_id']! }), columns: uuid },
  ],
  listDownloads: [
    {
      table: 'downloads',
      source: ({ ids }) => ({ build_id: ids['build_id']! }),
      columns: (_, { ids }) => ({ ...uuid(), distribution_group_id: ids['distribution_group_id']! }),
    },
  ],
  listNotifications: [
    {
      table: 'notifications',
      source: byId('notification_id'),
      columns: (_, __, index) => ({
        ...uuid(),
        occurred_at: new Date(Date.now() - (index + 1) * 1_000).toISOString(),
      }),
    },
  ],
  listNotificationRules: [
    { table: 'notification_rules', source: byId('notification_rule_id'), columns: uuid },
  ],
  listFeedback: [{ table: 'feedback', source: byId('feedback_id'), columns: (tag) => ({ id: `f${tag}` }) }],
  listBuildDebugIds: [
    {
      table: 'debug_ids',
      source: ({ ids }) => ({ build_id: ids['build_id']! }),
      columns: () => ({ row_id: uuidV7() }),
    },
  ],
  listBuildMetadata: [
    { table: 'stored_objects', columns: (tag) => ({ key: `copy ${tag}` }) },
    {
      table: 'metadata_artifacts',
      source: byId('artifact_id'),
      columns: (tag) => ({ ...uuid(), object_key: `copy ${tag}` }),
    },
  ],
  listBuildShareLinks: [
    { table: 'share_links', source: byId('share_link_id'), columns: (tag) => ({ id: `s${tag}` }) },
  ],
  listCustomTargets: [{ table: 'custom_targets', source: byId('target_identifier'), columns: uuidNamed }],
  listLabels: [{ table: 'labels', source: byId('label_identifier'), columns: named }],
  listApplicationMembers: 'members',
  listPlatforms: [
    {
      table: 'application_platforms',
      source: ({ applicationId }) => ({ application_id: applicationId }),
      columns: (_, __, index) => ({ platform: platforms[index % platforms.length]!.identifier }),
    },
  ],
  listArchitectures: 'catalog',
  getChannelReadiness: 'catalog',
  // Entries are read from files.
  listEntryChanges: 'catalog',
  listReleases: [release],
  listReleaseShareLinks: [
    {
      table: 'share_links',
      source: byId('share_link_id'),
      columns: (tag, { ids }) => ({ id: `t${tag}`, build_id: null, release_id: ids['release_id'] }),
    },
  ],
  listStreams: [{ table: 'streams', source: byId('stream_identifier'), columns: named }],
  listRetentionPreview: [
    buildsWith((tag, fixture) => ({ id: `p${tag}`, stream_id: streamId(fixture) })),
    ...filesOf((tag) => `p${tag}`),
  ],
  listTrustedPublishers: [
    { table: 'trusted_publishers', source: byId('trusted_publisher_id'), columns: uuidNamed },
  ],
  listViews: [{ table: 'views', source: byId('view_id'), columns: named }],
  listWebhooks: [{ table: 'webhooks', source: byId('webhook_id'), columns: uuid }],
  listWebhookRequests: [{ table: 'webhook_requests', source: byId('webhook_request_id'), columns: uuid }],
  listDevices: [
    {
      table: 'devices',
      source: byId('device_id'),
      columns: () => ({ ...uuid(), udid: randomBytes(20).toString('hex') }),
    },
  ],
  listDeviceBuilds: [
    buildsWith((tag) => ({ id: `d${tag}`, ios_info: enterprise })),
    ...filesOf((tag) => `d${tag}`),
  ],
  listDistributionGroups: [
    { table: 'distribution_groups', source: byId('distribution_group_id'), columns: named },
  ],
  listDistributionGroupMembers: [
    {
      table: 'distribution_group_members',
      source: ({ ids }) => ({ distribution_group_id: ids['distribution_group_id']! }),
      columns: (tag) => ({ ...uuid(), email: `${tag}@example.com` }),
    },
  ],
  listDistributionGroupDownloads: [
    {
      table: 'downloads',
      source: ({ ids }) => ({ build_id: ids['build_id']! }),
      columns: (_, { ids }) => ({ ...uuid(), distribution_group_id: ids['distribution_group_id']! }),
    },
  ],
  listDistributionGroupReleases: [
    release,
    {
      table: 'distribution_group_releases',
      source: ({ ids }) => ({ distribution_group_id: ids['distribution_group_id']! }),
      columns: (tag) => ({ release_id: `r${tag}` }),
    },
  ],
  listChannels: [{ table: 'channels', source: byId('channel_id'), columns: named }],
  listReadKeys: [{ table: 'channel_read_keys', source: byId('read_key_id'), columns: hashed }],
  listRollouts: [
    {
      table: 'rollouts',
      source: ({ ids }) => ({ channel_id: ids['channel_id']! }),
      columns: (tag) => ({ version: `9.0.0+${tag}` }),
    },
  ],
  listRepositoryKeys: [{ table: 'repository_keys', source: byId('repository_key_id'), columns: printed }],
  listPortals: [
    {
      table: 'portals',
      source: byId('portal_id'),
      columns: (tag) => ({ ...named(tag), subdomain: null, custom_domain: null }),
    },
  ],
  listPortalReleases: [
    release,
    {
      table: 'portal_releases',
      source: ({ ids }) => ({ portal_id: ids['portal_id']! }),
      columns: (tag) => ({ release_id: `r${tag}` }),
    },
  ],
  listWorkspaceApiKeys: [
    {
      table: 'api_keys',
      source: byWorkspaceId('api_key_id'),
      columns: (tag) => ({ id: `w${tag}`, key_sha256: secret() }),
    },
  ],
  listAuditLog: [{ table: 'audit_entries', source: sameWorkspace, columns: uuid }],
  listWorkspaceCustomTargets: [
    { table: 'custom_targets', source: byWorkspaceId('target_identifier'), columns: uuidNamed },
  ],
  listDefaultStreams: [{ table: 'default_streams', source: sameWorkspace, columns: uuidNamed }],
  listInvitations: [
    {
      table: 'invitations',
      source: byId('invitation_id'),
      columns: (tag) => ({ ...uuid(), email: `i${tag}@example.com`, token_sha256: secret() }),
    },
  ],
  listWorkspaceLabels: [
    {
      table: 'labels',
      source: byWorkspaceId('label_identifier'),
      columns: (tag) => ({ id: `l${tag}`, name: `name ${tag}` }),
    },
  ],
  listWorkspaceMembers: 'members',
  ...teamLists,
  listAttention: [
    {
      table: 'webhooks',
      source: byId('webhook_id'),
      columns: () => ({ ...uuid(), in_error_state: true }),
    },
  ],
  listMails: [{ table: 'mails', source: sameWorkspace, columns: uuid }],
}

export const isKnownList = (operationId: string): boolean => operationId in copies

/** Adds rows to every list in the fixture. Returns a function that maps a list to its minimum number of rows. */
export async function growLists(
  service: Service,
  fixture: Fixture,
  count: number,
): Promise<(list: string) => number> {
  for (const [operationId, list] of Object.entries(copies)) {
    if (list === 'catalog') continue
    if (list === 'members') {
      for (let n = 0; n < count; n++) await insertMember(service, fixture, { applicationRole: 'qa' })
      continue
    }
    for (const each of list) await insertCopies(service, fixture, each, `${operationId}${count}`, count)
  }
  const maxLengths: Record<string, number> = {
    listPlatforms: platforms.length,
    listUploads: 10,
    listRollouts: 50,
    listDeviceBuilds: 15,
  }
  return (list) => (copies[list] === 'catalog' ? 0 : Math.min(count, maxLengths[list] ?? count))
}
