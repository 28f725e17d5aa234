/** A section of the contract: its heading, and the text of each line keyed by name. */
export type Section = { title: string; lines: Readonly<Record<string, string>> }

/** Section 2: resources and their fields. */
export const resourceSections: Readonly<Record<string, Section>> = {
  '2.1': {
    title: 'Responses, identifiers and pagination',
    lines: {
      'message and data':
        'Every successful response has a `message`; `data` is an object for one resource and an array for a list.',
      timestamps: 'Timestamps are ISO 8601 in UTC with microseconds and a trailing `Z`.',
      'short identifiers':
        'Applications, builds, releases, streams, labels, users and workspaces have short identifiers.',
      'UUID identifiers':
        'Artifacts, files, custom targets, default streams, webhooks and webhook requests have UUIDs.',
      'pagination.current_page, per_page, total, last_page, from, to': 'integers',
    },
  },
  '2.2': {
    title: 'Application',
    lines: {
      'application.id': 'string',
      'application.name': 'string',
      'application.description': 'string',
      'application.icon_url': 'URL',
      'application.custom_store_enabled': 'boolean',
      'application.storage_usage':
        'object with `total_bytes`, `total_string`, `hosted_bytes`, `self_hosted_bytes`',
      'application.workspace_id': 'string',
      'application.created_at, updated_at': 'timestamps',
      'application.build_count': 'integer, only in the response for a single application',
    },
  },
  '2.3': {
    title: 'Member',
    lines: {
      'member.id': 'string',
      'member.name': 'string',
      'member.email': 'string',
      'member.profile_photo_url': 'string',
      'member.role': 'string',
      'member resolved role':
        '`sort_by=resolved_role` sorts members by the role that applies in the application.',
    },
  },
  '2.4': {
    title: 'Platform',
    lines: {
      'platform.identifier': 'string, a slug',
      'platform.name': 'string',
      'platform.short_name': 'string',
      'platform.upload_instruction': 'string',
      'platform slugs':
        'An upload request accepts 36 platform slugs: `generic`, `windows`, `macos`, `android`, `ios`, `quest`, `switch`, `switch2`, `ps5`, `ps4`, `xbox-series`, `vision-pro`, `pico`, `wearos`, `vive`, `homepod`, `apple-tv`, `apple-watch`, `freebsd`, `openbsd`, `linux`, `debian`, `redhat`, `gentoo`, `arch`, `playdate`, `magic-leap`, `zephyr`, `roblox`, `opensuse`, `alpine`, `nixos`, `slackware`, `void`, `mageia` and `kaios`.',
    },
  },
  '2.5': {
    title: 'Stream',
    lines: {
      'stream.id': 'string, a UUID for a default stream of the workspace',
      'stream.name': 'string',
      'stream.description': 'string',
      'stream.retention_days': 'integer',
      'stream.created_at, updated_at': 'timestamps',
      'default streams': 'Each new application gets a copy of the default streams of its workspace.',
    },
  },
  '2.6': {
    title: 'Label',
    lines: {
      'label.id': 'string',
      'label.name': 'string',
      'label.description': 'string',
      'label.color': 'string, `#rrggbb`',
      'label.level': '`application` or `workspace`',
      'label.created_at, updated_at': 'timestamps',
      'label.application_id, workspace_id':
        'strings or null, only in the response for a single workspace label',
    },
  },
  '2.7': {
    title: 'Architecture',
    lines: {
      'architecture.identifier': 'string',
      'architecture.name': 'string',
      'architecture.description': 'string',
      'architecture values':
        'Architectures include `x86`, `x64`, `armv7` and `arm64v8`; the platform of a build must support each of its architectures.',
    },
  },
  '2.8': {
    title: 'Custom target',
    lines: {
      'target.id': 'UUID',
      'target.name': 'string',
      'target.description': 'string',
      'target.level': '`workspace` or `application`',
      'target.platform': 'object with `identifier` and `name`',
      'target.icon_url': 'string or null',
      'target.created_at, updated_at': 'timestamps',
    },
  },
  '2.9': {
    title: 'Build',
    lines: {
      'build.id': 'string',
      'build.build_structure': '`file` or `file+expansion`',
      'build.version': 'string, the full semantic version',
      'build.version_short': 'string, `major.minor.patch`',
      'build.version_semantic_major, minor, patch': 'integers',
      'build.version_semantic_extra': 'string or null',
      'build.version_semantic_meta': 'string or null',
      'build.build_number': 'string',
      'build.platform': 'platform',
      'build.stream': 'stream',
      'build.labels': 'array of labels',
      'build.architectures': 'array of architectures',
      'build.notes': 'string',
      'build.size_total_bytes': 'integer',
      'build.size_total_string': 'string, human readable',
      'build.metadata_total_bytes': 'integer',
      'build.build_source': 'string, the `source` of the upload request',
      'build.ci_pipeline':
        'object with `ci_pipeline_name`, `ci_pipeline_url`, `ci_run_id`, `ci_run_url`, `ci_build_duration`',
      'build.scm':
        'object with `scm_host_type`, `scm_host`, `scm_repo_name`, `scm_repo_url`, `scm_branch`, `scm_commit_sha`, `scm_commit_sha_short`, `scm_commit_url`',
      'build.pending': 'boolean',
      'build.modal_url': 'URL of the build in the console',
      'build.download_url': 'URL',
      'build.built_at, created_at, updated_at': 'timestamps',
      'full build.application_id, workspace_id': 'strings, only in the response for a single build',
      'full build.primary_file': 'file, only in the response for a single build',
      'full build.expansion_files': 'array of files, only in the response for a single build',
      'full build.metadata_artifacts': 'array of metadata artifacts, only in the response for a single build',
      'full build.ios_info, android_info': 'object or null, only in the response for a single build',
    },
  },
  '2.10': {
    title: 'File',
    lines: {
      'file.id': 'UUID',
      'file.filename': 'string',
      'file.size_bytes': 'integer',
      'file.size_string': 'string',
      'file.checksum_md5': 'string',
      'file.filetype': 'object with `identifier`, `name`, `extension`',
      'file.created_at, updated_at': 'timestamps',
    },
  },
  '2.11': {
    title: 'Metadata artifact',
    lines: {
      'artifact.id': 'UUID',
      'artifact.filename': 'string',
      'artifact.size_bytes': 'integer',
      'artifact.size_string': 'string',
      'artifact.checksum_md5': 'string',
      'artifact.metadata_filetype': 'object with `identifier`, `name`, `extension`',
      'artifact.created_at, updated_at': 'timestamps',
    },
  },
  '2.12': {
    title: 'Release',
    lines: {
      'release.id': 'string',
      'release.version': '`version` and its parts, as for a build',
      'release.title': 'string',
      'release.labels': 'array of labels',
      'release.build_count': 'integer',
      'release.created_at, updated_at': 'timestamps',
      'release.notes': 'Markdown, only in the response for a single release',
      'release.builds': 'array of builds, only in the response for a single release',
      'release.application_id, workspace_id': 'strings, only in the response for a single release',
    },
  },
  '2.13': {
    title: 'Webhook',
    lines: {
      'webhook.id': 'UUID',
      'webhook.description': 'string',
      'webhook.url': 'URL that receives the requests',
      'webhook.event': 'string, the name of an event',
      'webhook.secret_configured': 'boolean, while the secret itself is never returned',
      'webhook.format': 'string',
      'webhook.level': 'string',
      'webhook.is_active': 'boolean',
      'webhook.in_error_state': 'boolean',
      'webhook.last_successful_request_at': 'timestamp or null',
      'webhook.last_failed_request_at': 'timestamp or null',
      'webhook.event_subscription':
        'object with `event`, `stream` (`id`, `name`) and `label` (`id`, `name`, `color`)',
      'webhook.application_id, workspace_id': 'strings',
      'webhook.created_at, updated_at': 'timestamps',
      'webhook.latest_webhook_request': 'webhook request, only in the response for a single webhook',
    },
  },
  '2.14': {
    title: 'Webhook request',
    lines: {
      'webhook request.id': 'UUID',
      'webhook request.event, url': 'strings',
      'webhook request.duration': 'number',
      'webhook request.request_headers': 'map',
      'webhook request.request_payload': 'object with `id`, `event`, `created` and `data`',
      'webhook request.response_code': 'integer',
      'webhook request.response_headers': 'map',
      'webhook request.response_payload': 'string',
      'webhook request.delivery_attempts': 'integer',
      'webhook request.created_at': 'timestamp',
    },
  },
  '2.15': {
    title: 'Other resources',
    lines: {
      'other resources': 'Distribution groups, portals and share links can be created and listed.',
    },
  },
}
