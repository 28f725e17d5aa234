/** A box: the table and, beside its keys, the columns that tell most about it. */
type Placed = readonly [table: string, ...columns: string[]]
export type Area = {
  title: string
  colour: string
  /** Which row of the page. */
  row: number
  columns: readonly (readonly Placed[])[]
}

/** The layout by hand: a foreign key between neighbouring columns of an area is drawn as an arrow. */
export const areas: readonly Area[] = [
  {
    title: 'People and access',
    colour: '#2f6db5',
    row: 0,
    columns: [
      [
        ['users', 'email', 'email_verified'],
        ['workspaces', 'name', 'subdomain', 'custom_targets_enabled'],
      ],
      [
        ['workspace_members', 'role', 'added_at'],
        ['idempotency_keys', 'request_sha256', 'status', 'answer_sealed'],
      ],
      [
        ['application_members', 'role', 'added_at'],
        ['trusted_publishers', 'issuer', 'audience', 'claims', 'scopes'],
      ],
      [
        ['invitations', 'email', 'role', 'token_sha256', 'expires_at', 'accepted_at'],
        ['mails', 'recipient', 'state'],
      ],
      [
        [
          'api_keys',
          'kind',
          'name',
          'prefix',
          'key_sha256',
          'scopes',
          'created_at',
          'last_used_at',
          'expires_at',
          'revoked_at',
        ],
      ],
    ],
  },
  {
    title: 'Applications',
    colour: '#17806d',
    row: 1,
    columns: [
      [
        ['application_platforms', 'attached_at'],
        ['streams', 'name', 'retention_days', 'is_active', 'moving_to'],
      ],
      [
        ['applications', 'name', 'description', 'created_at', 'deleted_at'],
        ['default_streams', 'name', 'retention_days'],
      ],
      [
        ['labels', 'owner_id', 'name', 'color'],
        ['custom_targets', 'owner_id', 'platform', 'name'],
      ],
    ],
  },
  {
    title: 'Events and webhooks',
    colour: '#b03a58',
    row: 1,
    columns: [
      [
        ['webhook_requests', 'event_id', 'state', 'next_attempt_at', 'delivery_attempts'],
        ['audit_entries', 'action', 'actor_kind', 'before', 'after'],
      ],
      [
        ['webhooks', 'url', 'event', 'in_error_state'],
        ['events', 'name', 'data', 'created_at', 'dispatched_at'],
      ],
    ],
  },
  {
    title: 'Uploads and builds',
    colour: '#bd5d10',
    row: 2,
    columns: [
      [
        [
          'pending_upload_files',
          'role',
          'filename',
          'size_bytes',
          'object_key',
          'multipart_id',
          'number_of_parts',
        ],
      ],
      [
        ['pending_uploads', 'kind', 'state', 'lease_id', 'draft', 'artifact_id', 'expires_at', 'verified_at'],
        ['build_labels'],
      ],
      [
        [
          'builds',
          'build_structure',
          'version_sort',
          'platform',
          'architectures',
          'size_total_bytes',
          'processing',
          'keep_forever',
          'created_at',
          'deleted_at',
        ],
      ],
      [
        ['files', 'role', 'filename', 'size_bytes', 'checksum_sha256'],
        ['metadata_artifacts', 'filename', 'size_bytes', 'metadata_filetype'],
        ['build_changes', 'change', 'label_ids'],
      ],
      [
        ['stored_objects', 'size_bytes', 'segments', 'created_at', 'deleted_at'],
        ['build_counts', 'kind', 'builds'],
        ['storage_usage', 'bytes'],
      ],
    ],
  },
  {
    title: 'Releases and distribution',
    colour: '#7148a8',
    row: 3,
    columns: [
      [
        ['release_builds', 'added_at'],
        ['release_labels'],
        ['share_links', 'is_active', 'password_hash', 'expires_at', 'max_downloads', 'download_count'],
      ],
      [
        ['releases', 'version_sort', 'title', 'notes', 'created_at'],
        ['downloads', 'way', 'email', 'address', 'created_at'],
      ],
      [
        ['release_notifications', 'id', 'email', 'created_at'],
        ['distribution_group_releases', 'added_at'],
        ['portal_releases', 'published_at'],
      ],
      [
        ['distribution_groups', 'name', 'type', 'is_active'],
        ['portal_applications', 'streams_mode', 'releases_mode'],
      ],
      [
        ['distribution_group_members', 'email'],
        ['portals', 'name', 'type', 'subdomain', 'custom_domain'],
        ['portal_streams'],
      ],
    ],
  },
]
