// Generated from a migrated database by `npm run generate`. Do not edit; a test fails when it is out of date.
import type { ColumnType } from 'kysely'

type Generated<T> =
  T extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Selected, Inserted | undefined, Updated>
    : ColumnType<T, T | undefined, T>

/** Timestamps are read as strings in the format 'YYYY-MM-DDTHH:MM:SS.ffffffZ'. */
type Timestamp = ColumnType<string, Date | string, Date | string>

interface AccessRequestsTable {
  id: Generated<string>
  workspace_id: string
  application_id: string
  user_id: string
  message: string | null
  created_at: Generated<Timestamp>
  closed_at: Timestamp | null
}

interface AccountsTable {
  id: string
  user_id: string
  provider_id: string
  account_id: string
  password: string | null
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: Timestamp | null
  refresh_token_expires_at: Timestamp | null
  scope: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface ApiKeysTable {
  id: string
  workspace_id: string
  application_id: string | null
  kind: string
  name: string
  prefix: string
  key_sha256: Buffer
  scopes: string[]
  created_by: string | null
  user_id: string | null
  trusted_publisher_ids: string[] | null
  token_sha256: Buffer | null
  publishers_expire_at: Timestamp | null
  created_at: Generated<Timestamp>
  last_used_at: Timestamp | null
  expires_at: Timestamp | null
  revoked_at: Timestamp | null
}

interface ApplicationMembersTable {
  application_id: string
  workspace_id: string
  user_id: string
  role: string
  added_at: Generated<Timestamp>
}

interface ApplicationPlatformsTable {
  application_id: string
  platform: string
  attached_at: Generated<Timestamp>
}

interface ApplicationsTable {
  id: string
  workspace_id: string
  name: string
  description: string | null
  icon_object_key: string | null
  custom_store_enabled: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  deleted_at: Timestamp | null
  is_sample: Generated<boolean>
}

interface AuditEntriesTable {
  id: string
  workspace_id: string
  application_id: string | null
  action: string
  subject_type: string
  subject_id: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  address: string | null
  before: unknown
  after: unknown
  created_at: Generated<Timestamp>
}

interface BuildChangesTable {
  id: ColumnType<number, never, never>
  application_id: string
  change: number
  build_id: string
  stream_id: string
  platform: string
  custom_target_id: string | null
  build_source: string
  scm_branch: string | null
  label_ids: string[]
  created_at: Timestamp
}

interface BuildCountsTable {
  id: ColumnType<number, never, never>
  application_id: string
  kind: string
  scm_branch: string | null
  label_ids: string[] | null
  day: string | null
  stream_id: string | null
  platform: string | null
  custom_target_id: string | null
  build_source: string | null
  builds: number
}

interface BuildLabelsTable {
  build_id: string
  label_id: string
  application_id: string
  workspace_id: string
}

interface BuildReadingsTable {
  build_id: string
  kind: string
  version: Generated<number>
  due_at: Generated<Timestamp>
  has_failed: Generated<boolean>
}

interface BuildsTable {
  id: string
  workspace_id: string
  application_id: string
  build_structure: string
  version_major: number
  version_minor: number
  version_patch: number
  version_extra: string | null
  version_meta: string | null
  version_sort: string
  build_number: string | null
  platform: string
  stream_id: string
  custom_target_id: string | null
  architectures: Generated<string[]>
  notes: string | null
  size_total_bytes: number
  metadata_total_bytes: Generated<number>
  derived_total_bytes: Generated<number>
  build_source: string
  ci_pipeline_name: string | null
  ci_pipeline_url: string | null
  ci_run_id: string | null
  ci_run_url: string | null
  ci_build_duration: string | null
  scm_host_type: string | null
  scm_host: string | null
  scm_repo_name: string | null
  scm_repo_url: string | null
  scm_branch: string | null
  scm_commit_sha: string | null
  scm_commit_url: string | null
  processing: Generated<string>
  processing_error: string | null
  ios_info: unknown
  android_info: unknown
  file_info: unknown
  icon_object_key: string | null
  keep_forever: Generated<boolean>
  built_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  deleted_at: Timestamp | null
  version_group: ColumnType<string | null, never, never>
  run_group: ColumnType<string | null, never, never>
  reused_bytes: Generated<number>
}

interface ChangePositionsTable {
  is_only_row: Generated<boolean>
  transaction_offset: number
}

interface ChangesTable {
  owner_id: string
  type: string
  resource_id: string
  position: number
  listed_position: number | null
  changed_at: Generated<Timestamp>
  deleted_at: Timestamp | null
  resource_ids: string[] | null
}

interface ChannelHealthTable {
  channel_id: string
  format: string
  hour: Timestamp
  requests: Generated<number>
  errors: Generated<number>
  last_request_at: Timestamp
  last_error_at: Timestamp | null
  last_error_status: number | null
  last_error_path: string | null
}

interface ChannelReadKeysTable {
  id: string
  channel_id: string
  name: string
  prefix: string
  key_sha256: Buffer
  cohort: string | null
  max_downloads: number | null
  download_count: Generated<number>
  created_at: Generated<Timestamp>
  expires_at: Timestamp | null
  revoked_at: Timestamp | null
}

interface ChannelRequestsTable {
  channel_id: string
  version: string
  day: string
  format: string
  platform: string
  architecture: string
  documents: Generated<number>
  no_updates: Generated<number>
  unchanged: Generated<number>
  errors: Generated<number>
  downloads: Generated<number>
}

interface ChannelsTable {
  id: string
  workspace_id: string
  application_id: string
  name: string
  stream_id: string | null
  includes_prereleases: Generated<boolean>
  formats: string[]
  access: Generated<string>
  revision: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface ChunkIndexesTable {
  file_id: string
  object_key: string
  size_bytes: number
}

interface CustomStoresTable {
  id: string
  application_id: string | null
  is_current: Generated<boolean>
  endpoint: string | null
  region: string
  bucket: string
  prefix: string
  force_path_style: boolean
  acl: string | null
  credentials_encrypted: Buffer
  tested_at: Generated<Timestamp>
  replaced_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface CustomTargetsTable {
  id: string
  workspace_id: string
  application_id: string | null
  owner_id: ColumnType<string, never, never>
  platform: string
  name: string
  description: string | null
  icon_object_key: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface DailyStatisticsTable {
  id: ColumnType<number, never, never>
  application_id: string
  kind: string
  day: string
  platform: string | null
  version: string | null
  channel: string | null
  stream_id: string | null
  amount: number
  is_merged: Generated<boolean>
}

interface DebugIdsTable {
  row_id: string
  build_id: string
  artifact_id: string | null
  position: number
  kind: string
  id: string
  role: string
  name: string | null
  path: string | null
  architecture: string | null
}

interface DefaultStreamsTable {
  id: string
  workspace_id: string
  name: string
  description: string | null
  retention_days: number | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface DeviceRegistrationsTable {
  id: string
  completed_at: Generated<Timestamp>
}

interface DevicesTable {
  id: string
  workspace_id: string
  udid: string
  name: string
  platform: string
  product: string | null
  os_version: string | null
  source: string
  share_link_id: string | null
  distribution_group_id: string | null
  email: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  portal_id: string | null
}

interface DigestEntriesTable {
  notification_id: string
  member_id: string
  due_at: Timestamp
}

interface DistributionGroupMembersTable {
  id: string
  distribution_group_id: string
  email: string
  added_at: Generated<Timestamp>
  unsubscribed_at: Timestamp | null
  bounced_at: Timestamp | null
  bounce_reason: string | null
  digest: string | null
}

interface DistributionGroupReleasesTable {
  distribution_group_id: string
  release_id: string
  workspace_id: string
  notify: Generated<boolean>
  added_at: Generated<Timestamp>
}

interface DistributionGroupsTable {
  id: string
  workspace_id: string
  name: string
  description: string | null
  is_active: Generated<boolean>
  type: string
  icon_type: Generated<string>
  icon_emoji_code: string | null
  icon_set_value: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  feedback_enabled: Generated<boolean>
  digest: Generated<string>
}

interface DownloadsTable {
  id: string
  workspace_id: string
  application_id: string
  build_id: string
  file_id: string | null
  metadata_artifact_id: string | null
  channel: string
  share_link_id: string | null
  distribution_group_id: string | null
  portal_id: string | null
  api_key_id: string | null
  user_id: string | null
  email: string | null
  address: string | null
  user_agent: string | null
  created_at: Generated<Timestamp>
  platform: Generated<string>
  is_install: Generated<boolean>
}

interface DroppedChangesTable {
  owner_id: string
  position: number
}

interface EffectiveApplicationRolesTable {
  application_id: string | null
  workspace_id: string | null
  user_id: string | null
  role: string | null
}

interface EventsTable {
  id: string
  workspace_id: string
  application_id: string | null
  name: string
  data: unknown
  created_at: Generated<Timestamp>
  dispatched_at: Timestamp | null
}

interface FeedbackTable {
  id: string
  workspace_id: string
  application_id: string
  build_id: string
  stream_id: string | null
  text: string
  rating: number | null
  email: string | null
  name: string | null
  device: string | null
  os: string | null
  user_agent: string | null
  channel: string
  share_link_id: string | null
  distribution_group_id: string | null
  portal_id: string | null
  state: Generated<string>
  closed_at: Timestamp | null
  closed_by: string | null
  closed_by_name: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface FeedbackNoticesTable {
  build_id: string
  sent_at: Generated<Timestamp>
}

interface FeedbackScreenshotsTable {
  id: string
  feedback_id: string
  application_id: string
  position: number
  content_type: string
  width: number
  height: number
  size_bytes: number
  object_key: string
  created_at: Generated<Timestamp>
}

interface FeedbackSubscriptionsTable {
  application_id: string
  user_id: string
  created_at: Generated<Timestamp>
}

interface FileBlockSumsTable {
  file_id: string
  sums: Buffer
}

interface FilePatchesTable {
  file_id: string
  source_file_id: string
  object_key: string | null
  size_bytes: number | null
  checksum_sha256: string | null
  attempts: Generated<number>
  failure: string | null
  created_at: Generated<Timestamp>
}

interface FilesTable {
  id: string
  build_id: string
  role: string
  filename: string
  size_bytes: number
  checksum_md5: string | null
  checksum_sha1: string | null
  checksum_sha256: string | null
  checksum_sha512: string | null
  checksum_error: string | null
  filetype: string
  object_key: string
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface FirstStepChoicesTable {
  workspace_id: string
  user_id: string
  hides_steps: Generated<boolean>
  hides_phone_card: Generated<boolean>
}

interface IdempotencyKeysTable {
  caller_id: string
  key: string
  request_sha256: Buffer
  status: number | null
  sealed_response: Buffer | null
  created_at: Generated<Timestamp>
}

interface ImportObjectsTable {
  import_id: string
  source_key: string
  object_key: string
}

interface ImportsTable {
  id: string
  workspace_id: string
  export_id: string
  id_key: Buffer
  replaces_workspace: boolean
  step: string | null
  position: Generated<number>
  started_at: Generated<Timestamp>
  finished_at: Timestamp | null
}

interface InstallationTable {
  is_only: Generated<boolean>
  id: string
  storage_claimed_at: Timestamp | null
  clock_seen_at: Generated<Timestamp>
  deletion_paused_seconds: Generated<number>
  created_at: Generated<Timestamp>
}

interface InvitationsTable {
  id: string
  workspace_id: string
  application_id: string | null
  email: string
  role: string
  application_roles: Generated<unknown>
  token_sha256: Buffer
  is_token_private: Generated<boolean>
  invited_by: string | null
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  accepted_at: Timestamp | null
  revoked_at: Timestamp | null
  team_ids: Generated<string[]>
  can_grant_admin: Generated<boolean>
}

interface LabelsTable {
  id: string
  workspace_id: string
  application_id: string | null
  owner_id: ColumnType<string, never, never>
  name: string
  description: string | null
  color: string
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface MailsTable {
  id: string
  workspace_id: string
  recipient: string
  subject: string
  text_body: string
  html_body: string | null
  unsubscribe_url: string | null
  secrets: Generated<string[]>
  is_private: Generated<boolean>
  state: Generated<string>
  error: string | null
  created_at: Generated<Timestamp>
  sent_at: Timestamp | null
}

interface MasterSecretTable {
  id: Generated<boolean>
  verifier: string
  changed_at: Generated<Timestamp>
}

interface MetadataArtifactsTable {
  id: string
  build_id: string
  filename: string
  description: string | null
  size_bytes: number
  checksum_md5: string | null
  checksum_sha1: string | null
  checksum_sha256: string | null
  checksum_sha512: string | null
  checksum_error: string | null
  metadata_filetype: string
  format: string | null
  inspection_version: Generated<number>
  object_key: string
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface NotificationChatsTable {
  notification_id: string
  attempts: Generated<number>
  next_attempt_at: Generated<Timestamp>
}

interface NotificationEmailsTable {
  notification_id: string
}

interface NotificationRulesTable {
  id: Generated<string>
  workspace_id: string
  user_id: string
  kind: string
  application_id: string | null
  stream: string | null
  platform: string | null
  label: string | null
  own_only: Generated<boolean>
  sends_email: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  sends_chat: Generated<boolean>
}

interface NotificationSettingsTable {
  workspace_id: string
  user_id: string
  email: Generated<string>
  digest_hour: Generated<number>
  quiet_from: string | null
  quiet_to: string | null
  time_zone: Generated<string>
  subscribed_email: Generated<string>
  chat_url: string | null
  chat_format: string | null
  chat_error: string | null
}

interface NotificationsTable {
  id: Generated<string>
  workspace_id: string
  user_id: string
  application_id: string
  kind: string
  build_id: string | null
  release_id: string | null
  feedback_id: string | null
  channel_id: string | null
  stream: string | null
  label: string | null
  actor_name: string | null
  occurred_at: Timestamp
  read_at: Timestamp | null
  created_at: Generated<Timestamp>
}

interface PackageDetailsTable {
  build_id: string
  deb_control: unknown
  rpm_header: unknown
  device_hashes: string[] | null
  pacman_info: unknown
}

interface PasskeysTable {
  id: string
  user_id: string
  name: string | null
  public_key: string
  credential_id: string
  counter: number
  device_type: string
  backed_up: boolean
  transports: string | null
  aaguid: string | null
  created_at: Generated<Timestamp>
}

interface PendingUploadFilesTable {
  id: string
  pending_upload_id: string
  role: string
  filename: string
  size_bytes: number
  content_type: string
  filetype: string
  object_key: string
  store_id: string | null
  storage_address: string | null
  multipart_id: string | null
  number_of_parts: number | null
  part_size_mb: number | null
  chosen_parts: unknown
  new_bytes: number | null
}

interface PendingUploadsTable {
  id: string
  kind: string
  workspace_id: string
  application_id: string
  state: Generated<string>
  lease_id: string | null
  lease_expires_at: Timestamp | null
  draft: unknown
  stream_id: string | null
  build_id: string | null
  for_pending_upload_id: string | null
  artifact_id: string | null
  api_key_id: string | null
  created_at: Generated<Timestamp>
  last_activity_at: Generated<Timestamp>
  expires_at: Timestamp
  verified_at: Timestamp | null
  swept_at: Timestamp | null
}

interface PinnedApplicationsTable {
  user_id: string
  application_id: string
  position: number
}

interface PinnedViewsTable {
  user_id: string
  view_id: string
  position: number
}

interface PortalApplicationsTable {
  portal_id: string
  application_id: string
  workspace_id: string
  streams_mode: Generated<string>
  releases_mode: Generated<string>
}

interface PortalCodesTable {
  id: string
  portal_id: string
  email: string
  code_hash: string | null
  browser_hash: string
  network: string
  guess_count: Generated<number>
  expires_at: Timestamp
  created_at: Generated<Timestamp>
}

interface PortalReleasesTable {
  portal_id: string
  application_id: string
  release_id: string
  published_at: Generated<Timestamp>
}

interface PortalSessionsTable {
  token_hash: string
  portal_id: string
  email: string
  host: string
  expires_at: Timestamp
  created_at: Generated<Timestamp>
}

interface PortalStreamsTable {
  portal_id: string
  application_id: string
  stream_id: string
}

interface PortalsTable {
  id: string
  workspace_id: string
  name: string
  description: string | null
  type: string
  icon_object_key: string | null
  subdomain: string | null
  custom_domain: string | null
  custom_domain_verified_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  accent_color: string | null
  allowed_visitors: Generated<string[]>
  feedback_enabled: Generated<boolean>
}

interface RateCountsTable {
  subject: string
  count: number
  ends_at: Timestamp
}

interface ReadPositionsTable {
  caller_id: string
  position: number
  updated_at: Generated<Timestamp>
}

interface ReleaseBuildsTable {
  release_id: string
  build_id: string
  application_id: string
  added_at: Generated<Timestamp>
}

interface ReleaseLabelsTable {
  release_id: string
  label_id: string
  application_id: string
  workspace_id: string
}

interface ReleaseNotificationsTable {
  id: string
  release_id: string
  email: string
  created_at: Generated<Timestamp>
}

interface ReleasesTable {
  id: string
  workspace_id: string
  application_id: string
  version_major: number
  version_minor: number
  version_patch: number
  version_extra: string | null
  version_meta: string | null
  version_sort: string
  title: string
  notes: string | null
  status: Generated<string>
  published_at: Generated<Timestamp | null>
  scheduled_for: Timestamp | null
  withdrawn_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface RepositoryCommitsTable {
  channel_id: string
  format: string
  number: number
  message: string
  files: unknown
  committed_at: Timestamp
}

interface RepositoryDocumentsTable {
  index_id: number
  position: number
  paths: string[]
  content_type: string
  body: Buffer
}

interface RepositoryIndexesTable {
  id: ColumnType<number, never, never>
  channel_id: string
  format: string
  audience: string
  digest: Buffer
  created_at: Generated<Timestamp>
  superseded_at: Timestamp | null
}

interface RepositoryKeysTable {
  id: string
  workspace_id: string
  fingerprint: string
  public_key: string
  private_key_encrypted: Buffer
  is_imported: boolean
  created_at: Generated<Timestamp>
  retires_at: Timestamp | null
  kind: Generated<string>
}

interface RolloutReportsTable {
  channel_id: string
  version: string
  platform: string
  installed: Generated<number>
  failed: Generated<number>
}

interface RolloutsTable {
  channel_id: string
  version: string
  state: Generated<string>
  percentage: Generated<number>
  changed_at: Generated<Timestamp>
  complete_at: Timestamp | null
  cohorts: Generated<string[]>
  is_critical: Generated<boolean>
  is_required: Generated<boolean>
  minimum_os: Generated<unknown>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  stop_failures_percent: number | null
  stop_minimum_reports: number | null
  rule_stopped_at: Timestamp | null
  rule_stopped_reports: number | null
  rule_stopped_failures: number | null
}

interface ScimTokensTable {
  workspace_id: string
  id: string
  token_sha256: Buffer
  prefix: string
  created_by: string
  created_at: Generated<Timestamp>
  last_used_at: Timestamp | null
}

interface ScimUsersTable {
  workspace_id: string
  user_id: string
  user_name: string
  external_id: string | null
  name: string
  given_name: string | null
  family_name: string | null
  is_created: boolean
  held_team_ids: Generated<string[]>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface SessionsTable {
  id: string
  token: string
  user_id: string
  workspace_id: string | null
  ip_address: string | null
  user_agent: string | null
  expires_at: Timestamp
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface SetupLinksTable {
  id: Generated<boolean>
  token_sha256: Buffer
  created_at: Generated<Timestamp>
}

interface ShareLinkGuessesTable {
  share_link_id: string
  network: string
  guess_count: number
  ends_at: Timestamp
  pause_count: Generated<number>
}

interface ShareLinksTable {
  id: string
  workspace_id: string
  application_id: string
  build_id: string | null
  release_id: string | null
  is_active: Generated<boolean>
  password_hash: string | null
  expires_at: Timestamp | null
  max_downloads: number | null
  download_count: Generated<number>
  created_by: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  feedback_enabled: Generated<boolean>
}

interface SignInGuessesTable {
  account: Buffer
  source: string
  guess_count: number
  ends_at: Timestamp
  signed_in_at: Timestamp | null
}

interface StorageUsageTable {
  id: ColumnType<number, never, never>
  application_id: string
  bytes: number
  self_hosted_bytes: Generated<number>
  shared_bytes: Generated<number>
}

interface StoredObjectSourcesTable {
  key: string | null
  pending_upload_file_id: string | null
  source_key: string
}

interface StoredObjectsTable {
  key: string
  store_id: string | null
  size_bytes: number
  segments: unknown
  icon_type: string | null
  created_at: Generated<Timestamp>
  deleted_at: Timestamp | null
  ranges: unknown
  shared_in: string | null
  shared_bytes: Generated<number>
}

interface StreamsTable {
  id: string
  application_id: string
  name: string
  description: string | null
  retention_days: number | null
  is_active: Generated<boolean>
  moving_to: string | null
  moved_by: unknown
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface TeamApplicationsTable {
  team_id: string
  workspace_id: string
  application_id: string
  role: string
  added_at: Generated<Timestamp>
}

interface TeamMembersTable {
  team_id: string
  workspace_id: string
  user_id: string
  added_at: Generated<Timestamp>
  source: Generated<string>
}

interface TeamsTable {
  id: string
  workspace_id: string
  name: string
  description: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  sso_group: string | null
  external_id: string | null
}

interface TrustedPublishersTable {
  id: string
  workspace_id: string
  application_id: string
  name: string
  issuer: string
  audience: string
  claims: unknown
  scopes: string[]
  created_by: string | null
  expires_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface TwoFactorsTable {
  id: string
  user_id: string
  secret: string
  backup_codes: string
  verified: Generated<boolean>
  failed_verification_count: Generated<number>
  locked_until: Timestamp | null
  last_used_step: number | null
}

interface UploadCompositionsTable {
  pending_upload_file_id: string
  checksum_sha256: string
  segments: unknown
  ranges: unknown
}

interface UsersTable {
  id: string
  email: string
  email_verified: Generated<boolean>
  name: Generated<string>
  two_factor_enabled: Generated<boolean>
  profile_photo_url: string | null
  photo_object_key: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface VerificationsTable {
  id: string
  identifier: string
  value: string
  user_id: string | null
  expires_at: Timestamp
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface ViewsTable {
  id: string
  workspace_id: string
  application_id: string
  user_id: string | null
  name: string
  query: unknown
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  deleted_at: Timestamp | null
}

interface WebhookRequestsTable {
  id: string
  webhook_id: string
  event_id: string
  event: string
  url: string
  redelivery_of: string | null
  state: Generated<string>
  next_attempt_at: Timestamp | null
  delivery_attempts: Generated<number>
  attempts: Generated<unknown>
  duration_ms: number | null
  request_headers: Generated<unknown>
  request_payload: unknown
  response_code: number | null
  response_headers: unknown
  response_payload: string | null
  error: string | null
  created_at: Generated<Timestamp>
}

interface WebhooksTable {
  id: string
  workspace_id: string
  application_id: string
  description: string | null
  url: string
  event: string
  stream_id: string | null
  label_id: string | null
  format: Generated<string>
  secret_encrypted: Buffer | null
  secret_is_weak: boolean | null
  previous_secret_encrypted: Buffer | null
  previous_secret_until: Timestamp | null
  is_active: Generated<boolean>
  in_error_state: Generated<boolean>
  failing_since: Timestamp | null
  paused_until: Timestamp | null
  last_successful_request_at: Timestamp | null
  last_failed_request_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface WorkspaceMembersTable {
  workspace_id: string
  user_id: string
  name: string
  role: string
  added_at: Generated<Timestamp>
}

interface WorkspacesTable {
  id: string
  name: string
  subdomain: string | null
  logo_object_key: string | null
  custom_targets_enabled: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Database {
  access_requests: AccessRequestsTable
  accounts: AccountsTable
  api_keys: ApiKeysTable
  application_members: ApplicationMembersTable
  application_platforms: ApplicationPlatformsTable
  applications: ApplicationsTable
  audit_entries: AuditEntriesTable
  build_changes: BuildChangesTable
  build_counts: BuildCountsTable
  build_labels: BuildLabelsTable
  build_readings: BuildReadingsTable
  builds: BuildsTable
  change_positions: ChangePositionsTable
  changes: ChangesTable
  channel_health: ChannelHealthTable
  channel_read_keys: ChannelReadKeysTable
  channel_requests: ChannelRequestsTable
  channels: ChannelsTable
  chunk_indexes: ChunkIndexesTable
  custom_stores: CustomStoresTable
  custom_targets: CustomTargetsTable
  daily_statistics: DailyStatisticsTable
  debug_ids: DebugIdsTable
  default_streams: DefaultStreamsTable
  device_registrations: DeviceRegistrationsTable
  devices: DevicesTable
  digest_entries: DigestEntriesTable
  distribution_group_members: DistributionGroupMembersTable
  distribution_group_releases: DistributionGroupReleasesTable
  distribution_groups: DistributionGroupsTable
  downloads: DownloadsTable
  dropped_changes: DroppedChangesTable
  effective_application_roles: EffectiveApplicationRolesTable
  events: EventsTable
  feedback: FeedbackTable
  feedback_notices: FeedbackNoticesTable
  feedback_screenshots: FeedbackScreenshotsTable
  feedback_subscriptions: FeedbackSubscriptionsTable
  file_block_sums: FileBlockSumsTable
  file_patches: FilePatchesTable
  files: FilesTable
  first_step_choices: FirstStepChoicesTable
  idempotency_keys: IdempotencyKeysTable
  import_objects: ImportObjectsTable
  imports: ImportsTable
  installation: InstallationTable
  invitations: InvitationsTable
  labels: LabelsTable
  mails: MailsTable
  master_secret: MasterSecretTable
  metadata_artifacts: MetadataArtifactsTable
  notification_chats: NotificationChatsTable
  notification_emails: NotificationEmailsTable
  notification_rules: NotificationRulesTable
  notification_settings: NotificationSettingsTable
  notifications: NotificationsTable
  package_details: PackageDetailsTable
  passkeys: PasskeysTable
  pending_upload_files: PendingUploadFilesTable
  pending_uploads: PendingUploadsTable
  pinned_applications: PinnedApplicationsTable
  pinned_views: PinnedViewsTable
  portal_applications: PortalApplicationsTable
  portal_codes: PortalCodesTable
  portal_releases: PortalReleasesTable
  portal_sessions: PortalSessionsTable
  portal_streams: PortalStreamsTable
  portals: PortalsTable
  rate_counts: RateCountsTable
  read_positions: ReadPositionsTable
  release_builds: ReleaseBuildsTable
  release_labels: ReleaseLabelsTable
  release_notifications: ReleaseNotificationsTable
  releases: ReleasesTable
  repository_commits: RepositoryCommitsTable
  repository_documents: RepositoryDocumentsTable
  repository_indexes: RepositoryIndexesTable
  repository_keys: RepositoryKeysTable
  rollout_reports: RolloutReportsTable
  rollouts: RolloutsTable
  scim_tokens: ScimTokensTable
  scim_users: ScimUsersTable
  sessions: SessionsTable
  setup_links: SetupLinksTable
  share_link_guesses: ShareLinkGuessesTable
  share_links: ShareLinksTable
  sign_in_guesses: SignInGuessesTable
  storage_usage: StorageUsageTable
  stored_object_sources: StoredObjectSourcesTable
  stored_objects: StoredObjectsTable
  streams: StreamsTable
  team_applications: TeamApplicationsTable
  team_members: TeamMembersTable
  teams: TeamsTable
  trusted_publishers: TrustedPublishersTable
  two_factors: TwoFactorsTable
  upload_compositions: UploadCompositionsTable
  users: UsersTable
  verifications: VerificationsTable
  views: ViewsTable
  webhook_requests: WebhookRequestsTable
  webhooks: WebhooksTable
  workspace_members: WorkspaceMembersTable
  workspaces: WorkspacesTable
}

/** Constraints and unique indexes that a write can violate. */
export type Constraint =
  | 'access_requests_application_id_user_id_key'
  | 'access_requests_application_id_workspace_id_fkey'
  | 'access_requests_message_check'
  | 'access_requests_pkey'
  | 'access_requests_workspace_id_user_id_fkey'
  | 'accounts_pkey'
  | 'accounts_provider_id_account_id_key'
  | 'accounts_user_id_fkey'
  | 'api_keys_application_check'
  | 'api_keys_application_id_workspace_id_fkey'
  | 'api_keys_key_sha256_check'
  | 'api_keys_key_sha256_key'
  | 'api_keys_kind_check'
  | 'api_keys_name_check'
  | 'api_keys_pkey'
  | 'api_keys_prefix_check'
  | 'api_keys_token_exchange_check'
  | 'api_keys_token_sha256_check'
  | 'api_keys_trusted_publisher_ids_check'
  | 'api_keys_user_id_fkey'
  | 'api_keys_workspace_id_fkey'
  | 'application_members_application_id_workspace_id_fkey'
  | 'application_members_pkey'
  | 'application_members_role_check'
  | 'application_members_workspace_id_user_id_fkey'
  | 'application_platforms_application_id_fkey'
  | 'application_platforms_pkey'
  | 'applications_icon_object_key_fkey'
  | 'applications_id_workspace_id_key'
  | 'applications_name_check'
  | 'applications_pkey'
  | 'applications_workspace_id_fkey'
  | 'audit_entries_actor_kind_check'
  | 'audit_entries_pkey'
  | 'audit_entries_workspace_id_fkey'
  | 'build_changes_change_check'
  | 'build_changes_pkey'
  | 'build_counts_key'
  | 'build_counts_kind_check'
  | 'build_counts_pkey'
  | 'build_labels_build_id_application_id_workspace_id_fkey'
  | 'build_labels_label_id_workspace_id_fkey'
  | 'build_labels_pkey'
  | 'build_readings_build_id_fkey'
  | 'build_readings_kind_check'
  | 'build_readings_pkey'
  | 'build_readings_version_check'
  | 'builds_application_id_workspace_id_fkey'
  | 'builds_build_structure_check'
  | 'builds_ci_build_duration_check'
  | 'builds_custom_target_id_workspace_id_platform_fkey'
  | 'builds_derived_total_bytes_check'
  | 'builds_icon_object_key_fkey'
  | 'builds_icon_object_key_key'
  | 'builds_id_application_id_key'
  | 'builds_id_application_id_workspace_id_key'
  | 'builds_metadata_total_bytes_check'
  | 'builds_pkey'
  | 'builds_processing_check'
  | 'builds_processing_error_check'
  | 'builds_reused_bytes_check'
  | 'builds_size_total_bytes_check'
  | 'builds_stream_id_application_id_fkey'
  | 'builds_version_major_check'
  | 'builds_version_minor_check'
  | 'builds_version_patch_check'
  | 'change_positions_is_only_row_check'
  | 'change_positions_pkey'
  | 'changes_by_position'
  | 'changes_deleted_at_check'
  | 'changes_pkey'
  | 'changes_resource_ids_check'
  | 'changes_type_check'
  | 'channel_health_channel_id_fkey'
  | 'channel_health_pkey'
  | 'channel_read_keys_channel_id_fkey'
  | 'channel_read_keys_channel_id_key_sha256_key'
  | 'channel_read_keys_key_sha256_check'
  | 'channel_read_keys_max_downloads_check'
  | 'channel_read_keys_name_check'
  | 'channel_read_keys_pkey'
  | 'channel_requests_channel_id_fkey'
  | 'channel_requests_pkey'
  | 'channels_access_check'
  | 'channels_application_id_workspace_id_fkey'
  | 'channels_name'
  | 'channels_name_check'
  | 'channels_pkey'
  | 'channels_stream_id_application_id_fkey'
  | 'chunk_indexes_file_id_fkey'
  | 'chunk_indexes_object_key_fkey'
  | 'chunk_indexes_object_key_key'
  | 'chunk_indexes_pkey'
  | 'chunk_indexes_size_bytes_check'
  | 'custom_stores_acl_check'
  | 'custom_stores_application_id_fkey'
  | 'custom_stores_bucket_check'
  | 'custom_stores_current'
  | 'custom_stores_id_check'
  | 'custom_stores_location'
  | 'custom_stores_pkey'
  | 'custom_stores_region_check'
  | 'custom_stores_replaced_check'
  | 'custom_targets_application_id_workspace_id_fkey'
  | 'custom_targets_icon_object_key_fkey'
  | 'custom_targets_id_workspace_id_platform_key'
  | 'custom_targets_name'
  | 'custom_targets_name_check'
  | 'custom_targets_pkey'
  | 'custom_targets_workspace_id_fkey'
  | 'daily_statistics_columns_check'
  | 'daily_statistics_kind_check'
  | 'daily_statistics_merged'
  | 'daily_statistics_pkey'
  | 'debug_ids_artifact_id_fkey'
  | 'debug_ids_build_id_fkey'
  | 'debug_ids_id_check'
  | 'debug_ids_pkey'
  | 'debug_ids_role_check'
  | 'default_streams_name'
  | 'default_streams_name_check'
  | 'default_streams_pkey'
  | 'default_streams_retention_days_check'
  | 'default_streams_workspace_id_fkey'
  | 'device_registrations_pkey'
  | 'devices_distribution_group_id_fkey'
  | 'devices_name_check'
  | 'devices_pkey'
  | 'devices_platform_check'
  | 'devices_portal_id_fkey'
  | 'devices_share_link_id_fkey'
  | 'devices_source_check'
  | 'devices_udid'
  | 'devices_udid_check'
  | 'devices_workspace_id_fkey'
  | 'digest_entries_member_id_fkey'
  | 'digest_entries_notification_id_fkey'
  | 'digest_entries_pkey'
  | 'distribution_group_members_bounce_check'
  | 'distribution_group_members_digest_check'
  | 'distribution_group_members_distribution_group_id_fkey'
  | 'distribution_group_members_email'
  | 'distribution_group_members_email_check'
  | 'distribution_group_members_pkey'
  | 'distribution_group_releases_distribution_group_id_workspac_fkey'
  | 'distribution_group_releases_pkey'
  | 'distribution_group_releases_release_id_workspace_id_fkey'
  | 'distribution_groups_digest_check'
  | 'distribution_groups_icon_emoji_check'
  | 'distribution_groups_icon_set_check'
  | 'distribution_groups_icon_type_check'
  | 'distribution_groups_id_workspace_id_key'
  | 'distribution_groups_name'
  | 'distribution_groups_name_check'
  | 'distribution_groups_pkey'
  | 'distribution_groups_type_check'
  | 'distribution_groups_workspace_id_fkey'
  | 'downloads_api_key_id_fkey'
  | 'downloads_application_id_workspace_id_fkey'
  | 'downloads_build_id_application_id_fkey'
  | 'downloads_channel_check'
  | 'downloads_distribution_group_id_fkey'
  | 'downloads_file_id_fkey'
  | 'downloads_pkey'
  | 'downloads_platform_check'
  | 'downloads_portal_id_fkey'
  | 'downloads_share_link_id_fkey'
  | 'downloads_user_id_fkey'
  | 'dropped_changes_pkey'
  | 'events_application_id_workspace_id_fkey'
  | 'events_pkey'
  | 'events_workspace_id_fkey'
  | 'feedback_application_id_workspace_id_fkey'
  | 'feedback_build_id_application_id_fkey'
  | 'feedback_channel_check'
  | 'feedback_closed_at_check'
  | 'feedback_distribution_group_id_fkey'
  | 'feedback_notices_build_id_fkey'
  | 'feedback_notices_pkey'
  | 'feedback_pkey'
  | 'feedback_portal_id_fkey'
  | 'feedback_rating_check'
  | 'feedback_screenshots_feedback_id_fkey'
  | 'feedback_screenshots_feedback_id_position_key'
  | 'feedback_screenshots_height_check'
  | 'feedback_screenshots_object_key_fkey'
  | 'feedback_screenshots_object_key_key'
  | 'feedback_screenshots_pkey'
  | 'feedback_screenshots_position_check'
  | 'feedback_screenshots_size_bytes_check'
  | 'feedback_screenshots_width_check'
  | 'feedback_share_link_id_fkey'
  | 'feedback_state_check'
  | 'feedback_stream_id_fkey'
  | 'feedback_subscriptions_application_id_fkey'
  | 'feedback_subscriptions_pkey'
  | 'feedback_subscriptions_user_id_fkey'
  | 'feedback_text_check'
  | 'file_block_sums_file_id_fkey'
  | 'file_block_sums_pkey'
  | 'file_patches_attempts_check'
  | 'file_patches_check'
  | 'file_patches_checksum_sha256_check'
  | 'file_patches_file_id_fkey'
  | 'file_patches_object_key_fkey'
  | 'file_patches_object_key_key'
  | 'file_patches_pkey'
  | 'file_patches_size_bytes_check'
  | 'file_patches_source_file_id_fkey'
  | 'files_build_id_fkey'
  | 'files_build_id_role_key'
  | 'files_checksum_md5_check'
  | 'files_checksum_sha1_check'
  | 'files_checksum_sha256_check'
  | 'files_checksum_sha512_check'
  | 'files_filename_check'
  | 'files_object_key_fkey'
  | 'files_object_key_key'
  | 'files_pkey'
  | 'files_role_check'
  | 'files_size_bytes_check'
  | 'first_step_choices_pkey'
  | 'first_step_choices_workspace_id_user_id_fkey'
  | 'idempotency_keys_key_check'
  | 'idempotency_keys_pkey'
  | 'idempotency_keys_request_sha256_check'
  | 'idempotency_keys_response_check'
  | 'import_objects_import_id_fkey'
  | 'import_objects_object_key_fkey'
  | 'import_objects_pkey'
  | 'imports_id_key_check'
  | 'imports_pkey'
  | 'imports_position_check'
  | 'imports_workspace_id_export_id_key'
  | 'imports_workspace_id_fkey'
  | 'installation_deletion_paused_seconds_check'
  | 'installation_is_only_check'
  | 'installation_pkey'
  | 'invitations_application_id_workspace_id_fkey'
  | 'invitations_application_roles_check'
  | 'invitations_email_check'
  | 'invitations_open'
  | 'invitations_pkey'
  | 'invitations_role_check'
  | 'invitations_role_level_check'
  | 'invitations_team_ids_check'
  | 'invitations_token_sha256_check'
  | 'invitations_token_sha256_key'
  | 'invitations_workspace_id_fkey'
  | 'labels_application_id_workspace_id_fkey'
  | 'labels_color_check'
  | 'labels_id_workspace_id_key'
  | 'labels_name'
  | 'labels_name_check'
  | 'labels_pkey'
  | 'labels_workspace_id_fkey'
  | 'mails_pkey'
  | 'mails_recipient_check'
  | 'mails_sent_at_check'
  | 'mails_state_check'
  | 'mails_workspace_id_fkey'
  | 'master_secret_id_check'
  | 'master_secret_pkey'
  | 'metadata_artifacts_build_id_fkey'
  | 'metadata_artifacts_checksum_md5_check'
  | 'metadata_artifacts_checksum_sha1_check'
  | 'metadata_artifacts_checksum_sha256_check'
  | 'metadata_artifacts_checksum_sha512_check'
  | 'metadata_artifacts_filename_check'
  | 'metadata_artifacts_object_key_fkey'
  | 'metadata_artifacts_object_key_key'
  | 'metadata_artifacts_pkey'
  | 'metadata_artifacts_size_bytes_check'
  | 'notification_chats_notification_id_fkey'
  | 'notification_chats_pkey'
  | 'notification_emails_notification_id_fkey'
  | 'notification_emails_pkey'
  | 'notification_rules_application_id_workspace_id_fkey'
  | 'notification_rules_build_conditions'
  | 'notification_rules_kind_check'
  | 'notification_rules_label_check'
  | 'notification_rules_label_condition'
  | 'notification_rules_own_condition'
  | 'notification_rules_pkey'
  | 'notification_rules_stream_check'
  | 'notification_rules_workspace_id_user_id_fkey'
  | 'notification_settings_chat'
  | 'notification_settings_chat_error_check'
  | 'notification_settings_chat_format_check'
  | 'notification_settings_digest_hour_check'
  | 'notification_settings_email_check'
  | 'notification_settings_pkey'
  | 'notification_settings_quiet_from_check'
  | 'notification_settings_quiet_hours'
  | 'notification_settings_quiet_to_check'
  | 'notification_settings_subscribed_email_check'
  | 'notification_settings_workspace_id_user_id_fkey'
  | 'notifications_application_id_workspace_id_fkey'
  | 'notifications_build_id_fkey'
  | 'notifications_channel_id_fkey'
  | 'notifications_feedback_id_fkey'
  | 'notifications_mentions'
  | 'notifications_once'
  | 'notifications_pkey'
  | 'notifications_release_id_fkey'
  | 'notifications_workspace_id_user_id_fkey'
  | 'package_details_build_id_fkey'
  | 'package_details_pkey'
  | 'passkeys_credential_id_key'
  | 'passkeys_pkey'
  | 'passkeys_user_id_fkey'
  | 'pending_upload_files_filename_check'
  | 'pending_upload_files_new_bytes_check'
  | 'pending_upload_files_number_of_parts_check'
  | 'pending_upload_files_object_key_key'
  | 'pending_upload_files_part_size_mb_check'
  | 'pending_upload_files_parts_check'
  | 'pending_upload_files_pending_upload_id_fkey'
  | 'pending_upload_files_pending_upload_id_role_key'
  | 'pending_upload_files_pkey'
  | 'pending_upload_files_role_check'
  | 'pending_upload_files_size_bytes_check'
  | 'pending_upload_files_store_check'
  | 'pending_upload_files_store_id_fkey'
  | 'pending_uploads_api_key_id_fkey'
  | 'pending_uploads_application_id_workspace_id_fkey'
  | 'pending_uploads_artifact'
  | 'pending_uploads_build'
  | 'pending_uploads_build_id_application_id_fkey'
  | 'pending_uploads_draft_check'
  | 'pending_uploads_for_metadata_check'
  | 'pending_uploads_for_pending_upload_id_fkey'
  | 'pending_uploads_kind_check'
  | 'pending_uploads_lease_check'
  | 'pending_uploads_lease_expiry_check'
  | 'pending_uploads_metadata_subject_check'
  | 'pending_uploads_pkey'
  | 'pending_uploads_state_check'
  | 'pending_uploads_stream_id_application_id_fkey'
  | 'pending_uploads_verified_artifact_check'
  | 'pending_uploads_verified_at_check'
  | 'pending_uploads_verified_build_check'
  | 'pinned_applications_application_id_fkey'
  | 'pinned_applications_pkey'
  | 'pinned_applications_position_check'
  | 'pinned_applications_user_id_fkey'
  | 'pinned_views_pkey'
  | 'pinned_views_position_check'
  | 'pinned_views_user_id_fkey'
  | 'pinned_views_view_id_fkey'
  | 'portal_applications_application_id_workspace_id_fkey'
  | 'portal_applications_pkey'
  | 'portal_applications_portal_id_workspace_id_fkey'
  | 'portal_applications_releases_mode_check'
  | 'portal_applications_streams_mode_check'
  | 'portal_codes_guess_count_check'
  | 'portal_codes_pkey'
  | 'portal_codes_portal_id_fkey'
  | 'portal_releases_pkey'
  | 'portal_releases_portal_id_application_id_fkey'
  | 'portal_releases_release_id_application_id_fkey'
  | 'portal_sessions_pkey'
  | 'portal_sessions_portal_id_fkey'
  | 'portal_streams_pkey'
  | 'portal_streams_portal_id_application_id_fkey'
  | 'portal_streams_stream_id_application_id_fkey'
  | 'portals_accent_color_check'
  | 'portals_custom_domain'
  | 'portals_custom_domain_in_workspace'
  | 'portals_icon_object_key_fkey'
  | 'portals_id_workspace_id_key'
  | 'portals_name_check'
  | 'portals_pkey'
  | 'portals_subdomain'
  | 'portals_subdomain_check'
  | 'portals_type_check'
  | 'portals_verified_domain_check'
  | 'portals_workspace_id_fkey'
  | 'rate_counts_pkey'
  | 'read_positions_pkey'
  | 'release_builds_build_id_application_id_fkey'
  | 'release_builds_pkey'
  | 'release_builds_release_id_application_id_fkey'
  | 'release_labels_label_id_workspace_id_fkey'
  | 'release_labels_pkey'
  | 'release_labels_release_id_application_id_workspace_id_fkey'
  | 'release_notifications_email_check'
  | 'release_notifications_id'
  | 'release_notifications_pkey'
  | 'release_notifications_release_id_fkey'
  | 'releases_application_id_workspace_id_fkey'
  | 'releases_draft_check'
  | 'releases_id_application_id_key'
  | 'releases_id_application_id_workspace_id_key'
  | 'releases_id_workspace_id_key'
  | 'releases_pkey'
  | 'releases_published_at_check'
  | 'releases_scheduled_for_check'
  | 'releases_status_check'
  | 'releases_title_check'
  | 'releases_version_major_check'
  | 'releases_version_minor_check'
  | 'releases_version_patch_check'
  | 'releases_withdrawn_at_check'
  | 'repository_commits_channel_id_fkey'
  | 'repository_commits_number_check'
  | 'repository_commits_pkey'
  | 'repository_documents_index_id_fkey'
  | 'repository_documents_pkey'
  | 'repository_indexes_channel_id_fkey'
  | 'repository_indexes_current'
  | 'repository_indexes_digest_check'
  | 'repository_indexes_pkey'
  | 'repository_keys_current'
  | 'repository_keys_fingerprint_check'
  | 'repository_keys_kind_check'
  | 'repository_keys_pkey'
  | 'repository_keys_workspace_id_fkey'
  | 'rollout_reports_channel_id_fkey'
  | 'rollout_reports_pkey'
  | 'rollouts_channel_id_fkey'
  | 'rollouts_complete_at_check'
  | 'rollouts_percentage_check'
  | 'rollouts_pkey'
  | 'rollouts_state_check'
  | 'rollouts_stop_failures_percent_check'
  | 'rollouts_stop_minimum_reports_check'
  | 'rollouts_stop_rule_check'
  | 'rollouts_version_check'
  | 'scim_tokens_id_key'
  | 'scim_tokens_pkey'
  | 'scim_tokens_token_sha256_check'
  | 'scim_tokens_token_sha256_key'
  | 'scim_tokens_workspace_id_fkey'
  | 'scim_users_external_id'
  | 'scim_users_pkey'
  | 'scim_users_user_id_fkey'
  | 'scim_users_user_name'
  | 'scim_users_user_name_check'
  | 'scim_users_workspace_id_fkey'
  | 'sessions_pkey'
  | 'sessions_token_key'
  | 'sessions_user_id_fkey'
  | 'sessions_workspace_id_fkey'
  | 'setup_links_id_check'
  | 'setup_links_pkey'
  | 'setup_links_token_sha256_check'
  | 'share_link_guesses_guess_count_check'
  | 'share_link_guesses_pause_count_check'
  | 'share_link_guesses_pkey'
  | 'share_link_guesses_share_link_id_fkey'
  | 'share_links_application_id_workspace_id_fkey'
  | 'share_links_build_id_application_id_fkey'
  | 'share_links_download_count_check'
  | 'share_links_download_limit_check'
  | 'share_links_max_downloads_check'
  | 'share_links_pkey'
  | 'share_links_release_id_application_id_fkey'
  | 'share_links_subject_check'
  | 'sign_in_guesses_account_check'
  | 'sign_in_guesses_guess_count_check'
  | 'sign_in_guesses_pkey'
  | 'storage_usage_pkey'
  | 'stored_object_sources_key_fkey'
  | 'stored_object_sources_of_object'
  | 'stored_object_sources_of_upload'
  | 'stored_object_sources_pending_upload_file_id_fkey'
  | 'stored_object_sources_source_key_fkey'
  | 'stored_object_sources_user_check'
  | 'stored_objects_icon_type_check'
  | 'stored_objects_pkey'
  | 'stored_objects_ranges_check'
  | 'stored_objects_segments_check'
  | 'stored_objects_size_bytes_check'
  | 'stored_objects_store_check'
  | 'stored_objects_store_id_fkey'
  | 'streams_application_id_fkey'
  | 'streams_id_application_id_key'
  | 'streams_moved_by_check'
  | 'streams_moving_to_application_id_fkey'
  | 'streams_moving_to_other_check'
  | 'streams_name'
  | 'streams_name_check'
  | 'streams_pkey'
  | 'streams_retention_days_check'
  | 'team_applications_application_id_workspace_id_fkey'
  | 'team_applications_pkey'
  | 'team_applications_role_check'
  | 'team_applications_team_id_workspace_id_fkey'
  | 'team_members_pkey'
  | 'team_members_source_check'
  | 'team_members_team_id_workspace_id_fkey'
  | 'team_members_workspace_id_user_id_fkey'
  | 'teams_external_id'
  | 'teams_id_workspace_id_key'
  | 'teams_name'
  | 'teams_name_check'
  | 'teams_pkey'
  | 'teams_sso_group_check'
  | 'teams_workspace_id_fkey'
  | 'trusted_publishers_application_id_workspace_id_fkey'
  | 'trusted_publishers_claims_check'
  | 'trusted_publishers_issuer_check'
  | 'trusted_publishers_name_check'
  | 'trusted_publishers_pkey'
  | 'trusted_publishers_scopes_check'
  | 'two_factors_pkey'
  | 'two_factors_user_id_fkey'
  | 'upload_compositions_checksum_sha256_check'
  | 'upload_compositions_pending_upload_file_id_fkey'
  | 'upload_compositions_pkey'
  | 'upload_compositions_ranges_check'
  | 'upload_compositions_segments_check'
  | 'users_email'
  | 'users_email_check'
  | 'users_photo_object_key_fkey'
  | 'users_pkey'
  | 'verifications_pkey'
  | 'verifications_user_id_fkey'
  | 'views_application_id_workspace_id_fkey'
  | 'views_name'
  | 'views_name_check'
  | 'views_pkey'
  | 'views_query_check'
  | 'views_user_id_fkey'
  | 'webhook_requests_delivery_attempts_check'
  | 'webhook_requests_next_attempt_check'
  | 'webhook_requests_pkey'
  | 'webhook_requests_state_check'
  | 'webhook_requests_webhook_id_fkey'
  | 'webhooks_application_id_workspace_id_fkey'
  | 'webhooks_format_check'
  | 'webhooks_label_id_workspace_id_fkey'
  | 'webhooks_pkey'
  | 'webhooks_stream_id_application_id_fkey'
  | 'webhooks_url_check'
  | 'workspace_members_name_check'
  | 'workspace_members_pkey'
  | 'workspace_members_role_check'
  | 'workspace_members_user_id_fkey'
  | 'workspace_members_workspace_id_fkey'
  | 'workspaces_logo_object_key_fkey'
  | 'workspaces_name_check'
  | 'workspaces_pkey'
  | 'workspaces_subdomain'
  | 'workspaces_subdomain_check'
