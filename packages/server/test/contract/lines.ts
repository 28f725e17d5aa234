import { resourceSections, type Section } from './resource-lines.ts'

const sections: Readonly<Record<string, Section>> = {
  ...resourceSections,
  '3': {
    title: 'Life of a build',
    lines: {
      'pending build': 'An upload becomes a listed build when every file is stored and verify succeeds.',
      'build just verified':
        'Every build can be downloaded as soon as verify succeeds. `pending_processing` is true for .apk, .aab and .ipa files until their metadata has been read.',
      'list without pending builds': 'The build list contains no pending builds.',
      'listed after verify': 'A build is listed as soon as verify succeeds.',
      'webhook flags': 'A webhook has the flags `is_active` and `in_error_state`.',
    },
  },
  '4.1': {
    title: 'Endpoints',
    lines: {
      'GET /applications':
        'Returns a paginated list of applications. Workspace keys need `applications:read`.',
      'GET /applications/{application_id}':
        'Returns an application with `build_count`. Workspace keys need `applications:read`.',
      'GET /applications/{application_id}/members':
        'Returns a paginated list of members. Requires `applications:read`, or `members:read` with an application key.',
      'GET /applications/{application_id}/platforms':
        'Lists platforms. Requires `applications:read`, or `application:read` with an application key.',
      'GET /applications/{application_id}/labels':
        'Lists the labels of the application and of its workspace.',
      'GET /applications/{application_id}/streams': 'Lists active streams.',
      'GET /applications/{application_id}/custom-targets/{target_identifier}':
        'Returns a custom target of the application or its workspace, by UUID or name.',
      'GET /applications/{application_id}/builds':
        'Returns a paginated list of builds. Requires `builds:read`.',
      'GET /applications/{application_id}/builds/{build_id}/metadata':
        'Lists metadata artifacts. Requires `builds:read`.',
      'GET /applications/{application_id}/builds/{build_id}/metadata/{artifact_id}':
        'Returns a metadata artifact. Requires `builds:read`.',
      'GET /applications/{application_id}/releases':
        'Returns a paginated list of releases. Requires `releases:read`.',
      'GET /applications/{application_id}/releases/{release_id}':
        'Returns a release with its notes and builds. Requires `releases:read`.',
      'GET /applications/{application_id}/webhooks':
        'Returns a paginated list of webhooks. Requires `webhooks:read`.',
      'GET /applications/{application_id}/webhooks/{webhook_id}':
        'Returns a webhook with `latest_webhook_request`. Requires `webhooks:read`.',
      'GET /workspace/labels': 'Lists the labels of the workspace. Requires `workspace:read`.',
      'GET /workspace/labels/{label_identifier}':
        'Returns a label of the workspace, by ID or name. Requires `workspace:read`.',
      'GET /workspace/default-streams': 'Lists the default streams. Requires `workspace:read`.',
      'POST /upload/request': 'Starts an upload. Requires `builds:create`.',
      'POST /upload/request/multipart': 'Returns the URL for a part of a file. Requires `builds:create`.',
      'POST /upload/verify': 'Turns a complete upload into a build. Requires `builds:create`.',
      'POST /upload/metadata/verify':
        'Adds an uploaded metadata artifact to its build. Requires `builds:create`.',
      'path parameters': 'Paths accept IDs, and for streams, labels and custom targets also names.',
      'GET /workspace': 'Returns the workspace. Requires no scope.',
    },
  },
  '4.2': {
    title: 'Query parameters of lists',
    lines: {
      'applications.sort_by': '`name` (default), `created_at` or `updated_at`.',
      'applications.sort': '`asc` (default) or `desc`.',
      'applications.search': 'At most 50 characters, searched in name, description and ID.',
      'applications.per_page': '1 to 100, default 10.',
      'applications.platform': 'One platform slug; 422 if it is unknown.',
      'members.sort_by': '`name` (default), `email`, `role` or `resolved_role`.',
      'members.sort': '`asc` (default) or `desc`.',
      'members.search': 'At most 50 characters, searched in name and email.',
      'members.per_page': '1 to 100, default 15.',
      'builds.sort_by':
        '`version`, `version_short`, `size_total_bytes`, `built_at` or `created_at` (default).',
      'builds.sort': '`asc` (default) or `desc`.',
      'builds.per_page': '1 to 100, default 15.',
      'builds.platforms': 'Platform slugs; 422 if any is unknown.',
      'builds.streams': 'IDs or names of streams; 422 if any is unknown.',
      'builds.labels': 'IDs or names of labels; 422 if any is unknown.',
      'builds.custom_targets':
        'IDs or names of custom targets; 422 if any is unknown. Ignored, with a message, if custom targets are disabled.',
      'releases.sort_by': '`version`, `version_short`, `title` or `created_at` (default).',
      'releases.sort': '`asc` (default) or `desc`.',
      'releases.per_page': '1 to 100, default 15.',
      'releases.search': 'At most 50 characters, searched in title, ID and version.',
      'releases.labels': 'IDs or names of labels; 422 if any is unknown.',
      'releases.platforms': 'Platform slugs of the builds in a release; 422 if any is unknown.',
      'webhooks.per_page': '1 to 100, default 15.',
      'keys and applications':
        'A workspace key lists every application, an application key only its own application.',
    },
  },
  '4.3': {
    title: 'Requesting an upload',
    lines: {
      'request.application_id': 'Required with a workspace key, optional with an application key.',
      'request.structure': '`file` (default), or `file+expansion`, which requires an expansion file.',
      'request.platform': 'Required, a platform slug.',
      'request.stream': 'Required, the exact name of an existing stream.',
      'request.source': 'Required, a source slug.',
      'request.primary_file': 'Required, with `filename` and `size_bytes`.',
      'request.expansion_files': 'Allowed only with `file+expansion`.',
      'request.version_component_1_major': 'Required, an integer.',
      'request.version_component_2_minor': 'Required, an integer.',
      'request.version_component_3_patch': 'Required, an integer.',
      'request.version_component_extra': 'Optional pre-release part of the version.',
      'request.version_component_meta': 'Optional metadata part of the version.',
      'request.custom_build_number': 'Optional build number in any format.',
      'request.labels': 'Optional names of labels; labels that do not exist are created.',
      'request.architectures': 'Optional architectures; the platform must support each of them.',
      'request.ci_pipeline': 'Optional name of the CI pipeline.',
      'request.ci_run_id': 'Optional ID of the CI run.',
      'request.ci_run_url': 'Optional URL of the CI run.',
      'request.ci_build_duration': 'Optional duration as `HH:MM:SS`.',
      'request.vc_host_type': 'Optional slug of the version control system.',
      'request.vc_host': 'Optional slug of the version control host.',
      'request.vc_repo_name, vc_repo_url, vc_branch, vc_commit_sha, vc_commit_url':
        'Optional repository, branch and commit.',
      'request.notes': 'Optional notes.',
      'source slugs':
        'There are 23 sources, including `web-upload` and `cli-upload`; at least 23 hosts; and the types `git`, `svn`, `hg`, `bzr`, `fossil`, `darcs`, `cvs` and `monotone`.',
      'response.message': 'string',
      'response.pending_upload_id': 'UUID',
      'response.primary_file':
        'Object with `filename`, `presigned_data`, `chunked_upload`, `chunked_number_parts` and `chunked_part_size_mb`.',
      'response.expansion_files': 'Array of the same objects, empty without expansion files.',
      'whole file':
        'A file with `chunked_upload: false` is sent in one PUT with the headers of `presigned_data`.',
      'multipart above 5 GB': 'A file above 5 GiB must be sent in parts; a smaller file can be.',
      ETag: 'Each successful PUT returns an ETag.',
      'expansion file': 'An expansion file is uploaded like the primary file.',
      '422': 'An invalid request returns the validation error of section 7.',
    },
  },
  '4.4': {
    title: 'Uploading in parts',
    lines: {
      'part request':
        'Requires `pending_upload_id`, `part_number` (from 1) and `content_length`; returns `part_presigned_url`. Parts can be sent in parallel.',
    },
  },
  '4.5': {
    title: 'Verifying an upload',
    lines: {
      'verify request':
        'Requires `pending_upload_id`, and for a file sent in parts `multipart_chunks` with every part and its exact ETag.',
      'verify too early': 'Fails until every file is uploaded.',
      'verify response':
        'Returns `message`, `pending_processing`, `build_id`, `build_info_url`, `download_url` and `build`.',
    },
  },
  '4.6': {
    title: 'Verifying a metadata artifact',
    lines: {
      'metadata verify':
        'Requires `pending_upload_id`; returns `message`, `metadata_artifact_id` and `build_id`.',
    },
  },
  '5': {
    title: 'Keys and scopes',
    lines: {
      bearer: 'Every request except those to public endpoints sends `Authorization: Bearer <key>`.',
      'two kinds of key':
        'Uploads accept application keys, and workspace keys together with `application_id`.',
      'hierarchical levels': '`write` includes `create`, and `create` includes `read`.',
      'missing scope': 'A key without the required scope gets 403.',
      'application keys': 'An application key can access only its own application.',
      'workspace-only scopes':
        '`workspace:read` and the member scopes of a workspace are available to workspace keys only.',
      'workspace:read': 'Allows reading labels, default streams and custom targets of the workspace.',
      'members:read': 'Allows listing workspace members.',
      'applications:read / create / write':
        '`read` allows viewing applications, `create` allows creating them, and `write` allows changing them and their streams, labels and platforms.',
      'builds:read / create / write':
        '`read` allows viewing and downloading builds, `create` allows uploading them, and `write` allows updating and deleting them.',
      'releases:read / create / write':
        '`read` allows viewing releases, `create` allows creating them, and `write` allows updating and deleting them.',
      'share_links:read / create / write':
        '`read` allows listing share links, `create` allows creating them, and `write` allows deleting them.',
      'distribution_groups:read / create / write':
        '`read` allows viewing distribution groups, `create` allows creating them, and `write` allows updating and deleting them and adding releases.',
      'portals:read / write':
        '`read` allows viewing portals, and `write` allows updating and deleting them and publishing and removing releases.',
      'webhooks:read / create / write':
        '`read` allows viewing webhooks and their requests, `create` allows creating them, and `write` allows updating, testing and deleting them.',
      'application:read / application:write':
        'Allow an application key to view and to update its own application.',
      'application members:read / members:write / members:create':
        'Allow an application key to list members, update their roles and invite them.',
      'application builds, releases, share_links, webhooks':
        'Give an application key the same access as a workspace key, limited to its application.',
    },
  },
  '7': {
    title: 'Errors',
    lines: {
      'message in every error': 'Every error body has a `message`.',
      '401': 'A missing or invalid key returns 401 with the message `Unauthorized`.',
      '403':
        "A missing scope returns 403 with the message `This action requires '<resource>:<level>' scope.`",
      '422':
        'Invalid input returns 422 with a `message`, and for upload requests also with `errors` by field.',
      'unknown platform in build list':
        'An unknown platform slug in the build list returns 422 with a message that names it.',
      'unknown platform in application list':
        'An unknown platform slug in the application list returns 422 with a message that names it.',
    },
  },
  '8': {
    title: 'Limits',
    lines: {
      per_page: 'Every paginated list accepts 1 to 100 items per page.',
      'per_page default':
        'By default, a page has 10 applications, or 15 members, builds, releases or webhooks.',
      'search length': 'A search in applications, members or releases has at most 50 characters.',
      'single-part upload': 'A file of at most 5 GiB can be sent in one PUT.',
      'multipart upload': 'A file above 5 GiB must be sent in parts.',
      'part number': 'Part numbers start at 1.',
    },
  },
}

/** The sections of the contract with their numbers, in order. */
export const contractSections: readonly (readonly [string, Section])[] = Object.entries(sections).toSorted(
  ([a], [b]) => a.localeCompare(b, 'en', { numeric: true }),
)

/** The text of each line, keyed by the name that tests use: §<section> <name>. */
export const contractLines: ReadonlyMap<string, string> = new Map(
  contractSections.flatMap(([section, { lines }]) =>
    Object.entries(lines).map(([name, text]) => [`§${section} ${name}`, text] as const),
  ),
)
