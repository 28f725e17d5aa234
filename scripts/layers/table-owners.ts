/**
 * The folder under packages/server/src that alone may write a table, in the order of the migrations.
 * Everybody may read; to change a row of somebody else, call a function of its owner or record an event.
 */
export const tableOwners: Readonly<Record<string, string>> = {
  workspaces: 'features/workspace',
  users: 'features/members',
  workspace_members: 'features/members',
  applications: 'features/applications',
  application_members: 'features/members',
  invitations: 'features/members',
  application_platforms: 'features/applications',
  streams: 'features/streams',
  default_streams: 'features/streams',
  labels: 'features/labels',
  custom_targets: 'features/custom-targets',
  api_keys: 'features/api-keys',
  trusted_publishers: 'features/trusted-publishers',
  stored_objects: 'storage',
  builds: 'features/builds',
  build_labels: 'features/builds',
  build_changes: 'features/builds',
  build_counts: 'features/builds',
  storage_usage: 'features/builds',
  files: 'features/builds',
  pending_uploads: 'features/uploads',
  pending_upload_files: 'features/uploads',
  metadata_artifacts: 'features/metadata-artifacts',
  releases: 'features/releases',
  release_builds: 'features/releases',
  release_labels: 'features/releases',
  share_links: 'features/share-links',
  distribution_groups: 'features/distribution-groups',
  distribution_group_members: 'features/distribution-groups',
  distribution_group_releases: 'features/distribution-groups',
  release_notifications: 'features/distribution-groups',
  portals: 'features/portals',
  portal_applications: 'features/portals',
  portal_streams: 'features/portals',
  portal_releases: 'features/portals',
  downloads: 'features/builds',
  events: 'events',
  audit_entries: 'events',
  webhooks: 'features/webhooks',
  webhook_requests: 'features/webhooks',
  idempotency_keys: 'http',
  mails: 'features/mails',
}

/**
 * Writes that a feature lets others call, because both belong in one transaction and only the owner knows the
 * rules; the reason stands beside each. Everything else that follows from a change is a reaction to its event.
 */
export const openWrites: readonly string[] = [
  // A new application starts with the streams that its workspace wants for every application.
  'features/streams/stream.db.ts insertStreamsFromDefaults',
  'features/streams/default-stream.db.ts insertFirstDefaultStreams',
  // A build is born when its upload is verified: its rows, its labels and the end of the upload are one transaction.
  'features/builds/build.db.ts insertBuild',
  'features/builds/build.db.ts insertBuildLabels',
  'features/builds/file.db.ts insertFile',
  'features/labels/label.db.ts insertMissingLabels',
  // Labels may be named before they exist, also when a build or a release is edited.
  'features/labels/label.db.ts insertNamedLabels',
  // A download by a share link is counted and recorded in one transaction.
  'features/builds/download.db.ts insertDownload',
  // So is a metadata artifact.
  'features/metadata-artifacts/metadata-artifact.db.ts insertMetadataArtifact',
  'features/builds/build.db.ts updateBuildMetadataBytes',
  // A key for a token of CI, and the end of the keys when their rule goes, belong to the rule's own transaction.
  'features/api-keys/api-key.db.ts insertApiKey',
  'features/api-keys/api-key.db.ts updateApiKeysOfPublisherRevoked',
  // A stream goes with its builds and uploads moved to another: no moment in which they have none.
  'features/builds/build.db.ts updateSomeBuildsOfStream',
  'features/uploads/pending-upload.db.ts updateUploadsOfStream',
  'features/uploads/pending-upload.db.ts updateSomeUploadsForgotten',
  'features/portals/portal-application.db.ts deletePortalStreamsOf',
  // Webhooks that hear of one stream or label alone end with it, and the audit log says so.
  'features/webhooks/webhook.db.ts deleteWebhooksOf',
  // An application that is purged may hold very much: what is many goes in batches before its row does.
  'features/releases/release.db.ts deleteSomeReleasesOfApplication',
  'features/uploads/pending-upload.db.ts deleteSomeUploadsOfApplication',
  'features/webhooks/webhook-request.db.ts deleteSomeRequestsOfApplication',
]
