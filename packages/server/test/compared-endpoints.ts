import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../src/database/transaction.ts'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { routes } from '../src/routes.ts'
import { pathNames, type Schema } from './sample.ts'

/** GET endpoints whose responses do not travel with an export, each with the reason. */
const notCompared: Record<string, string> = {
  getInvitation: 'requires the token of an invitation, of which only the hash is known',
  getSession: 'describes the caller',
  getPins: 'describes the caller',
  listAccessRequests: 'open requests stay with the server',
  listNotifications: 'the inbox stays with the server',
  countNotifications: 'the inbox stays with the server',
  listNotificationRules: 'notification rules stay with the server',
  getNotificationSettings: 'notification settings stay with the server',
  getFirstSteps: 'describes the caller',
  checkIosInstallation: 'describes the server',
  checkPortalDomain: 'compared by the domains of portals',
  getBuildFile: 'redirects to the file that getBuildDownload links',
  getFileChunks: 'the server that imports a file computes its chunk index again',
  listFilePatches: 'the server that imports a file creates patches to later builds',
  getPublicPatch: 'the URLs of a server are signed with its master secret',
  getBuildComparison: 'compares files that getBuildDownload links',
  listEntryChanges: 'compares files that getBuildDownload links',
  getUpload: 'uploads in progress stay with the server',
  getComposition: 'uploads in progress stay with the server',
  getWebhookSample: 'contains a new example for each call',
  getAvatar: 'the same for everybody',
  getIcon: 'compared by the URLs of icons',
  getShareLinkBadge: 'the links of a server are signed with its master secret',
  listBuildDebugIds: 'the server that imports a file reads its debug IDs again',
  listBuildDevices: 'the server that imports a file reads its provisioning profile again',
  listChanges: 'the positions belong to the database',
  listRepositoryKeys: 'keys stay with the server',
  listDeviceBuilds: 'the server that imports a file reads its provisioning profile again',
  listMails: 'emails stay with the server',
  listUploads: 'uploads in progress stay with the server',
  openGroupLink: 'the links of a server are signed with its master secret',
  downloadGroupBuild: 'the links of a server are signed with its master secret',
  openShareLink: 'the links of a server are signed with its master secret',
  downloadLinkBuild: 'the links of a server are signed with its master secret',
  watchEvents: 'an event stream',
  watchWorkspaceEvents: 'an event stream',
}

/** Endpoints whose files are compared. They record downloads, so they are called after all others. */
export const downloads: ReadonlySet<string> = new Set([
  'getBuildDownload',
  'getBuildMetadataDownload',
  'downloadReleaseBuild',
  'downloadLatestBuild',
  'downloadPublicReleaseBuild',
  'downloadLatestPublicBuild',
])

const pairs = (table: string, name: string, column = 'id') =>
  `select application_id, ${column} as ${name} from ${table} where workspace_id = $workspace`

const releaseBuilds = `select distinct builds.application_id, builds.platform,
    build_version(r.version_major, r.version_minor, r.version_patch, r.version_extra, r.version_meta) as release_version
  from release_builds join builds on builds.id = build_id join releases r on r.id = release_id
  where builds.workspace_id = $workspace`
const streamBuilds = `select distinct application_id, platform, stream_id as stream_identifier from builds
  where workspace_id = $workspace and deleted_at is null`
const inFormats = (query: string) =>
  `select * from (${query}) as named cross join (values ('svg'), ('json')) as formats (format)`

/**
 * Queries for the values of path parameters, by the names of the parameters after the application or the name of the last
 * one.
 */
const valuesOfParameters: Record<string, string> = {
  '': 'select',
  application_id: 'select id as application_id from applications where workspace_id = $workspace',
  build_id: pairs('builds', 'build_id'),
  artifact_id: `select application_id, build_id, a.id as artifact_id from metadata_artifacts a
    join builds on builds.id = build_id where workspace_id = $workspace`,
  release_id: pairs('releases', 'release_id'),
  stream_identifier: `select application_id, streams.id as stream_identifier from streams
    join applications on applications.id = application_id where workspace_id = $workspace`,
  label_identifier: pairs('labels', 'label_identifier'),
  target_identifier: pairs('custom_targets', 'target_identifier'),
  platform: `select application_id, platform from application_platforms
    join applications on applications.id = application_id where workspace_id = $workspace`,
  trusted_publisher_id: pairs('trusted_publishers', 'trusted_publisher_id'),
  view_id: pairs('views', 'view_id'),
  webhook_id: pairs('webhooks', 'webhook_id'),
  'release_version/platform': releaseBuilds,
  'release_version/platform/format': inFormats(releaseBuilds),
  'stream_identifier/platform': streamBuilds,
  'stream_identifier/platform/format': inFormats(streamBuilds),
  feedback_id: pairs('feedback', 'feedback_id'),
  screenshot_id: `select feedback.application_id, feedback_id, s.id as screenshot_id from feedback_screenshots s
    join feedback on feedback.id = feedback_id where workspace_id = $workspace`,
  device_id: 'select id as device_id from devices where workspace_id = $workspace',
  webhook_request_id: `select application_id, webhook_id, r.id as webhook_request_id from webhook_requests r
    join webhooks on webhooks.id = webhook_id where workspace_id = $workspace`,
  distribution_group_id:
    'select id as distribution_group_id from distribution_groups where workspace_id = $workspace',
  channel_id: pairs('channels', 'channel_id'),
  portal_id: 'select id as portal_id from portals where workspace_id = $workspace',
  team_id: 'select id as team_id from teams where workspace_id = $workspace',
  user_id: 'select user_id from workspace_members where workspace_id = $workspace',
}

/** Returns the endpoints to compare, those of downloads last. */
export function listComparedEndpoints(): [string, Endpoint][] {
  const all: [string, Endpoint][] = Object.entries(routes)
  return all
    .filter(([name, { method }]) => method === 'GET' && !(name in notCompared))
    .toSorted(([a], [b]) => Number(downloads.has(a)) - Number(downloads.has(b)))
}

/** Returns the values for each call. An endpoint of the workspace has no values that belong to an application. */
export async function listValues(
  db: Db,
  workspaceId: string,
  endpoint: Endpoint,
): Promise<Record<string, string>[]> {
  const names = pathNames(endpoint)
  const ownNames = names.filter((name) => name !== 'application_id').join('/')
  const query = valuesOfParameters[ownNames] ?? valuesOfParameters[names.at(-1) ?? '']
  assert.ok(query !== undefined, `add a query for the path parameters of ${endpoint.path}`)
  const text = query.replaceAll('$workspace', `'${workspaceId}'`)
  const { rows } = await sql.raw<Record<string, string | null>>(text).execute(db)
  return rows.filter((row) =>
    names.includes('application_id') || !('application_id' in row)
      ? row['application_id'] !== null
      : row['application_id'] === null,
  ) as Record<string, string>[]
}

/** Returns the query strings with which an endpoint is called: the defaults, and each switch that it has. */
export function queriesOf({ query }: Endpoint): string[] {
  const properties = (query as Schema | undefined)?.properties ?? {}
  const all = ['per_page', 'limit'].flatMap((name) => (name in properties ? [`${name}=100`] : [])).join('&')
  const switches = Object.entries(properties)
    .filter(([, { type }]) => type === 'boolean')
    .map(([name]) => `${all}&${name}=true`)
  return [all, ...switches]
}
