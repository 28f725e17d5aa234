// Written by packages/sdk/generate.ts from openapi.json: change the routes, not this file.

export type ApiKey = {
  id: string
  name: string
  kind: 'workspace' | 'application'
  application_id: string | null
  scopes: Array<string>
  /** First 8 characters of the key. */
  prefix: string
  created_by: string | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

export type Application = {
  id: string
  name: string
  description: string | null
  icon_url: string | null
  custom_store_enabled: boolean
  storage_usage: {
    total_bytes: number
    total_string: string
    hosted_bytes: number
    self_hosted_bytes: number
  }
  workspace_id: string
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type Architecture = { identifier: string; name: string; description: string }

export type AuditEntry = {
  id: string
  action: string
  subject: { type: string; id: string }
  actor: { kind: 'api-key' | 'bootstrap-key' | 'user' | 'system'; id: string | null; name: string }
  address: string | null
  application_id: string | null
  before: unknown
  after: unknown
  /** ISO 8601, UTC, microseconds. */
  created_at: string
}

export type Build = {
  id: string
  build_structure: 'file' | 'file+expansion'
  /** Full semantic version. */
  version: string
  /** major.minor.patch */
  version_short: string
  version_semantic_major: number
  version_semantic_minor: number
  version_semantic_patch: number
  version_semantic_extra: string | null
  version_semantic_meta: string | null
  build_number: string | null
  platform: Platform
  stream: Stream
  custom_target: CustomTarget | null
  labels: Array<Label>
  architectures: Array<Architecture>
  notes: string | null
  /** Bytes. */
  size_total_bytes: number
  size_total_string: string
  /** Bytes. */
  metadata_total_bytes: number
  build_source: string
  ci_pipeline: CiPipeline
  scm: Scm
  pending: boolean
  processing_error: string | null
  keep_forever: boolean
  expires_at: string | null
  modal_url: string
  /** Links to its files, for a key; …/file in its place leads to the bytes. */
  download_url: string
  built_at: string | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type BulkResult = {
  build_id: string
  done: boolean
  /** Why not, as in errors. */
  code?: string
  message: string
}

export type CiPipeline = {
  ci_pipeline_name: string | null
  ci_pipeline_url: string | null
  ci_run_id: string | null
  ci_run_url: string | null
  ci_build_duration: string | null
}

export type CreatedApiKey = {
  id: string
  name: string
  kind: 'workspace' | 'application'
  application_id: string | null
  scopes: Array<string>
  /** First 8 characters of the key. */
  prefix: string
  created_by: string | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
  /** The whole key, shown this once. */
  key: string
}

export type CreatedInvitation = {
  id: string
  email: string
  role: 'admin' | 'member' | 'owner' | 'developer' | 'qa' | 'readonly'
  application_id: string | null
  status: 'open' | 'accepted' | 'revoked' | 'expired'
  invited_by: string | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  expires_at: string
  accepted_at: string | null
  revoked_at: string | null
  /** What accepting takes; shown this once and in the mail. */
  token: string
  /** Where the invited person accepts. */
  url: string
}

export type CustomTarget = {
  id: string
  name: string
  description: string | null
  level: 'workspace' | 'application'
  platform: { identifier: string; name: string }
  icon_url: string | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type DistributionGroup = {
  id: string
  name: string
  description: string | null
  is_active: boolean
  /** external: anybody by e-mail address. internal: members of the workspace only; who leaves the workspace gets no more mails and the links of that person stop. */
  type: 'external' | 'internal'
  icon_type: 'none' | 'emoji' | 'fa'
  icon_emoji_code: string | null
  icon_set_value: string | null
  has_testers: boolean
  /** Members of the group. */
  tester_count: number
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type DistributionGroupMember = {
  id: string
  /** In lower case. */
  email: string
  /** ISO 8601, UTC, microseconds. */
  added_at: string
}

export type DistributionGroupRelease = {
  /** Id of the release. */
  id: string
  application_id: string
  application_name: string
  version: string
  title: string
  /** ISO 8601, UTC, microseconds. */
  added_at: string
}

export type DnsRecord = {
  type: 'TXT'
  name: string
  /** To be set at the domain, then POST …/custom-domain/verify. */
  value: string
}

export type Download = {
  id: string
  /** api: by a key. */
  way: 'api' | 'console' | 'share-link' | 'distribution-group' | 'portal' | 'feed'
  file_id: string | null
  metadata_artifact_id: string | null
  api_key: { id: string; name: string } | null
  share_link_id: string | null
  distribution_group_id: string | null
  portal_id: string | null
  user_id: string | null
  email: string | null
  address: string | null
  user_agent: string | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
}

export type Error = {
  /** What happened and what to do next. */
  message: string
  /** noun.reason, stable */
  code?: string
  request_id?: string
  /** Texts for each wrong field, by its dotted path. */
  errors?: { [key: string]: Array<string> }
}

export type File = {
  id: string
  filename: string
  /** Bytes. */
  size_bytes: number
  size_string: string
  checksum_md5: string | null
  checksum_sha256: string | null
  filetype: Filetype
  expansion_filetype?: Filetype
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type FileLink = {
  /** Signed: needs no key. Takes single ranges. */
  temp_url: string
  filename: string
  /** Bytes. */
  size_bytes: number
  checksum_md5: string | null
  checksum_sha256: string | null
}

export type FileToSend = {
  filename: string
  presigned_data: {
    url: string
    /** To be sent with the PUT. */
    headers: { [key: string]: string }
  } | null
  /** Whether an upload in parts is advised. */
  chunked_upload: boolean
  chunked_number_parts: number | null
  chunked_part_size_mb: number | null
}

export type FileToUpload = {
  /** At most 255 bytes, without a path. Its ending is of a type that the platform takes: GET /applications/{application_id}/platforms tells of them in upload_instruction, a refusal names them. */
  filename: string
  size_bytes: number
}

export type Filetype = { identifier: string; name: string; extension: string | null; mime_type: string }

export type FullBuild = {
  id: string
  build_structure: 'file' | 'file+expansion'
  /** Full semantic version. */
  version: string
  /** major.minor.patch */
  version_short: string
  version_semantic_major: number
  version_semantic_minor: number
  version_semantic_patch: number
  version_semantic_extra: string | null
  version_semantic_meta: string | null
  build_number: string | null
  platform: Platform
  stream: Stream
  custom_target: CustomTarget | null
  labels: Array<Label>
  architectures: Array<Architecture>
  notes: string | null
  /** Bytes. */
  size_total_bytes: number
  size_total_string: string
  /** Bytes. */
  metadata_total_bytes: number
  build_source: string
  ci_pipeline: CiPipeline
  scm: Scm
  pending: boolean
  processing_error: string | null
  keep_forever: boolean
  expires_at: string | null
  modal_url: string
  /** Links to its files, for a key; …/file in its place leads to the bytes. */
  download_url: string
  built_at: string | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
  application_id: string
  workspace_id: string
  primary_file: File
  expansion_files: Array<File>
  metadata_artifacts: Array<MetadataArtifact>
  ios_info: { [key: string]: unknown } | null
  android_info: { [key: string]: unknown } | null
}

export type FullRelease = {
  id: string
  /** Full semantic version. */
  version: string
  /** major.minor.patch */
  version_short: string
  version_semantic_major: number
  version_semantic_minor: number
  version_semantic_patch: number
  version_semantic_extra: string | null
  version_semantic_meta: string | null
  title: string
  labels: Array<Label>
  /** Builds in the trash are not counted. */
  build_count: number
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
  notes: string | null
  builds: Array<Build>
  application_id: string
  workspace_id: string
}

export type Invitation = {
  id: string
  email: string
  role: 'admin' | 'member' | 'owner' | 'developer' | 'qa' | 'readonly'
  application_id: string | null
  status: 'open' | 'accepted' | 'revoked' | 'expired'
  invited_by: string | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  expires_at: string
  accepted_at: string | null
  revoked_at: string | null
}

export type KeptBy = {
  reason: 'keep_forever' | 'release' | 'share_link' | 'stream'
  /** The reason for people. */
  message: string
  /** That hold the build; of many the ten newest. */
  releases?: Array<{ id: string; title: string; version: string }>
  /** That can still be used; of many the ten newest. */
  share_links?: Array<{
    id: string
    expires_at: string | null
    max_downloads: number | null
    download_count: number
  }>
}

export type Label = {
  id: string
  name: string
  description: string | null
  color: string
  level: 'application' | 'workspace'
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type Mail = {
  id: string
  recipient: string
  subject: string
  text_body: string | null
  html_body: string | null
  state: 'waiting' | 'sent' | 'failed'
  error: string | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  sent_at: string | null
}

export type Member = {
  id: string
  name: string
  email: string
  profile_photo_url: string | null
  /** The role here; for those who are here by their role in the workspace, that one. */
  role: 'admin' | 'developer' | 'qa' | 'readonly' | 'owner'
  /** What counts: owners and admins of the workspace are admins of each application. */
  resolved_role: 'admin' | 'developer' | 'qa' | 'readonly'
}

export type MetadataArtifact = {
  id: string
  filename: string
  description: string | null
  /** Bytes. */
  size_bytes: number
  size_string: string
  checksum_md5: string | null
  checksum_sha256: string | null
  metadata_filetype: { identifier: string; name: string; extension: string | null }
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type MetadataRequest = {
  build_id?: string
  /** Instead of build_id: the upload that became the build, or will. */
  primary_pending_upload_id?: string
  /** At most 255 bytes, without a path. Whatever its case it ends in one of: .txt, .json, .yaml, .yml, .xml, .toml, .ini, .gradle, .kts, .properties, .plist, .log, .out, .err, .html, .csv, .md5, .sha1, .sha224, .sha256, .sha384, .sha512, .sig, .asc, .gpg, .lock, deps.json, .csproj, .sln, .mod, .ninja_log, .d, .buildinfo, .map, .gcda, .gcno, .info, .coverage, .pdb, .dSYM, .nupkg, .egg-info, .dist-info, .fsproj, .vbproj, .bcinfo, .mapping, package-lock.json, yarn.lock, pnpm-lock.yaml, requirements.txt, poetry.lock, .podspec, checkstyle.xml, junit.xml, clover.xml, lint-results.xml, cargo.lock, composer.lock, .makefile, cmakelists.txt, .bazel, lcov.info, testresult.xml, .dwarf, .debug, .coderesources, debug.wasm, .buildid, .doc, .docx, .xls, .xlsx, .pdf, .odt, .ods, .odp, .rtf, .md, .textile, .tex, .gdoc, .gsheet, .spdx, spdx.json, cdx.json, cdx.xml, .bom, pom.xml, go.mod, go.sum, Pipfile, Pipfile.lock, Cargo.toml, package.json, bun.lockb, deno.lock, .nvmrc, .python-version, .ruby-version, .node-version, Dockerfile, .dockerignore, docker-compose.yml, .gitignore, .gitattributes, Gemfile.lock, mix.lock, pubspec.lock, Package.resolved, Podfile.lock, flake.lock, stack.yaml.lock, .jpg, .jpeg, .png, .gif, .webapp, .apkbuild, .SlackBuild, .uuid, .bp, .mk, .sqlite. */
  filename: string
  size_bytes: number
}

export type Pagination = {
  current_page: number
  per_page: number
  total: number
  last_page: number
  from: number | null
  to: number | null
}

export type PartRequest = {
  pending_upload_id: string
  part_number: number
  /** Bytes of this part; signed. */
  content_length: number
}

export type Platform = { identifier: string; name: string; short_name: string; upload_instruction: string }

export type Portal = {
  id: string
  name: string
  description: string | null
  type: 'public' | 'private'
  icon_url: string | null
  portal_url: string
  subdomain: string | null
  custom_domain: string | null
  /** True once the domain is verified. */
  custom_domain_active: boolean
  custom_domain_verification: DnsRecord | null
  applications: Array<PortalApplication>
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type PortalApplication = {
  id: string
  name: string
  streams_mode: 'selective' | 'all' | 'none'
  /** With streams_mode selective. */
  stream_ids: Array<string>
  releases_mode: 'selective' | 'all' | 'none'
}

export type PortalRelease = {
  /** Id of the release. */
  id: string
  application_id: string
  version: string
  title: string
  /** ISO 8601, UTC, microseconds. */
  published_at: string
}

export type Redirect = {
  message: string
  /** The same as in the Location header. */
  location?: string
}

export type Release = {
  id: string
  /** Full semantic version. */
  version: string
  /** major.minor.patch */
  version_short: string
  version_semantic_major: number
  version_semantic_minor: number
  version_semantic_patch: number
  version_semantic_extra: string | null
  version_semantic_meta: string | null
  title: string
  labels: Array<Label>
  /** Builds in the trash are not counted. */
  build_count: number
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type RetentionOutcome = {
  build: {
    id: string
    /** Full semantic version. */
    version: string
    /** major.minor.patch */
    version_short: string
    version_semantic_major: number
    version_semantic_minor: number
    version_semantic_patch: number
    version_semantic_extra: string | null
    version_semantic_meta: string | null
    build_number: string | null
    platform: Platform
    /** Bytes. */
    size_total_bytes: number
    size_total_string: string
    /** ISO 8601, UTC, microseconds. */
    created_at: string
  }
  outcome: 'goes' | 'stays'
  goes_at: string | null
  /** Why it stays; empty when it goes. */
  kept_by: Array<KeptBy>
}

export type RetentionSummary = {
  retention_days: number | null
  /** How long a build can be restored after it went. */
  trash_days: number
  /** Goes with the next run, within the hour. */
  due: {
    builds: number
    /** Bytes. */
    size_total_bytes: number
    size_total_string: string
  }
  /** Goes sooner or later, if nothing keeps it until then; with what is due. */
  goes: {
    builds: number
    /** Bytes. */
    size_total_bytes: number
    size_total_string: string
  }
  /** Stays: something keeps it. */
  stays: {
    builds: number
    /** Bytes. */
    size_total_bytes: number
    size_total_string: string
  }
}

export type Scm = {
  scm_host_type: string | null
  scm_host: string | null
  scm_repo_name: string | null
  scm_repo_url: string | null
  scm_branch: string | null
  scm_commit_sha: string | null
  scm_commit_sha_short: string | null
  scm_commit_url: string | null
}

export type ShareLink = {
  id: string
  /** Whoever has it may use the link: it holds the secret. */
  url: string
  is_active: boolean
  password_protected: boolean
  expires_at: string | null
  expired: boolean
  max_downloads: number | null
  download_count: number
  shareable_type: 'build' | 'release'
  shareable_id: string
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type Shared = {
  shareable_type: 'build' | 'release'
  /** true: post the password to …/grants first. */
  password_required: boolean
  expires_at: string | null
  /** For a browser or `curl -L -OJ`; with `?build_id=` where there are several builds, `grant=` after a password. */
  download_url: string
  /** Of the release. */
  title?: string
  /** Of the release. */
  version?: string
  notes?: string | null
  builds?: Array<SharedBuild>
}

export type SharedBuild = {
  id: string
  /** Full semantic version. */
  version: string
  /** major.minor.patch */
  version_short: string
  version_semantic_major: number
  version_semantic_minor: number
  version_semantic_patch: number
  version_semantic_extra: string | null
  version_semantic_meta: string | null
  build_number: string | null
  platform: Platform
  notes: string | null
  size_total_bytes: number
  size_total_string: string
  /** ISO 8601, UTC, microseconds. */
  created_at: string
}

export type SharedRelease = {
  application_name: string
  title: string
  version: string
  notes: string | null
  /** For a browser or `curl -L -OJ`; with `?build_id=` where there are several builds. */
  download_url: string
  builds: Array<SharedBuild>
}

export type SingleApplication = {
  id: string
  name: string
  description: string | null
  icon_url: string | null
  custom_store_enabled: boolean
  storage_usage: {
    total_bytes: number
    total_string: string
    hosted_bytes: number
    self_hosted_bytes: number
  }
  workspace_id: string
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
  build_count: number
}

export type SingleLabel = {
  id: string
  name: string
  description: string | null
  color: string
  level: 'application' | 'workspace'
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
  application_id: string | null
  workspace_id: string
}

export type SingleStream = {
  id: string
  name: string
  description: string | null
  retention_days: number | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
  application_id: string
  workspace_id: string
}

export type SingleWebhook = {
  id: string
  description: string | null
  url: string
  event:
    | 'build.created'
    | 'build.created.stream'
    | 'build.moved'
    | 'build.moved.stream'
    | 'build.label.added'
    | 'build.processed'
    | 'build.deleted'
    | 'release.created'
    | 'release.updated'
    | 'release.deleted'
  /** The secret itself is never answered. */
  secret_configured: boolean
  /** form sends the JSON in the field payload. */
  format: 'json' | 'form'
  level: 'application'
  is_active: boolean
  in_error_state: boolean
  last_successful_request_at: string | null
  last_failed_request_at: string | null
  event_subscription: {
    event:
      | 'build.created'
      | 'build.created.stream'
      | 'build.moved'
      | 'build.moved.stream'
      | 'build.label.added'
      | 'build.processed'
      | 'build.deleted'
      | 'release.created'
      | 'release.updated'
      | 'release.deleted'
    stream: { id: string; name: string } | null
    label: { id: string; name: string; color: string } | null
  }
  application_id: string
  workspace_id: string
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
  latest_webhook_request: WebhookRequest | null
}

export type Stream = {
  id: string
  name: string
  description: string | null
  retention_days: number | null
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type TrustedPublisher = {
  id: string
  /** Who is trusted; the keys made for it bear its name. */
  name: string
  /** URL of the OIDC issuer, exactly as the claim iss of its tokens says it. https. */
  issuer: string
  /** What the claim aud must hold; without it the public URL of this service. */
  audience: string
  /** Claim → text, or list of texts of which one must fit; every claim must fit. `*` in a text stands for any characters, also / and none; nothing else has a meaning. 1 to 20 claims; not iss, aud, exp, nbf, iat, jti. Of GitHub, gitlab.com and Buildkite the repository, project, organisation or its owner must be named without *. */
  claims: { [key: string]: string | Array<string> }
  /** What tokens get, never more than your own key has: application:read, application:write, members:read, members:create, members:write, builds:read, builds:create, builds:write, releases:read, releases:create, releases:write, share_links:read, share_links:create, share_links:write, webhooks:read, webhooks:create, webhooks:write. */
  scopes: Array<string>
  application_id: string
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
  /** What would make the rule safer. */
  warnings: Array<string>
}

export type UploadRequest = {
  /** Needed with a workspace key. */
  application_id?: string
  /** file+expansion: with one in expansion_files; an .apk of android takes an .obb. */
  structure?: 'file' | 'file+expansion'
  /** One that is attached to the application, of: generic, windows, macos, android, ios, apple-watch, vision-pro, apple-tv, homepod, quest, pico, vive, magic-leap, wearos, kaios, linux, debian, redhat, gentoo, arch, opensuse, alpine, nixos, slackware, void, mageia, switch, switch2, ps5, ps4, xbox-series, playdate, roblox, freebsd, openbsd, zephyr. */
  platform: string
  /** Exact name of an active stream; a new application has default, nightlies and stable unless the workspace says otherwise. */
  stream: string
  /** Name or id of a custom target. */
  custom_target?: string
  /** What sends the build: web-upload, cli-upload, ghactions, jenkins, unity-build, gitlab-ci, azure-devops, circleci, travisci, appveyor, teamcity, bitbucket-pipelines, bitrise, codemagic, buildkite, google-cloud-build, bamboo, semaphore, aws-codebuild, abstruse, cirrus-ci, drone, concourse. */
  source: string
  primary_file: FileToUpload
  expansion_files?: Array<FileToUpload>
  /** At least one of the three version numbers is above 0. */
  version_component_1_major: number
  version_component_2_minor: number
  version_component_3_patch: number
  /** SemVer pre-release identifiers such as beta.2. */
  version_component_extra?: string
  /** SemVer build identifiers such as build.7. */
  version_component_meta?: string
  custom_build_number?: string
  /** Names; new ones are created. */
  labels?: Array<string>
  /** Identifiers: GET /applications/{application_id}/platforms/{platform}/architectures lists them. */
  architectures?: Array<string>
  /** Name of the pipeline. */
  ci_pipeline?: string
  ci_pipeline_url?: string
  ci_run_id?: string
  ci_run_url?: string
  /** HH:MM:SS; 15m30s and the like are understood. */
  ci_build_duration?: string
  /** Of: git, svn, hg, perforce, bzr, fossil, darcs, cvs, monotone, diversion, unity-vc, lore. */
  vc_host_type?: string
  /** Of: github, gitlab, gitlab-self, perforce, bitbucket, gitea, forgejo, gogs, codeberg, sourceforge, sourcehut, rhodecode, unity-vc, aws-codecommit, azure-repos, beanstalk, assembla, codebase, bonobo-git, phabricator, launchpad, onedev, diversion, tangled, gitee, allura, tuleap, trac, pagure, savanah-gnu, savanah-non-gnu, redmine, kallithea, cgit, cgit-pink, riouxsvn, sliksvn, project-locker. */
  vc_host?: string
  vc_repo_name?: string
  vc_repo_url?: string
  vc_branch?: string
  vc_commit_sha?: string
  vc_commit_url?: string
  notes?: string
  /** ISO 8601. */
  built_at?: string
}

export type UploadStatus = {
  pending_upload_id: string
  state: 'requested' | 'verifying' | 'verified' | 'aborted' | 'expired'
  build_id: string | null
  /** ISO 8601, UTC, microseconds. */
  expires_at: string
  files: Array<{
    role: 'primary' | 'expansion' | 'metadata'
    filename: string
    /** Bytes. */
    size_bytes: number
    chunked_upload: boolean
    chunked_number_parts: number | null
    chunked_part_size_mb: number | null
    /** Whether the whole file came by one PUT. */
    stored: boolean
    etag: string | null
    /** Newest attempt at each part that is stored. */
    parts: Array<{
      part_number: number
      etag: string
      /** Bytes. */
      size_bytes: number
    }>
  }>
}

export type User = { id: string; name: string; email: string; profile_photo_url: string | null }

export type Webhook = {
  id: string
  description: string | null
  url: string
  event:
    | 'build.created'
    | 'build.created.stream'
    | 'build.moved'
    | 'build.moved.stream'
    | 'build.label.added'
    | 'build.processed'
    | 'build.deleted'
    | 'release.created'
    | 'release.updated'
    | 'release.deleted'
  /** The secret itself is never answered. */
  secret_configured: boolean
  /** form sends the JSON in the field payload. */
  format: 'json' | 'form'
  level: 'application'
  is_active: boolean
  in_error_state: boolean
  last_successful_request_at: string | null
  last_failed_request_at: string | null
  event_subscription: {
    event:
      | 'build.created'
      | 'build.created.stream'
      | 'build.moved'
      | 'build.moved.stream'
      | 'build.label.added'
      | 'build.processed'
      | 'build.deleted'
      | 'release.created'
      | 'release.updated'
      | 'release.deleted'
    stream: { id: string; name: string } | null
    label: { id: string; name: string; color: string } | null
  }
  application_id: string
  workspace_id: string
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type WebhookRequest = {
  id: string
  event: string
  url: string
  state: 'waiting' | 'delivered' | 'failed'
  duration: number | null
  request_headers: { [key: string]: string }
  request_payload: {
    id: string
    event: string
    /** Seconds since 1970. */
    created: number
    /** The `build` or `release`, as a read of one answers it; `test: true` of tests. */
    data: { [key: string]: unknown }
  }
  response_code: number | null
  response_headers: { [key: string]: string } | null
  response_payload: string | null
  delivery_attempts: number
  /** ISO 8601, UTC, microseconds. */
  created_at: string
}

export type Workspace = {
  id: string
  name: string
  subdomain: string | null
  logo_url: string | null
  /** Whether builds may name custom targets. */
  custom_targets_enabled: boolean
  /** ISO 8601, UTC, microseconds. */
  created_at: string
  /** ISO 8601, UTC, microseconds. */
  updated_at: string
}

export type WorkspaceMember = {
  id: string
  name: string
  email: string
  profile_photo_url: string | null
  role: 'owner' | 'admin' | 'member'
  /** ISO 8601, UTC, microseconds. */
  added_at: string
}

export type ListApplicationsParams = {
  sort_by?: 'name' | 'created_at' | 'updated_at'
  sort?: 'asc' | 'desc'
  /** Text to be found, whatever its case, in: name, description, id. */
  search?: string
  /** Counted from 1. */
  page?: number
  per_page?: number
  /** Slug of one platform. */
  platform?: string
}

export type ListApplicationsAnswer = { message: string; data: Array<Application>; pagination: Pagination }

export type CreateApplicationParams = {
  body: {
    /** Name for people. */
    name: string
    description?: string | null
    /** Of: generic, windows, macos, android, ios, apple-watch, vision-pro, apple-tv, homepod, quest, pico, vive, magic-leap, wearos, kaios, linux, debian, redhat, gentoo, arch, opensuse, alpine, nixos, slackware, void, mageia, switch, switch2, ps5, ps4, xbox-series, playdate, roblox, freebsd, openbsd, zephyr. */
    platforms?: Array<string>
  }
}

export type CreateApplicationAnswer = { message: string; data: SingleApplication }

export type GetApplicationParams = {
  /** Id of the application. */
  application_id: string
}

export type GetApplicationAnswer = { message: string; data: SingleApplication }

export type DeleteApplicationParams = {
  /** Id of the application. */
  application_id: string
}

export type DeleteApplicationAnswer = { message: string }

export type UpdateApplicationParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** Name for people. */
    name?: string
    description?: string | null
    custom_store_enabled?: boolean
  }
}

export type UpdateApplicationAnswer = { message: string; data: SingleApplication }

export type ListApplicationApiKeysParams = {
  /** Id of the application. */
  application_id: string
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListApplicationApiKeysAnswer = { message: string; data: Array<ApiKey>; pagination: Pagination }

export type CreateApplicationApiKeyParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** What the key is for. */
    name: string
    /** Of workspace keys: workspace:read, workspace:write, members:read, members:write, applications:read, applications:create, applications:write, builds:read, builds:create, builds:write, releases:read, releases:create, releases:write, share_links:read, share_links:create, share_links:write, distribution_groups:read, distribution_groups:create, distribution_groups:write, portals:read, portals:write, webhooks:read, webhooks:create, webhooks:write, api_keys:read, api_keys:create, api_keys:write. Of keys of one application: application:read, application:write, members:read, members:create, members:write, builds:read, builds:create, builds:write, releases:read, releases:create, releases:write, share_links:read, share_links:create, share_links:write, webhooks:read, webhooks:create, webhooks:write. */
    scopes: Array<string>
    expires_at?: string | null
  }
}

export type CreateApplicationApiKeyAnswer = { message: string; data: CreatedApiKey }

export type DeleteApplicationApiKeyParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the key. */
  api_key_id: string
}

export type DeleteApplicationApiKeyAnswer = { message: string }

export type ListBuildsParams = {
  /** Id of the application. */
  application_id: string
  sort_by?: 'version' | 'version_short' | 'size_total_bytes' | 'built_at' | 'created_at'
  sort?: 'asc' | 'desc'
  /** Counted from 1. */
  page?: number
  per_page?: number
  /** Platform slugs, separated by commas: what fits one of them. */
  platforms?: string
  /** Ids or names of streams, separated by commas: what fits one of them. */
  streams?: string
  /** Ids or names of labels of either level, separated by commas: what fits one of them. */
  labels?: string
  /** Ids or names of custom targets of either level, separated by commas: what fits one of them. */
  custom_targets?: string
  /** Upload sources, separated by commas: what fits one of them. */
  sources?: string
  /** Branches, separated by commas: what fits one of them. */
  branches?: string
  /** Text to be found, whatever its case, in: version, build number, notes, branch, commit, names of the files. */
  search?: string
  /** ISO 8601, inclusive. */
  created_after?: string
  /** ISO 8601, exclusive. */
  created_before?: string
}

export type ListBuildsAnswer = { message: string; data: Array<Build>; pagination: Pagination }

export type UpdateBuildsParams = {
  /** Id of the application. */
  application_id: string
  body: {
    build_ids: Array<string>
    action: 'keep' | 'unkeep' | 'move' | 'label' | 'unlabel' | 'delete' | 'restore'
    /** Id or exact name of an active stream. */
    stream?: string
    /** Ids or names of labels; new names are created. */
    labels?: Array<string>
  }
}

export type UpdateBuildsAnswer = { message: string; data: Array<BulkResult> }

export type GetBuildParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
}

export type GetBuildAnswer = { message: string; data: FullBuild }

export type DeleteBuildParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
}

export type DeleteBuildAnswer = { message: string }

export type UpdateBuildParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  body: {
    notes?: string | null
    /** At least one of the three version numbers is above 0. */
    version_component_1_major?: number
    version_component_2_minor?: number
    version_component_3_patch?: number
    version_component_extra?: string | null
    version_component_meta?: string | null
    custom_build_number?: string | null
    /** Id or exact name of an active stream. */
    stream?: string
    /** Ids or names of labels; new names are created. */
    labels?: Array<string>
    /** Identifiers: GET /applications/{application_id}/platforms/{platform}/architectures lists them. */
    architectures?: Array<string>
    custom_target?: string | null
    /** Retention leaves the build alone. */
    keep_forever?: boolean
  }
}

export type UpdateBuildAnswer = { message: string; data: FullBuild }

export type ReplaceBuildArchitecturesParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  body: {
    /** Identifiers: GET /applications/{application_id}/platforms/{platform}/architectures lists them. */
    architectures: Array<string>
  }
}

export type ReplaceBuildArchitecturesAnswer = { message: string; data: FullBuild }

export type GetBuildDownloadParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
}

export type GetBuildDownloadAnswer = {
  message: string
  primary_file: FileLink
  expansion_files?: Array<FileLink>
  /** ISO 8601, UTC, microseconds. */
  expires_at: string
}

export type ListBuildDownloadsParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  sort_by?: 'created_at'
  sort?: 'asc' | 'desc'
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListBuildDownloadsAnswer = { message: string; data: Array<Download>; pagination: Pagination }

export type GetBuildFileParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  /** Of the build; the primary file unless given. */
  file_id?: string
}

export type GetBuildFileAnswer = Redirect

export type ReplaceBuildLabelsParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  body: {
    /** Ids or names of labels; new names are created. */
    labels: Array<string>
  }
}

export type ReplaceBuildLabelsAnswer = { message: string; data: FullBuild }

export type ListBuildMetadataParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
}

export type ListBuildMetadataAnswer = { message: string; data: Array<MetadataArtifact> }

export type GetBuildMetadataParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  /** Id of the artifact. */
  artifact_id: string
}

export type GetBuildMetadataAnswer = { message: string; data: MetadataArtifact }

export type DeleteBuildMetadataParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  /** Id of the artifact. */
  artifact_id: string
}

export type DeleteBuildMetadataAnswer = { message: string }

export type GetBuildMetadataDownloadParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  /** Id of the artifact. */
  artifact_id: string
}

export type GetBuildMetadataDownloadAnswer = {
  message: string
  /** Signed: needs no key. */
  temp_url: string
  filename: string
  /** Bytes. */
  size_bytes: number
}

export type RestoreBuildParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
}

export type RestoreBuildAnswer = { message: string; data: FullBuild }

export type ListBuildShareLinksParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
}

export type ListBuildShareLinksAnswer = { message: string; data: Array<ShareLink> }

export type CreateBuildShareLinkParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  body: {
    /** false revokes the link: 410 for whoever follows it. */
    is_active?: boolean
    password?: string | null
    expires_at?: string | null
    max_downloads?: number | null
  }
}

export type CreateBuildShareLinkAnswer = { message: string; data: ShareLink }

export type MoveBuildParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the build. */
  build_id: string
  body: {
    /** Id or exact name of an active stream. */
    stream: string
  }
}

export type MoveBuildAnswer = { message: string; data: FullBuild }

export type ListCustomTargetsParams = {
  /** Id of the application. */
  application_id: string
}

export type ListCustomTargetsAnswer = { message: string; data: Array<CustomTarget> }

export type CreateCustomTargetParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** Name, unique at its level whatever its case. */
    name: string
    description?: string | null
    /** Slug of the platform whose builds may name it. */
    platform: string
  }
}

export type CreateCustomTargetAnswer = { message: string; data: CustomTarget }

export type GetCustomTargetParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the custom target. */
  target_identifier: string
}

export type GetCustomTargetAnswer = { message: string; data: CustomTarget }

export type DeleteCustomTargetParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the custom target. */
  target_identifier: string
}

export type DeleteCustomTargetAnswer = { message: string }

export type UpdateCustomTargetParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the custom target. */
  target_identifier: string
  body: {
    /** Name, unique at its level whatever its case. */
    name?: string
    description?: string | null
  }
}

export type UpdateCustomTargetAnswer = { message: string; data: CustomTarget }

export type ReplaceCustomTargetIconParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the custom target. */
  target_identifier: string
  body: {
    /** What the bytes are; another type is refused. */
    content_type: 'image/png' | 'image/jpeg' | 'image/webp'
    /** The image as base64: at most 512 KiB, 16 to 2048 pixels wide and high. */
    data: string
  }
}

export type ReplaceCustomTargetIconAnswer = { message: string; data: CustomTarget }

export type DeleteCustomTargetIconParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the custom target. */
  target_identifier: string
}

export type DeleteCustomTargetIconAnswer = { message: string }

export type PromoteCustomTargetParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the custom target. */
  target_identifier: string
}

export type PromoteCustomTargetAnswer = { message: string; data: CustomTarget }

export type ReplaceApplicationIconParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** What the bytes are; another type is refused. */
    content_type: 'image/png' | 'image/jpeg' | 'image/webp'
    /** The image as base64: at most 512 KiB, 16 to 2048 pixels wide and high. */
    data: string
  }
}

export type ReplaceApplicationIconAnswer = { message: string; data: SingleApplication }

export type DeleteApplicationIconParams = {
  /** Id of the application. */
  application_id: string
}

export type DeleteApplicationIconAnswer = { message: string }

export type ListLabelsParams = {
  /** Id of the application. */
  application_id: string
}

export type ListLabelsAnswer = { message: string; data: Array<Label> }

export type CreateLabelParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** Name, unique at its level whatever its case. */
    name: string
    description?: string | null
    color?: string
  }
}

export type CreateLabelAnswer = { message: string; data: SingleLabel }

export type GetLabelParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the label. */
  label_identifier: string
}

export type GetLabelAnswer = { message: string; data: SingleLabel }

export type DeleteLabelParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the label. */
  label_identifier: string
}

export type DeleteLabelAnswer = { message: string }

export type UpdateLabelParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the label. */
  label_identifier: string
  body: {
    /** Name, unique at its level whatever its case. */
    name?: string
    description?: string | null
    color?: string
  }
}

export type UpdateLabelAnswer = { message: string; data: SingleLabel }

export type PromoteLabelParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the label. */
  label_identifier: string
}

export type PromoteLabelAnswer = { message: string; data: SingleLabel }

export type ListApplicationMembersParams = {
  /** Id of the application. */
  application_id: string
  sort_by?: 'name' | 'email' | 'role' | 'resolved_role'
  sort?: 'asc' | 'desc'
  /** Text to be found, whatever its case, in: name, email. */
  search?: string
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListApplicationMembersAnswer = { message: string; data: Array<Member>; pagination: Pagination }

export type CreateApplicationMemberParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** Id of a member of the workspace. */
    user_id: string
    role: 'admin' | 'developer' | 'qa' | 'readonly'
  }
}

export type CreateApplicationMemberAnswer = { message: string; data: Member }

export type DeleteApplicationMemberParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the person. */
  user_id: string
}

export type DeleteApplicationMemberAnswer = { message: string }

export type UpdateApplicationMemberParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the person. */
  user_id: string
  body: { role: 'admin' | 'developer' | 'qa' | 'readonly' }
}

export type UpdateApplicationMemberAnswer = { message: string; data: Member }

export type ListPlatformsParams = {
  /** Id of the application. */
  application_id: string
}

export type ListPlatformsAnswer = { message: string; data: Array<Platform> }

export type ReplacePlatformsParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** Of: generic, windows, macos, android, ios, apple-watch, vision-pro, apple-tv, homepod, quest, pico, vive, magic-leap, wearos, kaios, linux, debian, redhat, gentoo, arch, opensuse, alpine, nixos, slackware, void, mageia, switch, switch2, ps5, ps4, xbox-series, playdate, roblox, freebsd, openbsd, zephyr. */
    platforms: Array<string>
  }
}

export type ReplacePlatformsAnswer = { message: string; data: Array<Platform> }

export type ListArchitecturesParams = {
  /** Id of the application. */
  application_id: string
  /** Slug of an attached platform. */
  platform: string
}

export type ListArchitecturesAnswer = { message: string; data: Array<Architecture> }

export type RestoreApplicationParams = {
  /** Id of the application. */
  application_id: string
}

export type RestoreApplicationAnswer = { message: string; data: SingleApplication }

export type ListReleasesParams = {
  /** Id of the application. */
  application_id: string
  sort_by?: 'version' | 'version_short' | 'title' | 'created_at'
  sort?: 'asc' | 'desc'
  /** Counted from 1. */
  page?: number
  per_page?: number
  /** Text to be found, whatever its case, in: title, id, version. */
  search?: string
  /** Ids or names of labels of either level, separated by commas: what fits one of them. */
  labels?: string
  /** Platform slugs of builds of the release, separated by commas: what fits one of them. */
  platforms?: string
}

export type ListReleasesAnswer = { message: string; data: Array<Release>; pagination: Pagination }

export type CreateReleaseParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** What people read. */
    title: string
    notes?: string | null
    labels?: Array<string>
    /** Builds of the application. */
    build_ids?: Array<string>
    /** At least one of the three version numbers is above 0. */
    version_component_1_major: number
    version_component_2_minor: number
    version_component_3_patch: number
    version_component_extra?: string | null
    version_component_meta?: string | null
  }
}

export type CreateReleaseAnswer = { message: string; data: FullRelease }

export type GetReleaseParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the release. */
  release_id: string
}

export type GetReleaseAnswer = { message: string; data: FullRelease }

export type DeleteReleaseParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the release. */
  release_id: string
}

export type DeleteReleaseAnswer = { message: string }

export type UpdateReleaseParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the release. */
  release_id: string
  body: {
    /** What people read. */
    title?: string
    notes?: string | null
    labels?: Array<string>
    /** At least one of the three version numbers is above 0. */
    version_component_1_major?: number
    version_component_2_minor?: number
    version_component_3_patch?: number
    version_component_extra?: string | null
    version_component_meta?: string | null
  }
}

export type UpdateReleaseAnswer = { message: string; data: FullRelease }

export type ReplaceReleaseBuildsParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the release. */
  release_id: string
  body: {
    /** Builds of the application. */
    build_ids: Array<string>
  }
}

export type ReplaceReleaseBuildsAnswer = { message: string; data: FullRelease }

export type AddReleaseBuildParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the release. */
  release_id: string
  /** Id of the build. */
  build_id: string
}

export type AddReleaseBuildAnswer = { message: string; data: FullRelease }

export type RemoveReleaseBuildParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the release. */
  release_id: string
  /** Id of the build. */
  build_id: string
}

export type RemoveReleaseBuildAnswer = { message: string; data: FullRelease }

export type ReplaceReleaseLabelsParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the release. */
  release_id: string
  body: { labels: Array<string> }
}

export type ReplaceReleaseLabelsAnswer = { message: string; data: FullRelease }

export type ListReleaseShareLinksParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the release. */
  release_id: string
}

export type ListReleaseShareLinksAnswer = { message: string; data: Array<ShareLink> }

export type CreateReleaseShareLinkParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the release. */
  release_id: string
  body: {
    /** false revokes the link: 410 for whoever follows it. */
    is_active?: boolean
    password?: string | null
    expires_at?: string | null
    max_downloads?: number | null
  }
}

export type CreateReleaseShareLinkAnswer = { message: string; data: ShareLink }

export type ListStreamsParams = {
  /** Id of the application. */
  application_id: string
}

export type ListStreamsAnswer = { message: string; data: Array<Stream> }

export type CreateStreamParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** Name, unique among its neighbours whatever its case. */
    name: string
    description?: string | null
    retention_days?: number | null
  }
}

export type CreateStreamAnswer = { message: string; data: SingleStream }

export type GetStreamParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the stream. */
  stream_identifier: string
}

export type GetStreamAnswer = { message: string; data: SingleStream }

export type DeleteStreamParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the stream. */
  stream_identifier: string
  /** Id or name of another stream. */
  move_to?: string
}

export type DeleteStreamAnswer = { message: string }

export type UpdateStreamParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the stream. */
  stream_identifier: string
  body: {
    /** Name, unique among its neighbours whatever its case. */
    name?: string
    description?: string | null
    retention_days?: number | null
  }
}

export type UpdateStreamAnswer = { message: string; data: SingleStream }

export type ListRetentionPreviewParams = {
  /** Id of the application. */
  application_id: string
  /** Id or name of the stream. */
  stream_identifier: string
  sort_by?: 'created_at'
  sort?: 'asc' | 'desc'
  /** Counted from 1. */
  page?: number
  per_page?: number
  /** Instead of what the stream has now. */
  retention_days?: number
  /** These builds alone. */
  outcome?: 'goes' | 'stays'
}

export type ListRetentionPreviewAnswer = {
  message: string
  data: Array<RetentionOutcome>
  pagination: Pagination
  summary: RetentionSummary
}

export type ListTrustedPublishersParams = {
  /** Id of the application. */
  application_id: string
}

export type ListTrustedPublishersAnswer = { message: string; data: Array<TrustedPublisher> }

export type CreateTrustedPublisherParams = {
  /** Id of the application. */
  application_id: string
  body: {
    /** Who is trusted; the keys made for it bear its name. */
    name: string
    /** URL of the OIDC issuer, exactly as the claim iss of its tokens says it. https. */
    issuer: string
    /** What the claim aud must hold; without it the public URL of this service. */
    audience?: string
    /** Claim → text, or list of texts of which one must fit; every claim must fit. `*` in a text stands for any characters, also / and none; nothing else has a meaning. 1 to 20 claims; not iss, aud, exp, nbf, iat, jti. Of GitHub, gitlab.com and Buildkite the repository, project, organisation or its owner must be named without *. */
    claims: { [key: string]: string | Array<string> }
    /** What tokens get, never more than your own key has: application:read, application:write, members:read, members:create, members:write, builds:read, builds:create, builds:write, releases:read, releases:create, releases:write, share_links:read, share_links:create, share_links:write, webhooks:read, webhooks:create, webhooks:write. */
    scopes: Array<string>
  }
}

export type CreateTrustedPublisherAnswer = { message: string; data: TrustedPublisher }

export type GetTrustedPublisherParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the trusted publisher. */
  trusted_publisher_id: string
}

export type GetTrustedPublisherAnswer = { message: string; data: TrustedPublisher }

export type DeleteTrustedPublisherParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the trusted publisher. */
  trusted_publisher_id: string
}

export type DeleteTrustedPublisherAnswer = { message: string }

export type UpdateTrustedPublisherParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the trusted publisher. */
  trusted_publisher_id: string
  body: {
    /** Who is trusted; the keys made for it bear its name. */
    name?: string
    /** URL of the OIDC issuer, exactly as the claim iss of its tokens says it. https. */
    issuer?: string
    /** What the claim aud must hold; without it the public URL of this service. */
    audience?: string
    /** Claim → text, or list of texts of which one must fit; every claim must fit. `*` in a text stands for any characters, also / and none; nothing else has a meaning. 1 to 20 claims; not iss, aud, exp, nbf, iat, jti. Of GitHub, gitlab.com and Buildkite the repository, project, organisation or its owner must be named without *. */
    claims?: { [key: string]: string | Array<string> }
    /** What tokens get, never more than your own key has: application:read, application:write, members:read, members:create, members:write, builds:read, builds:create, builds:write, releases:read, releases:create, releases:write, share_links:read, share_links:create, share_links:write, webhooks:read, webhooks:create, webhooks:write. */
    scopes?: Array<string>
  }
}

export type UpdateTrustedPublisherAnswer = { message: string; data: TrustedPublisher }

export type ListWebhooksParams = {
  /** Id of the application. */
  application_id: string
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListWebhooksAnswer = { message: string; data: Array<Webhook>; pagination: Pagination }

export type CreateWebhookParams = {
  /** Id of the application. */
  application_id: string
  body: {
    url: string
    event:
      | 'build.created'
      | 'build.created.stream'
      | 'build.moved'
      | 'build.moved.stream'
      | 'build.label.added'
      | 'build.processed'
      | 'build.deleted'
      | 'release.created'
      | 'release.updated'
      | 'release.deleted'
    stream?: string | null
    label?: string | null
    description?: string | null
    /** form sends the JSON in the field payload. */
    format?: 'json' | 'form'
    secret?: string | null
    is_active?: boolean
  }
}

export type CreateWebhookAnswer = { message: string; data: SingleWebhook }

export type GetWebhookParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the webhook. */
  webhook_id: string
}

export type GetWebhookAnswer = { message: string; data: SingleWebhook }

export type DeleteWebhookParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the webhook. */
  webhook_id: string
}

export type DeleteWebhookAnswer = { message: string }

export type UpdateWebhookParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the webhook. */
  webhook_id: string
  body: {
    url?: string
    event?:
      | 'build.created'
      | 'build.created.stream'
      | 'build.moved'
      | 'build.moved.stream'
      | 'build.label.added'
      | 'build.processed'
      | 'build.deleted'
      | 'release.created'
      | 'release.updated'
      | 'release.deleted'
    stream?: string | null
    label?: string | null
    description?: string | null
    /** form sends the JSON in the field payload. */
    format?: 'json' | 'form'
    secret?: string | null
    is_active?: boolean
  }
}

export type UpdateWebhookAnswer = { message: string; data: SingleWebhook }

export type ListWebhookRequestsParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the webhook. */
  webhook_id: string
  sort_by?: 'created_at'
  sort?: 'asc' | 'desc'
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListWebhookRequestsAnswer = {
  message: string
  data: Array<WebhookRequest>
  pagination: Pagination
}

export type GetWebhookRequestParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the webhook. */
  webhook_id: string
  /** Id of the webhook request. */
  webhook_request_id: string
}

export type GetWebhookRequestAnswer = { message: string; data: WebhookRequest }

export type RedeliverWebhookRequestParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the webhook. */
  webhook_id: string
  /** Id of the webhook request. */
  webhook_request_id: string
}

export type RedeliverWebhookRequestAnswer = { message: string; data: WebhookRequest }

export type TestWebhookParams = {
  /** Id of the application. */
  application_id: string
  /** Id of the webhook. */
  webhook_id: string
}

export type TestWebhookAnswer = { message: string; data: WebhookRequest }

export type ExchangeTokenParams = {
  body: {
    /** The JSON Web Token, signed with RS256, ES256 or EdDSA. */
    token: string
    /** Which application you mean. */
    application_id?: string
  }
}

export type ExchangeTokenAnswer = {
  message: string
  data: {
    /** An application key, shown this once: mask it in logs. */
    key: string
    /** ISO 8601, UTC, microseconds. */
    expires_at: string
    scopes: Array<string>
    application_id: string
  }
}

export type ListDistributionGroupsParams = {
  sort_by?: 'name' | 'created_at' | 'updated_at'
  sort?: 'asc' | 'desc'
  /** Text to be found, whatever its case, in: name, description, id. */
  search?: string
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListDistributionGroupsAnswer = {
  message: string
  data: Array<DistributionGroup>
  pagination: Pagination
}

export type CreateDistributionGroupParams = {
  body: {
    /** Name for people; each once in a workspace, whatever its case. */
    name: string
    description?: string | null
    /** false: nobody is told of releases, and the links stop. */
    is_active?: boolean
    /** external: anybody by e-mail address. internal: members of the workspace only; who leaves the workspace gets no more mails and the links of that person stop. */
    type?: 'external' | 'internal'
    icon_type?: 'none' | 'emoji' | 'fa'
    icon_emoji_code?: string | null
    icon_set_value?: string | null
  }
}

export type CreateDistributionGroupAnswer = { message: string; data: DistributionGroup }

export type GetDistributionGroupParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
}

export type GetDistributionGroupAnswer = { message: string; data: DistributionGroup }

export type DeleteDistributionGroupParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
}

export type DeleteDistributionGroupAnswer = { message: string }

export type UpdateDistributionGroupParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
  body: {
    /** Name for people; each once in a workspace, whatever its case. */
    name?: string
    description?: string | null
    /** false: nobody is told of releases, and the links stop. */
    is_active?: boolean
    /** external: anybody by e-mail address. internal: members of the workspace only; who leaves the workspace gets no more mails and the links of that person stop. */
    type?: 'external' | 'internal'
    icon_type?: 'none' | 'emoji' | 'fa'
    icon_emoji_code?: string | null
    icon_set_value?: string | null
  }
}

export type UpdateDistributionGroupAnswer = { message: string; data: DistributionGroup }

export type ListDistributionGroupMembersParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
  sort_by?: 'email' | 'added_at'
  sort?: 'asc' | 'desc'
  /** Text to be found, whatever its case, in: email. */
  search?: string
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListDistributionGroupMembersAnswer = {
  message: string
  data: Array<DistributionGroupMember>
  pagination: Pagination
}

export type CreateDistributionGroupMembersParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
  body: {
    /** At most 1000 a call. Addresses that differ in case alone are one. */
    emails: Array<string>
  }
}

export type CreateDistributionGroupMembersAnswer = {
  message: string
  data: Array<DistributionGroupMember>
  /** How many of them are new in the group. */
  added_count: number
}

export type DeleteDistributionGroupMemberParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
  /** Id of the member. */
  member_id: string
}

export type DeleteDistributionGroupMemberAnswer = { message: string }

export type RemoveDistributionGroupMembersParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
  body: {
    /** At most 1000 a call. Addresses that differ in case alone are one. */
    emails: Array<string>
  }
}

export type RemoveDistributionGroupMembersAnswer = {
  message: string
  /** How many of them were in the group. */
  removed_count: number
}

export type ListDistributionGroupReleasesParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
  sort_by?: 'added_at' | 'title'
  sort?: 'asc' | 'desc'
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListDistributionGroupReleasesAnswer = {
  message: string
  data: Array<DistributionGroupRelease>
  pagination: Pagination
}

export type AddDistributionGroupReleaseParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
  body: { release_id: string; notify?: boolean }
}

export type AddDistributionGroupReleaseAnswer = {
  message: string
  data: DistributionGroupRelease
  /** Mails that this call has sent off. */
  notified_count: number
}

export type RemoveDistributionGroupReleaseParams = {
  /** Id of the distribution group. */
  distribution_group_id: string
  /** Id of the release. */
  release_id: string
}

export type RemoveDistributionGroupReleaseAnswer = { message: string }

export type AcceptInvitationParams = {
  /** The token of the invitation. */
  token: string
  body: {
    /** Name of the person; kept only where the person is new here. */
    name: string
  }
}

export type AcceptInvitationAnswer = { message: string; data: WorkspaceMember }

export type ListPortalsParams = {
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListPortalsAnswer = { message: string; data: Array<Portal>; pagination: Pagination }

export type CreatePortalParams = {
  body: {
    /** Name for people. */
    name: string
    description?: string | null
    /** A private one asks who somebody is. */
    type?: 'public' | 'private'
    subdomain?: string | null
    custom_domain?: string | null
  }
}

export type CreatePortalAnswer = { message: string; data: Portal }

export type GetPortalParams = {
  /** Id of the portal. */
  portal_id: string
}

export type GetPortalAnswer = { message: string; data: Portal }

export type DeletePortalParams = {
  /** Id of the portal. */
  portal_id: string
}

export type DeletePortalAnswer = { message: string }

export type UpdatePortalParams = {
  /** Id of the portal. */
  portal_id: string
  body: {
    /** Name for people. */
    name?: string
    description?: string | null
    /** A private one asks who somebody is. */
    type?: 'public' | 'private'
    subdomain?: string | null
    custom_domain?: string | null
  }
}

export type UpdatePortalAnswer = { message: string; data: Portal }

export type ReplacePortalApplicationParams = {
  /** Id of the portal. */
  portal_id: string
  /** Id of the application. */
  application_id: string
  body: {
    streams_mode: 'selective' | 'all' | 'none'
    /** With streams_mode selective: the streams whose builds are shown. */
    stream_ids?: Array<string>
    releases_mode: 'selective' | 'all' | 'none'
  }
}

export type ReplacePortalApplicationAnswer = { message: string; data: Portal }

export type DeletePortalApplicationParams = {
  /** Id of the portal. */
  portal_id: string
  /** Id of the application. */
  application_id: string
}

export type DeletePortalApplicationAnswer = { message: string }

export type VerifyPortalDomainParams = {
  /** Id of the portal. */
  portal_id: string
}

export type VerifyPortalDomainAnswer = { message: string; data: Portal }

export type ReplacePortalIconParams = {
  /** Id of the portal. */
  portal_id: string
  body: {
    /** What the bytes are; another type is refused. */
    content_type: 'image/png' | 'image/jpeg' | 'image/webp'
    /** The image as base64: at most 512 KiB, 16 to 2048 pixels wide and high. */
    data: string
  }
}

export type ReplacePortalIconAnswer = { message: string; data: Portal }

export type DeletePortalIconParams = {
  /** Id of the portal. */
  portal_id: string
}

export type DeletePortalIconAnswer = { message: string }

export type ListPortalReleasesParams = {
  /** Id of the portal. */
  portal_id: string
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListPortalReleasesAnswer = { message: string; data: Array<PortalRelease>; pagination: Pagination }

export type PublishPortalReleaseParams = {
  /** Id of the portal. */
  portal_id: string
  body: { release_id: string }
}

export type PublishPortalReleaseAnswer = { message: string; data: Portal }

export type WithdrawPortalReleaseParams = {
  /** Id of the portal. */
  portal_id: string
  /** Id of the release. */
  release_id: string
}

export type WithdrawPortalReleaseAnswer = { message: string }

export type OpenGroupLinkParams = {
  /** Id of the link. */
  group_link_id: string
  /** Secret part of the URL. */
  group_link_token: string
}

export type OpenGroupLinkAnswer = { message: string; data: SharedRelease }

export type DownloadGroupBuildParams = {
  /** Id of the link. */
  group_link_id: string
  /** Secret part of the URL. */
  group_link_token: string
  /** Needed when the release holds several builds. */
  build_id?: string
}

export type DownloadGroupBuildAnswer = Redirect

export type CreateGroupDownloadParams = {
  /** Id of the link. */
  group_link_id: string
  /** Secret part of the URL. */
  group_link_token: string
  body: {
    /** Needed when the release holds several builds. */
    build_id?: string
  }
}

export type CreateGroupDownloadAnswer = {
  message: string
  primary_file: FileLink
  expansion_files?: Array<FileLink>
  /** ISO 8601, UTC, microseconds. */
  expires_at: string
}

export type GetIconParams = {
  /** Last part of the URL. */
  icon_id: string
}

export type GetIconAnswer = Uint8Array

export type OpenShareLinkParams = {
  /** Id of the share link. */
  share_link_id: string
  /** Secret part of the URL. */
  share_token: string
}

export type OpenShareLinkAnswer = { message: string; data: Shared }

export type DownloadLinkBuildParams = {
  /** Id of the share link. */
  share_link_id: string
  /** Secret part of the URL. */
  share_token: string
  /** Needed when a release of several builds is shared. */
  build_id?: string
  /** Of a link with a password. */
  grant?: string
}

export type DownloadLinkBuildAnswer = Redirect

export type CreateLinkDownloadParams = {
  /** Id of the share link. */
  share_link_id: string
  /** Secret part of the URL. */
  share_token: string
  body: {
    /** Needed when a release of several builds is shared. */
    build_id?: string
    /** Of a link with a password. */
    grant?: string
  }
}

export type CreateLinkDownloadAnswer = {
  message: string
  primary_file: FileLink
  expansion_files?: Array<FileLink>
  /** ISO 8601, UTC, microseconds. */
  expires_at: string
}

export type CreateShareGrantParams = {
  /** Id of the share link. */
  share_link_id: string
  /** Secret part of the URL. */
  share_token: string
  body: { password: string }
}

export type CreateShareGrantAnswer = {
  message: string
  data: {
    /** To be sent with downloads, for 15 minutes. */
    grant: string
    /** ISO 8601, UTC, microseconds. */
    grant_expires_at: string
    shared: Shared
  }
}

export type DeleteShareLinkParams = {
  /** Id of the share link. */
  share_link_id: string
}

export type DeleteShareLinkAnswer = { message: string }

export type UpdateShareLinkParams = {
  /** Id of the share link. */
  share_link_id: string
  body: {
    /** false revokes the link: 410 for whoever follows it. */
    is_active?: boolean
    password?: string | null
    expires_at?: string | null
    max_downloads?: number | null
  }
}

export type UpdateShareLinkAnswer = { message: string; data: ShareLink }

export type AbortUploadParams = { body: { pending_upload_id: string } }

export type AbortUploadAnswer = { message: string }

export type RequestMetadataUploadParams = { body: MetadataRequest }

export type RequestMetadataUploadAnswer = {
  message: string
  metadata_pending_upload_id: string
  presigned_upload_data: { url: string; headers: { [key: string]: string } }
}

export type VerifyMetadataUploadParams = { body: { pending_upload_id: string; file_description?: string } }

export type VerifyMetadataUploadAnswer = { message: string; metadata_artifact_id: string; build_id: string }

export type RequestUploadParams = { body: UploadRequest }

export type RequestUploadAnswer = {
  message: string
  pending_upload_id: string
  primary_file: FileToSend
  expansion_files: Array<FileToSend>
}

export type RequestUploadPartParams = { body: PartRequest }

export type RequestUploadPartAnswer = {
  message: string
  part_number: number
  part_presigned_url: string
  /** ISO 8601, UTC, microseconds. */
  expires_at: string
}

export type RequestExpansionUploadPartParams = { body: PartRequest }

export type RequestExpansionUploadPartAnswer = {
  message: string
  part_number: number
  part_presigned_url: string
  /** ISO 8601, UTC, microseconds. */
  expires_at: string
}

export type VerifyUploadParams = {
  body: {
    pending_upload_id: string
    multipart_chunks?: Array<{
      PartNumber: number
      /** With or without its quotes. */
      ETag: string
    }>
  }
}

export type VerifyUploadAnswer = {
  message: string
  pending_processing: boolean
  build_id: string
  build_info_url: string
  download_url: string
  build: FullBuild
}

export type GetUploadParams = {
  /** Id of the upload. */
  pending_upload_id: string
}

export type GetUploadAnswer = { message: string; data: UploadStatus }

export type GetUserParams = {
  /** Id of the person. */
  user_id: string
}

export type GetUserAnswer = { message: string; data: User }

export type GetWorkspaceParams = {}

export type GetWorkspaceAnswer = { message: string; data: Workspace }

export type UpdateWorkspaceParams = {
  body: {
    /** Name for people. */
    name?: string
    subdomain?: string | null
    custom_targets_enabled?: boolean
  }
}

export type UpdateWorkspaceAnswer = { message: string; data: Workspace }

export type ListWorkspaceApiKeysParams = {
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListWorkspaceApiKeysAnswer = { message: string; data: Array<ApiKey>; pagination: Pagination }

export type CreateWorkspaceApiKeyParams = {
  body: {
    /** What the key is for. */
    name: string
    /** Of workspace keys: workspace:read, workspace:write, members:read, members:write, applications:read, applications:create, applications:write, builds:read, builds:create, builds:write, releases:read, releases:create, releases:write, share_links:read, share_links:create, share_links:write, distribution_groups:read, distribution_groups:create, distribution_groups:write, portals:read, portals:write, webhooks:read, webhooks:create, webhooks:write, api_keys:read, api_keys:create, api_keys:write. Of keys of one application: application:read, application:write, members:read, members:create, members:write, builds:read, builds:create, builds:write, releases:read, releases:create, releases:write, share_links:read, share_links:create, share_links:write, webhooks:read, webhooks:create, webhooks:write. */
    scopes: Array<string>
    expires_at?: string | null
  }
}

export type CreateWorkspaceApiKeyAnswer = { message: string; data: CreatedApiKey }

export type DeleteWorkspaceApiKeyParams = {
  /** Id of the key. */
  api_key_id: string
}

export type DeleteWorkspaceApiKeyAnswer = { message: string }

export type ListAuditLogParams = {
  sort_by?: 'created_at'
  sort?: 'asc' | 'desc'
  /** Counted from 1. */
  page?: number
  per_page?: number
  /** Id or name of a key or user. */
  actor?: string
  /** Such as stream.updated. */
  action?: string
  /** Such as stream. */
  subject_type?: string
  /** Id of what was changed. */
  subject_id?: string
  /** Id of an application, in the trash or not. */
  application?: string
  /** ISO 8601, inclusive. */
  created_after?: string
  /** ISO 8601, exclusive. */
  created_before?: string
}

export type ListAuditLogAnswer = { message: string; data: Array<AuditEntry>; pagination: Pagination }

export type ListWorkspaceCustomTargetsParams = {}

export type ListWorkspaceCustomTargetsAnswer = { message: string; data: Array<CustomTarget> }

export type CreateWorkspaceCustomTargetParams = {
  body: {
    /** Name, unique at its level whatever its case. */
    name: string
    description?: string | null
    /** Slug of the platform whose builds may name it. */
    platform: string
  }
}

export type CreateWorkspaceCustomTargetAnswer = { message: string; data: CustomTarget }

export type GetWorkspaceCustomTargetParams = {
  /** Id or name of the custom target. */
  target_identifier: string
}

export type GetWorkspaceCustomTargetAnswer = { message: string; data: CustomTarget }

export type DeleteWorkspaceCustomTargetParams = {
  /** Id or name of the custom target. */
  target_identifier: string
}

export type DeleteWorkspaceCustomTargetAnswer = { message: string }

export type UpdateWorkspaceCustomTargetParams = {
  /** Id or name of the custom target. */
  target_identifier: string
  body: {
    /** Name, unique at its level whatever its case. */
    name?: string
    description?: string | null
  }
}

export type UpdateWorkspaceCustomTargetAnswer = { message: string; data: CustomTarget }

export type ReplaceWorkspaceCustomTargetIconParams = {
  /** Id or name of the custom target. */
  target_identifier: string
  body: {
    /** What the bytes are; another type is refused. */
    content_type: 'image/png' | 'image/jpeg' | 'image/webp'
    /** The image as base64: at most 512 KiB, 16 to 2048 pixels wide and high. */
    data: string
  }
}

export type ReplaceWorkspaceCustomTargetIconAnswer = { message: string; data: CustomTarget }

export type DeleteWorkspaceCustomTargetIconParams = {
  /** Id or name of the custom target. */
  target_identifier: string
}

export type DeleteWorkspaceCustomTargetIconAnswer = { message: string }

export type ListDefaultStreamsParams = {}

export type ListDefaultStreamsAnswer = { message: string; data: Array<Stream> }

export type CreateDefaultStreamParams = {
  body: {
    /** Name, unique among its neighbours whatever its case. */
    name: string
    description?: string | null
    retention_days?: number | null
  }
}

export type CreateDefaultStreamAnswer = { message: string; data: Stream }

export type DeleteDefaultStreamParams = {
  /** Id of the default stream. */
  default_stream_id: string
}

export type DeleteDefaultStreamAnswer = { message: string }

export type UpdateDefaultStreamParams = {
  /** Id of the default stream. */
  default_stream_id: string
  body: {
    /** Name, unique among its neighbours whatever its case. */
    name?: string
    description?: string | null
    retention_days?: number | null
  }
}

export type UpdateDefaultStreamAnswer = { message: string; data: Stream }

export type ListInvitationsParams = {
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListInvitationsAnswer = { message: string; data: Array<Invitation>; pagination: Pagination }

export type CreateInvitationParams = {
  body: {
    email: string
    role: 'admin' | 'member' | 'owner' | 'developer' | 'qa' | 'readonly'
    application_id?: string | null
  }
}

export type CreateInvitationAnswer = { message: string; data: CreatedInvitation }

export type DeleteInvitationParams = {
  /** Id of the invitation. */
  invitation_id: string
}

export type DeleteInvitationAnswer = { message: string }

export type ListWorkspaceLabelsParams = {}

export type ListWorkspaceLabelsAnswer = { message: string; data: Array<Label> }

export type CreateWorkspaceLabelParams = {
  body: {
    /** Name, unique at its level whatever its case. */
    name: string
    description?: string | null
    color?: string
  }
}

export type CreateWorkspaceLabelAnswer = { message: string; data: SingleLabel }

export type GetWorkspaceLabelParams = {
  /** Id or name of the label. */
  label_identifier: string
}

export type GetWorkspaceLabelAnswer = { message: string; data: SingleLabel }

export type DeleteWorkspaceLabelParams = {
  /** Id or name of the label. */
  label_identifier: string
}

export type DeleteWorkspaceLabelAnswer = { message: string }

export type UpdateWorkspaceLabelParams = {
  /** Id or name of the label. */
  label_identifier: string
  body: {
    /** Name, unique at its level whatever its case. */
    name?: string
    description?: string | null
    color?: string
  }
}

export type UpdateWorkspaceLabelAnswer = { message: string; data: SingleLabel }

export type ReplaceWorkspaceLogoParams = {
  body: {
    /** What the bytes are; another type is refused. */
    content_type: 'image/png' | 'image/jpeg' | 'image/webp'
    /** The image as base64: at most 512 KiB, 16 to 2048 pixels wide and high. */
    data: string
  }
}

export type ReplaceWorkspaceLogoAnswer = { message: string; data: Workspace }

export type DeleteWorkspaceLogoParams = {}

export type DeleteWorkspaceLogoAnswer = { message: string }

export type ListWorkspaceMembersParams = {
  sort_by?: 'name' | 'email' | 'role' | 'added_at'
  sort?: 'asc' | 'desc'
  /** Text to be found, whatever its case, in: name, email. */
  search?: string
  /** Counted from 1. */
  page?: number
  per_page?: number
}

export type ListWorkspaceMembersAnswer = {
  message: string
  data: Array<WorkspaceMember>
  pagination: Pagination
}

export type DeleteWorkspaceMemberParams = {
  /** Id of the person. */
  user_id: string
}

export type DeleteWorkspaceMemberAnswer = { message: string }

export type UpdateWorkspaceMemberParams = {
  /** Id of the person. */
  user_id: string
  body: { role: 'owner' | 'admin' | 'member' }
}

export type UpdateWorkspaceMemberAnswer = { message: string; data: WorkspaceMember }

export type ListMailsParams = {
  /** Counted from 1. */
  page?: number
  per_page?: number
  sort_by?: 'created_at'
  sort?: 'asc' | 'desc'
  state?: 'waiting' | 'sent' | 'failed'
}

export type ListMailsAnswer = { message: string; data: Array<Mail>; pagination: Pagination }

/** Parameters and answer of every operation. */
export type Operations = {
  /** List the applications that the key reaches */
  listApplications: { params: ListApplicationsParams; answer: ListApplicationsAnswer }
  /** Create an application */
  createApplication: { params: CreateApplicationParams; answer: CreateApplicationAnswer }
  /** Get an application */
  getApplication: { params: GetApplicationParams; answer: GetApplicationAnswer }
  /** Put an application into the trash */
  deleteApplication: { params: DeleteApplicationParams; answer: DeleteApplicationAnswer }
  /** Change an application */
  updateApplication: { params: UpdateApplicationParams; answer: UpdateApplicationAnswer }
  /** List the keys of an application, revoked ones included */
  listApplicationApiKeys: { params: ListApplicationApiKeysParams; answer: ListApplicationApiKeysAnswer }
  /** Create a key of one application */
  createApplicationApiKey: { params: CreateApplicationApiKeyParams; answer: CreateApplicationApiKeyAnswer }
  /** Revoke a key of an application */
  deleteApplicationApiKey: { params: DeleteApplicationApiKeyParams; answer: DeleteApplicationApiKeyAnswer }
  /** List the builds of an application */
  listBuilds: { params: ListBuildsParams; answer: ListBuildsAnswer }
  /** Do the same with up to 100 builds */
  updateBuilds: { params: UpdateBuildsParams; answer: UpdateBuildsAnswer }
  /** Get a build with its files and artifacts */
  getBuild: { params: GetBuildParams; answer: GetBuildAnswer }
  /** Put a build into the trash */
  deleteBuild: { params: DeleteBuildParams; answer: DeleteBuildAnswer }
  /** Change a build */
  updateBuild: { params: UpdateBuildParams; answer: UpdateBuildAnswer }
  /** Replace the architectures of a build */
  replaceBuildArchitectures: {
    params: ReplaceBuildArchitecturesParams
    answer: ReplaceBuildArchitecturesAnswer
  }
  /** Get download links of a build */
  getBuildDownload: { params: GetBuildDownloadParams; answer: GetBuildDownloadAnswer }
  /** List who has downloaded a build */
  listBuildDownloads: { params: ListBuildDownloadsParams; answer: ListBuildDownloadsAnswer }
  /** Download a file of a build */
  getBuildFile: { params: GetBuildFileParams; answer: GetBuildFileAnswer }
  /** Replace the labels of a build */
  replaceBuildLabels: { params: ReplaceBuildLabelsParams; answer: ReplaceBuildLabelsAnswer }
  /** List the metadata artifacts of a build */
  listBuildMetadata: { params: ListBuildMetadataParams; answer: ListBuildMetadataAnswer }
  /** Get a metadata artifact of a build */
  getBuildMetadata: { params: GetBuildMetadataParams; answer: GetBuildMetadataAnswer }
  /** Delete a metadata artifact */
  deleteBuildMetadata: { params: DeleteBuildMetadataParams; answer: DeleteBuildMetadataAnswer }
  /** Get the download link of a metadata artifact */
  getBuildMetadataDownload: { params: GetBuildMetadataDownloadParams; answer: GetBuildMetadataDownloadAnswer }
  /** Take a build out of the trash */
  restoreBuild: { params: RestoreBuildParams; answer: RestoreBuildAnswer }
  /** List the share links of a build */
  listBuildShareLinks: { params: ListBuildShareLinksParams; answer: ListBuildShareLinksAnswer }
  /** Share a build by a link */
  createBuildShareLink: { params: CreateBuildShareLinkParams; answer: CreateBuildShareLinkAnswer }
  /** Move a build to another stream */
  moveBuild: { params: MoveBuildParams; answer: MoveBuildAnswer }
  /** List the custom targets that builds of an application may name */
  listCustomTargets: { params: ListCustomTargetsParams; answer: ListCustomTargetsAnswer }
  /** Create a custom target of an application */
  createCustomTarget: { params: CreateCustomTargetParams; answer: CreateCustomTargetAnswer }
  /** Get a custom target of the application or of its workspace by id or name */
  getCustomTarget: { params: GetCustomTargetParams; answer: GetCustomTargetAnswer }
  /** Delete a custom target of an application */
  deleteCustomTarget: { params: DeleteCustomTargetParams; answer: DeleteCustomTargetAnswer }
  /** Change a custom target of an application */
  updateCustomTarget: { params: UpdateCustomTargetParams; answer: UpdateCustomTargetAnswer }
  /** Give a custom target of an application an icon */
  replaceCustomTargetIcon: { params: ReplaceCustomTargetIconParams; answer: ReplaceCustomTargetIconAnswer }
  /** Take the icon of a custom target of an application away */
  deleteCustomTargetIcon: { params: DeleteCustomTargetIconParams; answer: DeleteCustomTargetIconAnswer }
  /** Lift a custom target of an application to its workspace */
  promoteCustomTarget: { params: PromoteCustomTargetParams; answer: PromoteCustomTargetAnswer }
  /** Give an application an icon */
  replaceApplicationIcon: { params: ReplaceApplicationIconParams; answer: ReplaceApplicationIconAnswer }
  /** Take the icon of an application away */
  deleteApplicationIcon: { params: DeleteApplicationIconParams; answer: DeleteApplicationIconAnswer }
  /** List the labels of an application and of its workspace */
  listLabels: { params: ListLabelsParams; answer: ListLabelsAnswer }
  /** Create a label of an application */
  createLabel: { params: CreateLabelParams; answer: CreateLabelAnswer }
  /** Get a label of the application or of its workspace by id or name */
  getLabel: { params: GetLabelParams; answer: GetLabelAnswer }
  /** Delete a label of an application */
  deleteLabel: { params: DeleteLabelParams; answer: DeleteLabelAnswer }
  /** Change a label of an application */
  updateLabel: { params: UpdateLabelParams; answer: UpdateLabelAnswer }
  /** Lift a label of an application to its workspace */
  promoteLabel: { params: PromoteLabelParams; answer: PromoteLabelAnswer }
  /** List the members of an application */
  listApplicationMembers: { params: ListApplicationMembersParams; answer: ListApplicationMembersAnswer }
  /** Add a member of the workspace to an application */
  createApplicationMember: { params: CreateApplicationMemberParams; answer: CreateApplicationMemberAnswer }
  /** Remove a member from an application */
  deleteApplicationMember: { params: DeleteApplicationMemberParams; answer: DeleteApplicationMemberAnswer }
  /** Change the role of a member of an application */
  updateApplicationMember: { params: UpdateApplicationMemberParams; answer: UpdateApplicationMemberAnswer }
  /** List the platforms of an application */
  listPlatforms: { params: ListPlatformsParams; answer: ListPlatformsAnswer }
  /** Replace the platforms of an application */
  replacePlatforms: { params: ReplacePlatformsParams; answer: ReplacePlatformsAnswer }
  /** List the architectures that builds of a platform may name */
  listArchitectures: { params: ListArchitecturesParams; answer: ListArchitecturesAnswer }
  /** Take an application back out of the trash */
  restoreApplication: { params: RestoreApplicationParams; answer: RestoreApplicationAnswer }
  /** List the releases of an application */
  listReleases: { params: ListReleasesParams; answer: ListReleasesAnswer }
  /** Create a release */
  createRelease: { params: CreateReleaseParams; answer: CreateReleaseAnswer }
  /** Get a release with its notes and builds */
  getRelease: { params: GetReleaseParams; answer: GetReleaseAnswer }
  /** Delete a release */
  deleteRelease: { params: DeleteReleaseParams; answer: DeleteReleaseAnswer }
  /** Change a release */
  updateRelease: { params: UpdateReleaseParams; answer: UpdateReleaseAnswer }
  /** Replace the builds of a release */
  replaceReleaseBuilds: { params: ReplaceReleaseBuildsParams; answer: ReplaceReleaseBuildsAnswer }
  /** Put a build into a release */
  addReleaseBuild: { params: AddReleaseBuildParams; answer: AddReleaseBuildAnswer }
  /** Take a build out of a release */
  removeReleaseBuild: { params: RemoveReleaseBuildParams; answer: RemoveReleaseBuildAnswer }
  /** Replace the labels of a release */
  replaceReleaseLabels: { params: ReplaceReleaseLabelsParams; answer: ReplaceReleaseLabelsAnswer }
  /** List the share links of a release */
  listReleaseShareLinks: { params: ListReleaseShareLinksParams; answer: ListReleaseShareLinksAnswer }
  /** Share a release by a link */
  createReleaseShareLink: { params: CreateReleaseShareLinkParams; answer: CreateReleaseShareLinkAnswer }
  /** List the active streams of an application */
  listStreams: { params: ListStreamsParams; answer: ListStreamsAnswer }
  /** Create a stream */
  createStream: { params: CreateStreamParams; answer: CreateStreamAnswer }
  /** Get a stream by id or name */
  getStream: { params: GetStreamParams; answer: GetStreamAnswer }
  /** Delete a stream */
  deleteStream: { params: DeleteStreamParams; answer: DeleteStreamAnswer }
  /** Change a stream */
  updateStream: { params: UpdateStreamParams; answer: UpdateStreamAnswer }
  /** Which builds of a stream go when, and why each of the others stays */
  listRetentionPreview: { params: ListRetentionPreviewParams; answer: ListRetentionPreviewAnswer }
  /** List the trusted publishers of an application */
  listTrustedPublishers: { params: ListTrustedPublishersParams; answer: ListTrustedPublishersAnswer }
  /** Trust the CI runs of an OIDC issuer */
  createTrustedPublisher: { params: CreateTrustedPublisherParams; answer: CreateTrustedPublisherAnswer }
  /** Get a trusted publisher */
  getTrustedPublisher: { params: GetTrustedPublisherParams; answer: GetTrustedPublisherAnswer }
  /** Trust a publisher no longer */
  deleteTrustedPublisher: { params: DeleteTrustedPublisherParams; answer: DeleteTrustedPublisherAnswer }
  /** Change a trusted publisher */
  updateTrustedPublisher: { params: UpdateTrustedPublisherParams; answer: UpdateTrustedPublisherAnswer }
  /** List the webhooks of an application */
  listWebhooks: { params: ListWebhooksParams; answer: ListWebhooksAnswer }
  /** Create a webhook */
  createWebhook: { params: CreateWebhookParams; answer: CreateWebhookAnswer }
  /** Get a webhook with its latest request */
  getWebhook: { params: GetWebhookParams; answer: GetWebhookAnswer }
  /** Delete a webhook and its stored requests */
  deleteWebhook: { params: DeleteWebhookParams; answer: DeleteWebhookAnswer }
  /** Change a webhook */
  updateWebhook: { params: UpdateWebhookParams; answer: UpdateWebhookAnswer }
  /** List the stored requests of a webhook */
  listWebhookRequests: { params: ListWebhookRequestsParams; answer: ListWebhookRequestsAnswer }
  /** Get a stored request of a webhook */
  getWebhookRequest: { params: GetWebhookRequestParams; answer: GetWebhookRequestAnswer }
  /** Send a stored request once more */
  redeliverWebhookRequest: { params: RedeliverWebhookRequestParams; answer: RedeliverWebhookRequestAnswer }
  /** Send a test request to a webhook */
  testWebhook: { params: TestWebhookParams; answer: TestWebhookAnswer }
  /** Exchange an OIDC token of a CI system for a key that lives 15 minutes */
  exchangeToken: { params: ExchangeTokenParams; answer: ExchangeTokenAnswer }
  /** List the distribution groups of the workspace */
  listDistributionGroups: { params: ListDistributionGroupsParams; answer: ListDistributionGroupsAnswer }
  /** Create a distribution group */
  createDistributionGroup: { params: CreateDistributionGroupParams; answer: CreateDistributionGroupAnswer }
  /** Get a distribution group */
  getDistributionGroup: { params: GetDistributionGroupParams; answer: GetDistributionGroupAnswer }
  /** Delete a distribution group */
  deleteDistributionGroup: { params: DeleteDistributionGroupParams; answer: DeleteDistributionGroupAnswer }
  /** Change a distribution group */
  updateDistributionGroup: { params: UpdateDistributionGroupParams; answer: UpdateDistributionGroupAnswer }
  /** List the members of a distribution group */
  listDistributionGroupMembers: {
    params: ListDistributionGroupMembersParams
    answer: ListDistributionGroupMembersAnswer
  }
  /** Add people to a distribution group */
  createDistributionGroupMembers: {
    params: CreateDistributionGroupMembersParams
    answer: CreateDistributionGroupMembersAnswer
  }
  /** Take a member out of a distribution group */
  deleteDistributionGroupMember: {
    params: DeleteDistributionGroupMemberParams
    answer: DeleteDistributionGroupMemberAnswer
  }
  /** Take many people out of a distribution group */
  removeDistributionGroupMembers: {
    params: RemoveDistributionGroupMembersParams
    answer: RemoveDistributionGroupMembersAnswer
  }
  /** List the releases of a distribution group */
  listDistributionGroupReleases: {
    params: ListDistributionGroupReleasesParams
    answer: ListDistributionGroupReleasesAnswer
  }
  /** Give a release to a distribution group, and tell its members */
  addDistributionGroupRelease: {
    params: AddDistributionGroupReleaseParams
    answer: AddDistributionGroupReleaseAnswer
  }
  /** Take a release away from a distribution group */
  removeDistributionGroupRelease: {
    params: RemoveDistributionGroupReleaseParams
    answer: RemoveDistributionGroupReleaseAnswer
  }
  /** Accept an invitation by its token */
  acceptInvitation: { params: AcceptInvitationParams; answer: AcceptInvitationAnswer }
  /** List the portals of the workspace */
  listPortals: { params: ListPortalsParams; answer: ListPortalsAnswer }
  /** Create a portal */
  createPortal: { params: CreatePortalParams; answer: CreatePortalAnswer }
  /** Get a portal */
  getPortal: { params: GetPortalParams; answer: GetPortalAnswer }
  /** Delete a portal; what it showed stays */
  deletePortal: { params: DeletePortalParams; answer: DeletePortalAnswer }
  /** Change a portal */
  updatePortal: { params: UpdatePortalParams; answer: UpdatePortalAnswer }
  /** Show an application in a portal, or change what is shown of it */
  replacePortalApplication: { params: ReplacePortalApplicationParams; answer: ReplacePortalApplicationAnswer }
  /** Take an application out of a portal */
  deletePortalApplication: { params: DeletePortalApplicationParams; answer: DeletePortalApplicationAnswer }
  /** Verify the custom domain of a portal */
  verifyPortalDomain: { params: VerifyPortalDomainParams; answer: VerifyPortalDomainAnswer }
  /** Give a portal an icon */
  replacePortalIcon: { params: ReplacePortalIconParams; answer: ReplacePortalIconAnswer }
  /** Take the icon of a portal away */
  deletePortalIcon: { params: DeletePortalIconParams; answer: DeletePortalIconAnswer }
  /** List the releases that a portal shows */
  listPortalReleases: { params: ListPortalReleasesParams; answer: ListPortalReleasesAnswer }
  /** Publish a release in a portal */
  publishPortalRelease: { params: PublishPortalReleaseParams; answer: PublishPortalReleaseAnswer }
  /** Take a published release back from a portal */
  withdrawPortalRelease: { params: WithdrawPortalReleaseParams; answer: WithdrawPortalReleaseAnswer }
  /** See the release of a personal link */
  openGroupLink: { params: OpenGroupLinkParams; answer: OpenGroupLinkAnswer }
  /** Download a build by a personal link */
  downloadGroupBuild: { params: DownloadGroupBuildParams; answer: DownloadGroupBuildAnswer }
  /** Get download links by a personal link */
  createGroupDownload: { params: CreateGroupDownloadParams; answer: CreateGroupDownloadAnswer }
  /** Get an icon */
  getIcon: { params: GetIconParams; answer: GetIconAnswer }
  /** See what a share link shares */
  openShareLink: { params: OpenShareLinkParams; answer: OpenShareLinkAnswer }
  /** Download a build by a share link */
  downloadLinkBuild: { params: DownloadLinkBuildParams; answer: DownloadLinkBuildAnswer }
  /** Get download links by a share link */
  createLinkDownload: { params: CreateLinkDownloadParams; answer: CreateLinkDownloadAnswer }
  /** Open a share link by its password */
  createShareGrant: { params: CreateShareGrantParams; answer: CreateShareGrantAnswer }
  /** Delete a share link */
  deleteShareLink: { params: DeleteShareLinkParams; answer: DeleteShareLinkAnswer }
  /** Change or revoke a share link */
  updateShareLink: { params: UpdateShareLinkParams; answer: UpdateShareLinkAnswer }
  /** Abort an upload and drop its bytes */
  abortUpload: { params: AbortUploadParams; answer: AbortUploadAnswer }
  /** Start the upload of a metadata artifact */
  requestMetadataUpload: { params: RequestMetadataUploadParams; answer: RequestMetadataUploadAnswer }
  /** Verify a metadata upload and add its artifact to the build */
  verifyMetadataUpload: { params: VerifyMetadataUploadParams; answer: VerifyMetadataUploadAnswer }
  /** Start the upload of a build */
  requestUpload: { params: RequestUploadParams; answer: RequestUploadAnswer }
  /** Get the URL of one part of the primary file */
  requestUploadPart: { params: RequestUploadPartParams; answer: RequestUploadPartAnswer }
  /** Get the URL of one part of the expansion file */
  requestExpansionUploadPart: {
    params: RequestExpansionUploadPartParams
    answer: RequestExpansionUploadPartAnswer
  }
  /** Verify an upload and make its build */
  verifyUpload: { params: VerifyUploadParams; answer: VerifyUploadAnswer }
  /** Get what of an upload is stored already */
  getUpload: { params: GetUploadParams; answer: GetUploadAnswer }
  /** Get a person of the workspace */
  getUser: { params: GetUserParams; answer: GetUserAnswer }
  /** Get the workspace of the key */
  getWorkspace: { params: GetWorkspaceParams; answer: GetWorkspaceAnswer }
  /** Change the workspace */
  updateWorkspace: { params: UpdateWorkspaceParams; answer: UpdateWorkspaceAnswer }
  /** List the workspace keys, revoked ones included */
  listWorkspaceApiKeys: { params: ListWorkspaceApiKeysParams; answer: ListWorkspaceApiKeysAnswer }
  /** Create a workspace key */
  createWorkspaceApiKey: { params: CreateWorkspaceApiKeyParams; answer: CreateWorkspaceApiKeyAnswer }
  /** Revoke a workspace key */
  deleteWorkspaceApiKey: { params: DeleteWorkspaceApiKeyParams; answer: DeleteWorkspaceApiKeyAnswer }
  /** List who changed what, when and from where */
  listAuditLog: { params: ListAuditLogParams; answer: ListAuditLogAnswer }
  /** List the custom targets that all applications share */
  listWorkspaceCustomTargets: {
    params: ListWorkspaceCustomTargetsParams
    answer: ListWorkspaceCustomTargetsAnswer
  }
  /** Create a custom target that all applications share */
  createWorkspaceCustomTarget: {
    params: CreateWorkspaceCustomTargetParams
    answer: CreateWorkspaceCustomTargetAnswer
  }
  /** Get a custom target of the workspace by id or name */
  getWorkspaceCustomTarget: { params: GetWorkspaceCustomTargetParams; answer: GetWorkspaceCustomTargetAnswer }
  /** Delete a custom target that all applications share */
  deleteWorkspaceCustomTarget: {
    params: DeleteWorkspaceCustomTargetParams
    answer: DeleteWorkspaceCustomTargetAnswer
  }
  /** Change a custom target that all applications share */
  updateWorkspaceCustomTarget: {
    params: UpdateWorkspaceCustomTargetParams
    answer: UpdateWorkspaceCustomTargetAnswer
  }
  /** Give a custom target that all applications share an icon */
  replaceWorkspaceCustomTargetIcon: {
    params: ReplaceWorkspaceCustomTargetIconParams
    answer: ReplaceWorkspaceCustomTargetIconAnswer
  }
  /** Take the icon of a custom target that all applications share away */
  deleteWorkspaceCustomTargetIcon: {
    params: DeleteWorkspaceCustomTargetIconParams
    answer: DeleteWorkspaceCustomTargetIconAnswer
  }
  /** List the templates that are copied into each new application */
  listDefaultStreams: { params: ListDefaultStreamsParams; answer: ListDefaultStreamsAnswer }
  /** Create a template that is copied into each new application */
  createDefaultStream: { params: CreateDefaultStreamParams; answer: CreateDefaultStreamAnswer }
  /** Delete a template; applications that have their copy keep it */
  deleteDefaultStream: { params: DeleteDefaultStreamParams; answer: DeleteDefaultStreamAnswer }
  /** Change a template; applications that have their copy keep it as it is */
  updateDefaultStream: { params: UpdateDefaultStreamParams; answer: UpdateDefaultStreamAnswer }
  /** List the invitations, also those that are no longer open */
  listInvitations: { params: ListInvitationsParams; answer: ListInvitationsAnswer }
  /** Invite a person by mail */
  createInvitation: { params: CreateInvitationParams; answer: CreateInvitationAnswer }
  /** Take an invitation back */
  deleteInvitation: { params: DeleteInvitationParams; answer: DeleteInvitationAnswer }
  /** List the labels that all applications share */
  listWorkspaceLabels: { params: ListWorkspaceLabelsParams; answer: ListWorkspaceLabelsAnswer }
  /** Create a label that all applications share */
  createWorkspaceLabel: { params: CreateWorkspaceLabelParams; answer: CreateWorkspaceLabelAnswer }
  /** Get a label of the workspace by id or name */
  getWorkspaceLabel: { params: GetWorkspaceLabelParams; answer: GetWorkspaceLabelAnswer }
  /** Delete a label that all applications share */
  deleteWorkspaceLabel: { params: DeleteWorkspaceLabelParams; answer: DeleteWorkspaceLabelAnswer }
  /** Change a label that all applications share */
  updateWorkspaceLabel: { params: UpdateWorkspaceLabelParams; answer: UpdateWorkspaceLabelAnswer }
  /** Give the workspace a logo */
  replaceWorkspaceLogo: { params: ReplaceWorkspaceLogoParams; answer: ReplaceWorkspaceLogoAnswer }
  /** Take the logo of the workspace away */
  deleteWorkspaceLogo: { params: DeleteWorkspaceLogoParams; answer: DeleteWorkspaceLogoAnswer }
  /** List the members of the workspace */
  listWorkspaceMembers: { params: ListWorkspaceMembersParams; answer: ListWorkspaceMembersAnswer }
  /** Remove a member from the workspace and all its applications */
  deleteWorkspaceMember: { params: DeleteWorkspaceMemberParams; answer: DeleteWorkspaceMemberAnswer }
  /** Change the role of a member */
  updateWorkspaceMember: { params: UpdateWorkspaceMemberParams; answer: UpdateWorkspaceMemberAnswer }
  /** List the mails of the workspace: waiting, sent and failed */
  listMails: { params: ListMailsParams; answer: ListMailsAnswer }
}

/** Method, path and query names of every operation. */
export const operations = {
  listApplications: {
    method: 'GET',
    path: '/api/v1/applications',
    query: ['sort_by', 'sort', 'search', 'page', 'per_page', 'platform'],
    answer: 'json',
  },
  createApplication: { method: 'POST', path: '/api/v1/applications', answer: 'json' },
  getApplication: { method: 'GET', path: '/api/v1/applications/{application_id}', answer: 'json' },
  deleteApplication: { method: 'DELETE', path: '/api/v1/applications/{application_id}', answer: 'json' },
  updateApplication: { method: 'PATCH', path: '/api/v1/applications/{application_id}', answer: 'json' },
  listApplicationApiKeys: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/api-keys',
    query: ['page', 'per_page'],
    answer: 'json',
  },
  createApplicationApiKey: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/api-keys',
    answer: 'json',
  },
  deleteApplicationApiKey: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/api-keys/{api_key_id}',
    answer: 'json',
  },
  listBuilds: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/builds',
    query: [
      'sort_by',
      'sort',
      'page',
      'per_page',
      'platforms',
      'streams',
      'labels',
      'custom_targets',
      'sources',
      'branches',
      'search',
      'created_after',
      'created_before',
    ],
    answer: 'json',
  },
  updateBuilds: { method: 'POST', path: '/api/v1/applications/{application_id}/builds/bulk', answer: 'json' },
  getBuild: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/builds/{build_id}',
    answer: 'json',
  },
  deleteBuild: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/builds/{build_id}',
    answer: 'json',
  },
  updateBuild: {
    method: 'PATCH',
    path: '/api/v1/applications/{application_id}/builds/{build_id}',
    answer: 'json',
  },
  replaceBuildArchitectures: {
    method: 'PUT',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/architectures',
    answer: 'json',
  },
  getBuildDownload: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/download',
    answer: 'json',
  },
  listBuildDownloads: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/downloads',
    query: ['sort_by', 'sort', 'page', 'per_page'],
    answer: 'json',
  },
  getBuildFile: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/file',
    query: ['file_id'],
    answer: 'redirect',
  },
  replaceBuildLabels: {
    method: 'PUT',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/labels',
    answer: 'json',
  },
  listBuildMetadata: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/metadata',
    answer: 'json',
  },
  getBuildMetadata: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/metadata/{artifact_id}',
    answer: 'json',
  },
  deleteBuildMetadata: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/metadata/{artifact_id}',
    answer: 'json',
  },
  getBuildMetadataDownload: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/metadata/{artifact_id}/download',
    answer: 'json',
  },
  restoreBuild: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/restore',
    answer: 'json',
  },
  listBuildShareLinks: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/share-links',
    answer: 'json',
  },
  createBuildShareLink: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/share-links',
    answer: 'json',
  },
  moveBuild: {
    method: 'PUT',
    path: '/api/v1/applications/{application_id}/builds/{build_id}/stream',
    answer: 'json',
  },
  listCustomTargets: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/custom-targets',
    answer: 'json',
  },
  createCustomTarget: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/custom-targets',
    answer: 'json',
  },
  getCustomTarget: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/custom-targets/{target_identifier}',
    answer: 'json',
  },
  deleteCustomTarget: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/custom-targets/{target_identifier}',
    answer: 'json',
  },
  updateCustomTarget: {
    method: 'PATCH',
    path: '/api/v1/applications/{application_id}/custom-targets/{target_identifier}',
    answer: 'json',
  },
  replaceCustomTargetIcon: {
    method: 'PUT',
    path: '/api/v1/applications/{application_id}/custom-targets/{target_identifier}/icon',
    answer: 'json',
  },
  deleteCustomTargetIcon: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/custom-targets/{target_identifier}/icon',
    answer: 'json',
  },
  promoteCustomTarget: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/custom-targets/{target_identifier}/promote',
    answer: 'json',
  },
  replaceApplicationIcon: {
    method: 'PUT',
    path: '/api/v1/applications/{application_id}/icon',
    answer: 'json',
  },
  deleteApplicationIcon: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/icon',
    answer: 'json',
  },
  listLabels: { method: 'GET', path: '/api/v1/applications/{application_id}/labels', answer: 'json' },
  createLabel: { method: 'POST', path: '/api/v1/applications/{application_id}/labels', answer: 'json' },
  getLabel: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/labels/{label_identifier}',
    answer: 'json',
  },
  deleteLabel: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/labels/{label_identifier}',
    answer: 'json',
  },
  updateLabel: {
    method: 'PATCH',
    path: '/api/v1/applications/{application_id}/labels/{label_identifier}',
    answer: 'json',
  },
  promoteLabel: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/labels/{label_identifier}/promote',
    answer: 'json',
  },
  listApplicationMembers: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/members',
    query: ['sort_by', 'sort', 'search', 'page', 'per_page'],
    answer: 'json',
  },
  createApplicationMember: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/members',
    answer: 'json',
  },
  deleteApplicationMember: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/members/{user_id}',
    answer: 'json',
  },
  updateApplicationMember: {
    method: 'PATCH',
    path: '/api/v1/applications/{application_id}/members/{user_id}',
    answer: 'json',
  },
  listPlatforms: { method: 'GET', path: '/api/v1/applications/{application_id}/platforms', answer: 'json' },
  replacePlatforms: {
    method: 'PUT',
    path: '/api/v1/applications/{application_id}/platforms',
    answer: 'json',
  },
  listArchitectures: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/platforms/{platform}/architectures',
    answer: 'json',
  },
  restoreApplication: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/restore',
    answer: 'json',
  },
  listReleases: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/releases',
    query: ['sort_by', 'sort', 'page', 'per_page', 'search', 'labels', 'platforms'],
    answer: 'json',
  },
  createRelease: { method: 'POST', path: '/api/v1/applications/{application_id}/releases', answer: 'json' },
  getRelease: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/releases/{release_id}',
    answer: 'json',
  },
  deleteRelease: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/releases/{release_id}',
    answer: 'json',
  },
  updateRelease: {
    method: 'PATCH',
    path: '/api/v1/applications/{application_id}/releases/{release_id}',
    answer: 'json',
  },
  replaceReleaseBuilds: {
    method: 'PUT',
    path: '/api/v1/applications/{application_id}/releases/{release_id}/builds',
    answer: 'json',
  },
  addReleaseBuild: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/releases/{release_id}/builds/{build_id}',
    answer: 'json',
  },
  removeReleaseBuild: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/releases/{release_id}/builds/{build_id}',
    answer: 'json',
  },
  replaceReleaseLabels: {
    method: 'PUT',
    path: '/api/v1/applications/{application_id}/releases/{release_id}/labels',
    answer: 'json',
  },
  listReleaseShareLinks: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/releases/{release_id}/share-links',
    answer: 'json',
  },
  createReleaseShareLink: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/releases/{release_id}/share-links',
    answer: 'json',
  },
  listStreams: { method: 'GET', path: '/api/v1/applications/{application_id}/streams', answer: 'json' },
  createStream: { method: 'POST', path: '/api/v1/applications/{application_id}/streams', answer: 'json' },
  getStream: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/streams/{stream_identifier}',
    answer: 'json',
  },
  deleteStream: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/streams/{stream_identifier}',
    query: ['move_to'],
    answer: 'json',
  },
  updateStream: {
    method: 'PATCH',
    path: '/api/v1/applications/{application_id}/streams/{stream_identifier}',
    answer: 'json',
  },
  listRetentionPreview: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/streams/{stream_identifier}/retention-preview',
    query: ['sort_by', 'sort', 'page', 'per_page', 'retention_days', 'outcome'],
    answer: 'json',
  },
  listTrustedPublishers: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/trusted-publishers',
    answer: 'json',
  },
  createTrustedPublisher: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/trusted-publishers',
    answer: 'json',
  },
  getTrustedPublisher: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/trusted-publishers/{trusted_publisher_id}',
    answer: 'json',
  },
  deleteTrustedPublisher: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/trusted-publishers/{trusted_publisher_id}',
    answer: 'json',
  },
  updateTrustedPublisher: {
    method: 'PATCH',
    path: '/api/v1/applications/{application_id}/trusted-publishers/{trusted_publisher_id}',
    answer: 'json',
  },
  listWebhooks: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/webhooks',
    query: ['page', 'per_page'],
    answer: 'json',
  },
  createWebhook: { method: 'POST', path: '/api/v1/applications/{application_id}/webhooks', answer: 'json' },
  getWebhook: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/webhooks/{webhook_id}',
    answer: 'json',
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/api/v1/applications/{application_id}/webhooks/{webhook_id}',
    answer: 'json',
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/api/v1/applications/{application_id}/webhooks/{webhook_id}',
    answer: 'json',
  },
  listWebhookRequests: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/webhooks/{webhook_id}/requests',
    query: ['sort_by', 'sort', 'page', 'per_page'],
    answer: 'json',
  },
  getWebhookRequest: {
    method: 'GET',
    path: '/api/v1/applications/{application_id}/webhooks/{webhook_id}/requests/{webhook_request_id}',
    answer: 'json',
  },
  redeliverWebhookRequest: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/webhooks/{webhook_id}/requests/{webhook_request_id}/redeliver',
    answer: 'json',
  },
  testWebhook: {
    method: 'POST',
    path: '/api/v1/applications/{application_id}/webhooks/{webhook_id}/test',
    answer: 'json',
  },
  exchangeToken: { method: 'POST', path: '/api/v1/auth/oidc/token', answer: 'json' },
  listDistributionGroups: {
    method: 'GET',
    path: '/api/v1/distribution-groups',
    query: ['sort_by', 'sort', 'search', 'page', 'per_page'],
    answer: 'json',
  },
  createDistributionGroup: { method: 'POST', path: '/api/v1/distribution-groups', answer: 'json' },
  getDistributionGroup: {
    method: 'GET',
    path: '/api/v1/distribution-groups/{distribution_group_id}',
    answer: 'json',
  },
  deleteDistributionGroup: {
    method: 'DELETE',
    path: '/api/v1/distribution-groups/{distribution_group_id}',
    answer: 'json',
  },
  updateDistributionGroup: {
    method: 'PATCH',
    path: '/api/v1/distribution-groups/{distribution_group_id}',
    answer: 'json',
  },
  listDistributionGroupMembers: {
    method: 'GET',
    path: '/api/v1/distribution-groups/{distribution_group_id}/members',
    query: ['sort_by', 'sort', 'search', 'page', 'per_page'],
    answer: 'json',
  },
  createDistributionGroupMembers: {
    method: 'POST',
    path: '/api/v1/distribution-groups/{distribution_group_id}/members',
    answer: 'json',
  },
  deleteDistributionGroupMember: {
    method: 'DELETE',
    path: '/api/v1/distribution-groups/{distribution_group_id}/members/{member_id}',
    answer: 'json',
  },
  removeDistributionGroupMembers: {
    method: 'POST',
    path: '/api/v1/distribution-groups/{distribution_group_id}/members/remove',
    answer: 'json',
  },
  listDistributionGroupReleases: {
    method: 'GET',
    path: '/api/v1/distribution-groups/{distribution_group_id}/releases',
    query: ['sort_by', 'sort', 'page', 'per_page'],
    answer: 'json',
  },
  addDistributionGroupRelease: {
    method: 'POST',
    path: '/api/v1/distribution-groups/{distribution_group_id}/releases',
    answer: 'json',
  },
  removeDistributionGroupRelease: {
    method: 'DELETE',
    path: '/api/v1/distribution-groups/{distribution_group_id}/releases/{release_id}',
    answer: 'json',
  },
  acceptInvitation: { method: 'POST', path: '/api/v1/invitations/{token}/accept', answer: 'json' },
  listPortals: { method: 'GET', path: '/api/v1/portals', query: ['page', 'per_page'], answer: 'json' },
  createPortal: { method: 'POST', path: '/api/v1/portals', answer: 'json' },
  getPortal: { method: 'GET', path: '/api/v1/portals/{portal_id}', answer: 'json' },
  deletePortal: { method: 'DELETE', path: '/api/v1/portals/{portal_id}', answer: 'json' },
  updatePortal: { method: 'PATCH', path: '/api/v1/portals/{portal_id}', answer: 'json' },
  replacePortalApplication: {
    method: 'PUT',
    path: '/api/v1/portals/{portal_id}/applications/{application_id}',
    answer: 'json',
  },
  deletePortalApplication: {
    method: 'DELETE',
    path: '/api/v1/portals/{portal_id}/applications/{application_id}',
    answer: 'json',
  },
  verifyPortalDomain: {
    method: 'POST',
    path: '/api/v1/portals/{portal_id}/custom-domain/verify',
    answer: 'json',
  },
  replacePortalIcon: { method: 'PUT', path: '/api/v1/portals/{portal_id}/icon', answer: 'json' },
  deletePortalIcon: { method: 'DELETE', path: '/api/v1/portals/{portal_id}/icon', answer: 'json' },
  listPortalReleases: {
    method: 'GET',
    path: '/api/v1/portals/{portal_id}/releases',
    query: ['page', 'per_page'],
    answer: 'json',
  },
  publishPortalRelease: { method: 'POST', path: '/api/v1/portals/{portal_id}/releases', answer: 'json' },
  withdrawPortalRelease: {
    method: 'DELETE',
    path: '/api/v1/portals/{portal_id}/releases/{release_id}',
    answer: 'json',
  },
  openGroupLink: {
    method: 'GET',
    path: '/api/v1/public/group-links/{group_link_id}/{group_link_token}',
    answer: 'json',
  },
  downloadGroupBuild: {
    method: 'GET',
    path: '/api/v1/public/group-links/{group_link_id}/{group_link_token}/download',
    query: ['build_id'],
    answer: 'redirect',
  },
  createGroupDownload: {
    method: 'POST',
    path: '/api/v1/public/group-links/{group_link_id}/{group_link_token}/downloads',
    answer: 'json',
  },
  getIcon: { method: 'GET', path: '/api/v1/public/icons/{icon_id}', answer: 'bytes' },
  openShareLink: {
    method: 'GET',
    path: '/api/v1/public/share-links/{share_link_id}/{share_token}',
    answer: 'json',
  },
  downloadLinkBuild: {
    method: 'GET',
    path: '/api/v1/public/share-links/{share_link_id}/{share_token}/download',
    query: ['build_id', 'grant'],
    answer: 'redirect',
  },
  createLinkDownload: {
    method: 'POST',
    path: '/api/v1/public/share-links/{share_link_id}/{share_token}/downloads',
    answer: 'json',
  },
  createShareGrant: {
    method: 'POST',
    path: '/api/v1/public/share-links/{share_link_id}/{share_token}/grants',
    answer: 'json',
  },
  deleteShareLink: { method: 'DELETE', path: '/api/v1/share-links/{share_link_id}', answer: 'json' },
  updateShareLink: { method: 'PATCH', path: '/api/v1/share-links/{share_link_id}', answer: 'json' },
  abortUpload: { method: 'POST', path: '/api/v1/upload/abort', answer: 'json' },
  requestMetadataUpload: { method: 'POST', path: '/api/v1/upload/metadata/request', answer: 'json' },
  verifyMetadataUpload: { method: 'POST', path: '/api/v1/upload/metadata/verify', answer: 'json' },
  requestUpload: { method: 'POST', path: '/api/v1/upload/request', answer: 'json' },
  requestUploadPart: { method: 'POST', path: '/api/v1/upload/request/multipart', answer: 'json' },
  requestExpansionUploadPart: {
    method: 'POST',
    path: '/api/v1/upload/request/multipart/expansion',
    answer: 'json',
  },
  verifyUpload: { method: 'POST', path: '/api/v1/upload/verify', answer: 'json' },
  getUpload: { method: 'GET', path: '/api/v1/upload/{pending_upload_id}', answer: 'json' },
  getUser: { method: 'GET', path: '/api/v1/users/{user_id}', answer: 'json' },
  getWorkspace: { method: 'GET', path: '/api/v1/workspace', answer: 'json' },
  updateWorkspace: { method: 'PATCH', path: '/api/v1/workspace', answer: 'json' },
  listWorkspaceApiKeys: {
    method: 'GET',
    path: '/api/v1/workspace/api-keys',
    query: ['page', 'per_page'],
    answer: 'json',
  },
  createWorkspaceApiKey: { method: 'POST', path: '/api/v1/workspace/api-keys', answer: 'json' },
  deleteWorkspaceApiKey: {
    method: 'DELETE',
    path: '/api/v1/workspace/api-keys/{api_key_id}',
    answer: 'json',
  },
  listAuditLog: {
    method: 'GET',
    path: '/api/v1/workspace/audit-log',
    query: [
      'sort_by',
      'sort',
      'page',
      'per_page',
      'actor',
      'action',
      'subject_type',
      'subject_id',
      'application',
      'created_after',
      'created_before',
    ],
    answer: 'json',
  },
  listWorkspaceCustomTargets: { method: 'GET', path: '/api/v1/workspace/custom-targets', answer: 'json' },
  createWorkspaceCustomTarget: { method: 'POST', path: '/api/v1/workspace/custom-targets', answer: 'json' },
  getWorkspaceCustomTarget: {
    method: 'GET',
    path: '/api/v1/workspace/custom-targets/{target_identifier}',
    answer: 'json',
  },
  deleteWorkspaceCustomTarget: {
    method: 'DELETE',
    path: '/api/v1/workspace/custom-targets/{target_identifier}',
    answer: 'json',
  },
  updateWorkspaceCustomTarget: {
    method: 'PATCH',
    path: '/api/v1/workspace/custom-targets/{target_identifier}',
    answer: 'json',
  },
  replaceWorkspaceCustomTargetIcon: {
    method: 'PUT',
    path: '/api/v1/workspace/custom-targets/{target_identifier}/icon',
    answer: 'json',
  },
  deleteWorkspaceCustomTargetIcon: {
    method: 'DELETE',
    path: '/api/v1/workspace/custom-targets/{target_identifier}/icon',
    answer: 'json',
  },
  listDefaultStreams: { method: 'GET', path: '/api/v1/workspace/default-streams', answer: 'json' },
  createDefaultStream: { method: 'POST', path: '/api/v1/workspace/default-streams', answer: 'json' },
  deleteDefaultStream: {
    method: 'DELETE',
    path: '/api/v1/workspace/default-streams/{default_stream_id}',
    answer: 'json',
  },
  updateDefaultStream: {
    method: 'PATCH',
    path: '/api/v1/workspace/default-streams/{default_stream_id}',
    answer: 'json',
  },
  listInvitations: {
    method: 'GET',
    path: '/api/v1/workspace/invitations',
    query: ['page', 'per_page'],
    answer: 'json',
  },
  createInvitation: { method: 'POST', path: '/api/v1/workspace/invitations', answer: 'json' },
  deleteInvitation: {
    method: 'DELETE',
    path: '/api/v1/workspace/invitations/{invitation_id}',
    answer: 'json',
  },
  listWorkspaceLabels: { method: 'GET', path: '/api/v1/workspace/labels', answer: 'json' },
  createWorkspaceLabel: { method: 'POST', path: '/api/v1/workspace/labels', answer: 'json' },
  getWorkspaceLabel: { method: 'GET', path: '/api/v1/workspace/labels/{label_identifier}', answer: 'json' },
  deleteWorkspaceLabel: {
    method: 'DELETE',
    path: '/api/v1/workspace/labels/{label_identifier}',
    answer: 'json',
  },
  updateWorkspaceLabel: {
    method: 'PATCH',
    path: '/api/v1/workspace/labels/{label_identifier}',
    answer: 'json',
  },
  replaceWorkspaceLogo: { method: 'PUT', path: '/api/v1/workspace/logo', answer: 'json' },
  deleteWorkspaceLogo: { method: 'DELETE', path: '/api/v1/workspace/logo', answer: 'json' },
  listWorkspaceMembers: {
    method: 'GET',
    path: '/api/v1/workspace/members',
    query: ['sort_by', 'sort', 'search', 'page', 'per_page'],
    answer: 'json',
  },
  deleteWorkspaceMember: { method: 'DELETE', path: '/api/v1/workspace/members/{user_id}', answer: 'json' },
  updateWorkspaceMember: { method: 'PATCH', path: '/api/v1/workspace/members/{user_id}', answer: 'json' },
  listMails: {
    method: 'GET',
    path: '/api/v1/workspace/outbox',
    query: ['page', 'per_page', 'sort_by', 'sort', 'state'],
    answer: 'json',
  },
} as const
