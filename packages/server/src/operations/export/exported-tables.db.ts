import { escapeLiteral } from 'pg'

/** What an export contains: a workspace with all of its applications, or one application. */
export type ExportScope = { workspaceId: string; applicationId: string | null }

export type ExportedTable = {
  name: string
  /** The SQL condition that selects the exported rows of the table, whose alias is `t`. */
  condition: (scope: ExportScope) => string
  order?: string
  /** SQL expressions that replace the values of columns. */
  values?: (scope: ExportScope) => Record<string, string>
  /** Columns that are not exported. */
  without?: readonly string[]
  /** Additional values by name, as SQL expressions. */
  extra?: Record<string, string>
}

const applications = ({ workspaceId, applicationId }: ExportScope): string =>
  applicationId === null
    ? `select id from applications where workspace_id = ${escapeLiteral(workspaceId)}`
    : escapeLiteral(applicationId)
const builds = (scope: ExportScope): string =>
  `select id from builds where application_id in (${applications(scope)})`
const releases = (scope: ExportScope): string =>
  `select id from releases where application_id in (${applications(scope)})`
const webhooks = (scope: ExportScope): string =>
  `select id from webhooks where application_id in (${applications(scope)})`
const workspace = ({ workspaceId }: ExportScope): string => escapeLiteral(workspaceId)

const inChannels = (scope: ExportScope): string =>
  `t.channel_id in (select id from channels where application_id in (${applications(scope)}))`
const inApplications = (scope: ExportScope): string => `t.application_id in (${applications(scope)})`
const inBuilds = (scope: ExportScope): string => `t.build_id in (${builds(scope)})`
const inReleases = (scope: ExportScope): string => `t.release_id in (${releases(scope)})`

const isKeptView = (scope: ExportScope): string => `${inApplications(scope)} and t.deleted_at is null`
const inViews = (scope: ExportScope): string =>
  `t.view_id in (select id from views where application_id in (${applications(scope)}) and deleted_at is null)`

/** Selects rows that belong to an application or, in the export of a workspace, to the workspace itself. */
const inApplicationsOrWorkspace = (scope: ExportScope): string =>
  scope.applicationId === null ? `t.workspace_id = ${workspace(scope)}` : inApplications(scope)

/** Selects rows that only the export of a workspace contains. */
const inWorkspace = (scope: ExportScope): string =>
  scope.applicationId === null ? `t.workspace_id = ${workspace(scope)}` : 'false'

/** Selects the labels or custom targets of the scope and those of the workspace that its builds and releases use. */
const ownedOr = (used: (scope: ExportScope) => string) => (scope: ExportScope) =>
  scope.applicationId === null
    ? `t.workspace_id = ${workspace(scope)}`
    : `${inApplications(scope)} or t.application_id is null and t.id in (${used(scope)})`

const usedLabels = (scope: ExportScope): string => {
  const inScope = `where application_id in (${applications(scope)})`
  return `select label_id from build_labels ${inScope} union select label_id from release_labels ${inScope}
    union select label_id from webhooks ${inScope}`
}

const users = (scope: ExportScope): string => {
  const members =
    scope.applicationId === null
      ? `select user_id from workspace_members where workspace_id = ${workspace(scope)}`
      : `select user_id from application_members where application_id in (${applications(scope)})`
  return `${members}
    union select user_id from api_keys t where ${inApplicationsOrWorkspace(scope)}
    union select user_id from downloads t where ${inApplications(scope)}
    union select user_id from feedback_subscriptions t where ${inApplications(scope)}
    union select user_id from views t where ${isKeptView(scope)}
    union select user_id from pinned_applications t where ${inApplications(scope)}
    union select user_id from pinned_views t where ${inViews(scope)}`
}

const inPortals = (scope: ExportScope): string =>
  scope.applicationId === null
    ? `t.portal_id in (select id from portals where workspace_id = ${workspace(scope)})`
    : 'false'

/** The builds of a stream that is being deleted are exported in the stream to which they move. */
const streamOrTarget = `coalesce((select moving_to from streams where id = t.stream_id), t.stream_id)`

/**
 * The tables of an export, each after the tables to which it refers. Sessions, sign-in methods, uploads in progress,
 * emails and waiting webhook requests stay with the server.
 */
export const exportedTables: readonly ExportedTable[] = [
  { name: 'workspaces', condition: (scope) => `t.id = ${workspace(scope)}` },
  {
    name: 'users',
    condition: (scope) => `t.id in (${users(scope)})`,
    without: ['two_factor_enabled'],
  },
  {
    name: 'workspace_members',
    condition: (scope) => `t.workspace_id = ${workspace(scope)} and t.user_id in (${users(scope)})`,
    values: ({ applicationId }): Record<string, string> =>
      applicationId === null ? {} : { role: `'member'` },
  },
  { name: 'default_streams', condition: inWorkspace },
  {
    name: 'applications',
    condition: (scope) => `t.id in (${applications(scope)})`,
    // Custom stores stay with the server, and their files are part of the export.
    values: () => ({ custom_store_enabled: 'false' }),
  },
  { name: 'application_members', condition: inApplications },
  // Groups of the identity provider would give people of another server access to what is imported.
  { name: 'teams', condition: inWorkspace, without: ['sso_group'] },
  { name: 'team_members', condition: inWorkspace, without: ['source'] },
  { name: 'team_applications', condition: inWorkspace },
  { name: 'application_platforms', condition: inApplications },
  { name: 'streams', condition: (scope) => `${inApplications(scope)} and t.moving_to is null` },
  { name: 'labels', condition: ownedOr(usedLabels) },
  {
    name: 'custom_targets',
    condition: ownedOr(
      (scope) => `select custom_target_id from builds where application_id in (${applications(scope)})`,
    ),
  },
  { name: 'api_keys', condition: inApplicationsOrWorkspace },
  { name: 'trusted_publishers', condition: inApplications },
  { name: 'invitations', condition: inApplicationsOrWorkspace },
  {
    name: 'builds',
    condition: inApplications,
    order: 't.created_at, t.id',
    values: () => ({ stream_id: streamOrTarget }),
  },
  { name: 'views', condition: isKeptView },
  { name: 'pinned_applications', condition: inApplications },
  { name: 'pinned_views', condition: inViews },
  { name: 'build_labels', condition: inApplications, order: 't.build_id' },
  { name: 'files', condition: inBuilds },
  // Another server reads the artifacts again, and their debug IDs with them.
  { name: 'metadata_artifacts', condition: inBuilds, without: ['inspection_version'] },
  { name: 'releases', condition: inApplications, order: 't.created_at, t.id' },
  { name: 'release_builds', condition: inApplications },
  { name: 'release_labels', condition: inApplications },
  { name: 'share_links', condition: inApplications },
  { name: 'distribution_groups', condition: inWorkspace },
  {
    name: 'distribution_group_members',
    condition: (scope) =>
      scope.applicationId === null
        ? `t.distribution_group_id in (select id from distribution_groups where workspace_id = ${workspace(scope)})`
        : 'false',
  },
  { name: 'distribution_group_releases', condition: inWorkspace },
  { name: 'release_notifications', condition: inReleases },
  { name: 'devices', condition: inWorkspace },
  { name: 'portals', condition: inWorkspace },
  { name: 'portal_applications', condition: inWorkspace },
  { name: 'portal_streams', condition: inPortals },
  { name: 'portal_releases', condition: inPortals },
  { name: 'channels', condition: inApplications, values: () => ({ stream_id: streamOrTarget }) },
  { name: 'channel_read_keys', condition: inChannels },
  { name: 'rollouts', condition: inChannels },
  { name: 'rollout_reports', condition: inChannels },
  { name: 'channel_requests', condition: inChannels },
  { name: 'channel_health', condition: inChannels },
  { name: 'repository_commits', condition: inChannels },
  {
    name: 'feedback',
    condition: inApplications,
    order: 't.created_at, t.id',
    values: ({ applicationId }): Record<string, string> => ({
      stream_id: streamOrTarget,
      ...(applicationId === null ? {} : { distribution_group_id: 'null', portal_id: 'null' }),
    }),
  },
  { name: 'feedback_screenshots', condition: inApplications },
  { name: 'feedback_subscriptions', condition: inApplications },
  { name: 'webhooks', condition: inApplications, without: ['secret_is_weak'] },
  {
    name: 'webhook_requests',
    condition: (scope) => `t.webhook_id in (${webhooks(scope)}) and t.state <> 'waiting'`,
    order: 't.created_at, t.id',
  },
  {
    name: 'downloads',
    condition: inApplications,
    order: 't.created_at, t.id',
    values: ({ applicationId }): Record<string, string> =>
      applicationId === null
        ? {}
        : {
            distribution_group_id: 'null',
            portal_id: 'null',
            api_key_id:
              '(select id from api_keys k where k.id = t.api_key_id and k.application_id = t.application_id)',
          },
  },
  { name: 'audit_entries', condition: inApplicationsOrWorkspace, order: 't.created_at, t.id' },
  { name: 'daily_statistics', condition: inApplications },
]

/** The stored files to which the exported rows refer. */
export const storedObjects: ExportedTable = {
  name: 'stored_objects',
  without: ['created_at', 'deleted_at', 'store_id', 'shared_in', 'shared_bytes'],
  extra: {
    checksum_sha256: `coalesce((select checksum_sha256 from files where object_key = t.key),
      (select checksum_sha256 from metadata_artifacts where object_key = t.key))`,
  },
  order: 't.key',
  condition: (scope) => `t.deleted_at is null and t.key in (
    select object_key from files where build_id in (${builds(scope)})
    union select object_key from metadata_artifacts where build_id in (${builds(scope)})
    union select object_key from feedback_screenshots where application_id in (${applications(scope)})
    union select icon_object_key from builds where application_id in (${applications(scope)})
    union select icon_object_key from applications where id in (${applications(scope)})
    union select icon_object_key from custom_targets t where ${ownedOr(
      () => `select custom_target_id from builds where application_id in (${applications(scope)})`,
    )(scope)}
    union select icon_object_key from portals t where ${inWorkspace(scope)}
    union select photo_object_key from users where id in (${users(scope)})
    union select logo_object_key from workspaces where id = ${workspace(scope)})`,
}
