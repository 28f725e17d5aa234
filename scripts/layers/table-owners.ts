/**
 * The only folder under packages/server/src that may write to each table. All code may read every table. To change a
 * row in a table of another folder, call a function in that folder or record an event.
 */
export const tableOwners: Readonly<Record<string, string>> = {
  workspaces: 'features/workspace',
  users: 'features/members',
  workspace_members: 'features/members',
  sessions: 'sign-in',
  accounts: 'sign-in',
  verifications: 'sign-in',
  passkeys: 'sign-in',
  two_factors: 'sign-in',
  sign_in_guesses: 'sign-in',
  setup_links: 'sign-in',
  applications: 'features/applications',
  application_members: 'features/members',
  invitations: 'features/members',
  application_platforms: 'features/platforms',
  streams: 'features/streams',
  default_streams: 'features/streams',
  labels: 'features/labels',
  custom_targets: 'features/custom-targets',
  api_keys: 'features/api-keys',
  trusted_publishers: 'features/trusted-publishers',
  installation: 'storage/installation',
  stored_objects: 'storage',
  custom_stores: 'storage',
  build_readings: 'features/builds',
  builds: 'features/builds',
  build_labels: 'features/builds',
  build_changes: 'features/builds',
  build_counts: 'features/builds',
  storage_usage: 'features/builds',
  daily_statistics: 'features/statistics',
  files: 'features/builds',
  pending_uploads: 'features/uploads',
  pending_upload_files: 'features/uploads',
  metadata_artifacts: 'features/builds',
  debug_ids: 'features/builds',
  package_details: 'features/builds',
  releases: 'features/releases',
  release_builds: 'features/releases',
  release_labels: 'features/releases',
  share_links: 'features/share-links',
  share_link_guesses: 'features/share-links',
  distribution_groups: 'features/distribution-groups',
  distribution_group_members: 'features/distribution-groups',
  distribution_group_releases: 'features/distribution-groups',
  release_notifications: 'features/distribution-groups',
  portals: 'features/portals',
  portal_applications: 'features/portals',
  portal_streams: 'features/portals',
  portal_releases: 'features/portals',
  channels: 'features/channels',
  channel_read_keys: 'features/channels',
  rollouts: 'features/channels',
  downloads: 'features/builds',
  changes: 'features/changes',
  dropped_changes: 'features/changes',
  change_positions: 'database',
  events: 'events',
  audit_entries: 'events',
  webhooks: 'features/webhooks',
  webhook_requests: 'features/webhooks',
  idempotency_keys: 'http',
  rate_counts: 'http',
  read_positions: 'http',
  mails: 'features/mails',
  master_secret: 'database',
  imports: 'operations/import',
  import_objects: 'operations/import',
}

/**
 * Writes that other features may call. Each must run in the caller's transaction but follows rules that only its owner
 * implements. All other effects of a change are triggered by its event or composed in dependents.ts.
 */
export const openWrites: readonly string[] = [
  // A new application starts with its platforms and with copies of the default streams.
  'features/platforms/platform.db.ts insertApplicationPlatforms',
  'features/streams/stream.db.ts insertStreamsFromDefaults',
  'features/streams/default-stream.db.ts insertFirstDefaultStreams',
  // Saving a custom store enables it for the application.
  'features/applications/application.db.ts saveApplication',
  // Verifying an upload creates the build, its files and labels, or a metadata artifact, in one transaction.
  'features/builds/build.db.ts insertBuild',
  'features/builds/build.db.ts insertBuildLabels',
  'features/builds/files/file.db.ts insertFile',
  'features/builds/artifacts/metadata-artifact.db.ts insertMetadataArtifact',
  'features/builds/build.db.ts addBuildMetadataBytes',
  'features/labels/label.db.ts insertLabels',
  // Set-up names the workspace and creates its owner.
  'features/workspace/workspace.db.ts saveWorkspace',
  'features/members/workspace-member.db.ts insertWorkspaceMember',
  'features/members/workspace-member.db.ts assignWorkspaceRole',
  // Editing a build or release creates labels that do not exist yet.
  'features/labels/label.db.ts insertNamedLabels',
  // A download through a public link is counted and recorded in one transaction.
  'features/builds/files/download.db.ts insertDownloads',
  // Exchanging a token creates a key, and deleting or changing the publisher revokes its keys.
  'features/api-keys/api-key.db.ts insertApiKey',
  'features/api-keys/api-key.db.ts revokeApiKeysOfPublisher',
  // Purging an application first deletes these rows in batches, because there may be many.
  'features/releases/release.db.ts deleteSomeReleasesOfApplication',
  'features/changes/change.db.ts deleteSomeChangesOfApplication',
  'features/uploads/pending-upload.db.ts deleteSomeUploadsOfApplication',
  'features/webhooks/webhook-request.db.ts deleteSomeRequestsOfApplication',
]
