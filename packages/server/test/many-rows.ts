import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { platforms } from '../src/catalog/platforms.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import type { Service } from './harness.ts'
import { person } from './people.ts'
import type { Place } from './world.ts'

/** Rows of a table made like one that is there, each with these columns in place of its own. */
type Copies = {
  table: string
  like?: (place: Place) => Record<string, string>
  /** `tag` is another text for each copy, the same in every table of one list. */
  columns: (tag: string, place: Place, index: number) => Record<string, unknown>
}

const release: Copies = {
  table: 'releases',
  like: ({ ids }) => ({ id: ids['release_id']! }),
  columns: (tag) => ({ id: `r${tag}` }),
}
const streamId = ({ ids }: Place) => ids['stream_identifier']
const secret = () => `\\x${randomBytes(32).toString('hex')}`
const byId = (name: string) => (place: Place) => ({ id: (place.ids[name] ?? place.workspaceIds[name])! })
const byWorkspaceId = (name: string) => (place: Place) => ({ id: place.workspaceIds[name]! })
const sameWorkspace = ({ workspaceId }: Place) => ({ workspace_id: workspaceId })
const uuid = () => ({ id: uuidV7() })
const named = (tag: string) => ({ id: `n${tag}`, name: `name ${tag}` })
const uuidNamed = (tag: string) => ({ ...uuid(), name: `name ${tag}` })

/** What makes each list long. Lists of what the service itself knows have the length they have. */
const copies: Record<string, Copies[] | 'members' | 'catalogue'> = {
  listApplications: [{ table: 'applications', like: byId('application_id'), columns: named }],
  listApplicationApiKeys: [
    {
      table: 'api_keys',
      like: byId('api_key_id'),
      columns: (tag) => ({ id: `a${tag}`, key_sha256: secret() }),
    },
  ],
  listBuilds: [
    { table: 'builds', like: byId('build_id'), columns: (tag) => ({ id: `b${tag}` }) },
    {
      table: 'build_labels',
      like: ({ ids }) => ({ build_id: ids['build_id']! }),
      columns: (tag) => ({ build_id: `b${tag}` }),
    },
  ],
  listBuildDownloads: [
    { table: 'downloads', like: ({ ids }) => ({ build_id: ids['build_id']! }), columns: uuid },
  ],
  listBuildMetadata: [
    { table: 'stored_objects', columns: (tag) => ({ key: `copy ${tag}` }) },
    {
      table: 'metadata_artifacts',
      like: byId('artifact_id'),
      columns: (tag) => ({ ...uuid(), object_key: `copy ${tag}` }),
    },
  ],
  listBuildShareLinks: [
    { table: 'share_links', like: byId('share_link_id'), columns: (tag) => ({ id: `s${tag}` }) },
  ],
  listCustomTargets: [{ table: 'custom_targets', like: byId('target_identifier'), columns: uuidNamed }],
  listLabels: [{ table: 'labels', like: byId('label_identifier'), columns: named }],
  listApplicationMembers: 'members',
  listPlatforms: [
    {
      table: 'application_platforms',
      like: ({ applicationId }) => ({ application_id: applicationId }),
      columns: (_, __, index) => ({ platform: platforms[index % platforms.length]!.identifier }),
    },
  ],
  listArchitectures: 'catalogue',
  listReleases: [release],
  listReleaseShareLinks: [
    {
      table: 'share_links',
      like: byId('share_link_id'),
      columns: (tag, { ids }) => ({ id: `t${tag}`, build_id: null, release_id: ids['release_id'] }),
    },
  ],
  listStreams: [{ table: 'streams', like: byId('stream_identifier'), columns: named }],
  listRetentionPreview: [
    {
      table: 'builds',
      like: byId('build_id'),
      columns: (tag, place) => ({ id: `p${tag}`, stream_id: streamId(place) }),
    },
  ],
  listTrustedPublishers: [
    { table: 'trusted_publishers', like: byId('trusted_publisher_id'), columns: uuidNamed },
  ],
  listWebhooks: [{ table: 'webhooks', like: byId('webhook_id'), columns: uuid }],
  listWebhookRequests: [{ table: 'webhook_requests', like: byId('webhook_request_id'), columns: uuid }],
  listDistributionGroups: [
    { table: 'distribution_groups', like: byId('distribution_group_id'), columns: named },
  ],
  listDistributionGroupMembers: [
    {
      table: 'distribution_group_members',
      like: ({ ids }) => ({ distribution_group_id: ids['distribution_group_id']! }),
      columns: (tag) => ({ ...uuid(), email: `${tag}@example.com` }),
    },
  ],
  listDistributionGroupReleases: [
    release,
    {
      table: 'distribution_group_releases',
      like: ({ ids }) => ({ distribution_group_id: ids['distribution_group_id']! }),
      columns: (tag) => ({ release_id: `r${tag}` }),
    },
  ],
  listPortals: [
    {
      table: 'portals',
      like: byId('portal_id'),
      columns: (tag) => ({ ...named(tag), subdomain: null, custom_domain: null }),
    },
  ],
  listPortalReleases: [
    release,
    {
      table: 'portal_releases',
      like: ({ ids }) => ({ portal_id: ids['portal_id']! }),
      columns: (tag) => ({ release_id: `r${tag}` }),
    },
  ],
  listWorkspaceApiKeys: [
    {
      table: 'api_keys',
      like: byWorkspaceId('api_key_id'),
      columns: (tag) => ({ id: `w${tag}`, key_sha256: secret() }),
    },
  ],
  listAuditLog: [{ table: 'audit_entries', like: sameWorkspace, columns: uuid }],
  listWorkspaceCustomTargets: [
    { table: 'custom_targets', like: byWorkspaceId('target_identifier'), columns: uuidNamed },
  ],
  listDefaultStreams: [{ table: 'default_streams', like: sameWorkspace, columns: uuidNamed }],
  listInvitations: [
    {
      table: 'invitations',
      like: byId('invitation_id'),
      columns: (tag) => ({ ...uuid(), email: `i${tag}@example.com`, token_sha256: secret() }),
    },
  ],
  listWorkspaceLabels: [
    {
      table: 'labels',
      like: byWorkspaceId('label_identifier'),
      columns: (tag) => ({ id: `l${tag}`, name: `name ${tag}` }),
    },
  ],
  listWorkspaceMembers: 'members',
  listMails: [{ table: 'mails', like: sameWorkspace, columns: uuid }],
}

export const isKnownList = (operationId: string): boolean => operationId in copies

/** Gives every list of the place so many rows more; answers how many each list then shows at least. */
export async function growLists(
  service: Service,
  place: Place,
  count: number,
): Promise<(list: string) => number> {
  for (const [operationId, list] of Object.entries(copies)) {
    if (list === 'catalogue') continue
    if (list === 'members') {
      for (let n = 0; n < count; n++) await person(service, place, { applicationRole: 'qa' })
      continue
    }
    for (const each of list) await insertCopies(service, place, each, `${operationId}${count}`, count)
  }
  return (list) =>
    copies[list] === 'catalogue' ? 0 : list === 'listPlatforms' ? Math.min(count, platforms.length) : count
}

async function insertCopies(
  { deps: { db } }: Service,
  place: Place,
  { table, like, columns }: Copies,
  tag: string,
  count: number,
) {
  const wanted = Array.from({ length: count }, (_, index) => columns(`${tag}x${index}`, place, index))
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(db)
  const all = sql.join(rows.map(({ name }) => sql.ref(name)))
  const own = Object.entries(like?.(place) ?? {}).map(
    ([name, value]) => sql`${sql.ref(name)}::text = ${value}`,
  )
  await sql`
    insert into ${sql.table(table)} (${all})
    select ${all} from (
      select (jsonb_populate_record(null::${sql.table(table)}, to_jsonb(model) || wanted)).*
      from (select * from ${sql.table(table)} where ${sql.join([sql`true`, ...own], sql` and `)} limit 1) as model,
        jsonb_array_elements(${JSON.stringify(wanted)}::jsonb) as wanted) as made
    on conflict do nothing`.execute(db)
}
