export type Resource = 'application' | 'build' | 'release'
export type Place =
  | 'the update operation'
  | 'the command line'
  | 'the import of the command line'
  | 'the console'

const versionParts = [
  'version_semantic_extra',
  'version_semantic_major',
  'version_semantic_meta',
  'version_semantic_minor',
  'version_semantic_patch',
]
const commitFields = [
  'vc_branch',
  'vc_commit_sha',
  'vc_commit_url',
  'vc_host',
  'vc_host_type',
  'vc_repo_name',
  'vc_repo_url',
]
const unused = {
  'The creation time says what people need.': ['updated_at'],
  'A key and a session belong to one workspace.': ['workspace_id'],
}
const isVersion = 'The update takes the parts of the version in the fields version_component_….'
const isFixed = 'The server sets it.'
const isDerived = 'It is derived from other fields or from the file.'
const isShownWithOther = 'People see the same in another form.'

/** The fields of the API that a place leaves out, by reason. */
export const leftOut: Record<Place, Record<Resource, Record<string, readonly string[]>>> = {
  'the update operation': {
    application: {
      [isFixed]: ['created_at', 'id', 'updated_at', 'workspace_id'],
      [isDerived]: ['build_count', 'physical_bytes', 'physical_string', 'storage_usage'],
      'An operation of its own changes it.': ['icon_url', 'platforms'],
    },
    build: {
      [isFixed]: ['application_id', 'created_at', 'id', 'updated_at', 'workspace_id', 'pending', 'links'],
      [isDerived]: [
        'android_info',
        'download_url',
        'expires_at',
        'file_info',
        'icon_url',
        'ios_info',
        'kept_by',
        'metadata_total_bytes',
        'modal_url',
        'pending_processing',
        'processing',
        'processing_error',
        'reused_bytes',
        'size_total_bytes',
        'size_total_string',
        'version_short',
      ],
      'It says where the build comes from, which nobody may change later.': [
        'build_source',
        'built_at',
        'ci_build_duration',
        'ci_pipeline',
        'ci_pipeline_url',
        'ci_run_id',
        'ci_run_url',
        'scm',
        'source',
        ...commitFields,
      ],
      'The files of a build never change.': [
        'build_structure',
        'expansion_files',
        'platform',
        'primary_file',
        'resume_pending_upload_id',
        'structure',
      ],
      'Artifacts have operations of their own.': ['metadata_artifacts'],
      'The update calls it custom_build_number.': ['build_number'],
      [isVersion]: ['version', ...versionParts],
    },
    release: {
      [isFixed]: ['application_id', 'created_at', 'id', 'updated_at', 'workspace_id'],
      [isDerived]: ['build_count', 'platforms', 'version_short'],
      'Publishing, scheduling and withdrawing are operations of their own.': [
        'draft',
        'published_at',
        'scheduled_for',
        'status',
        'withdrawn_at',
      ],
      'An operation of its own changes it.': ['build_ids', 'builds'],
      [isVersion]: ['version', ...versionParts],
    },
  },
  'the command line': { application: unused, build: unused, release: unused },
  'the import of the command line': {
    application: {
      ...unused,
      [isDerived]: ['build_count', 'physical_bytes', 'physical_string', 'storage_usage'],
      'The credentials of a custom store are not exported.': ['custom_store_enabled'],
    },
    build: {
      ...unused,
      'The server reads it from the file again.': [
        'android_info',
        'file_info',
        'ios_info',
        'processing',
        'processing_error',
        'pending_processing',
        'size_total_string',
      ],
      'What keeps a build is imported, and keeps it again.': ['kept_by'],
      'Every import continues its uploads itself.': ['pending', 'resume_pending_upload_id'],
      'It is read with the other files of the build.': ['metadata_artifacts'],
      [isDerived]: ['modal_url', 'reused_bytes', 'version_short'],
    },
    release: {
      ...unused,
      [isDerived]: ['build_count', 'version_short'],
      'The API does not accept times in the past.': ['withdrawn_at'],
    },
  },
  'the console': {
    application: { [isShownWithOther]: ['physical_string'] },
    build: {
      'The files say how the build is structured.': ['build_structure', 'structure'],
      [isShownWithOther]: [
        'metadata_total_bytes',
        'pending_processing',
        'size_total_string',
        ...versionParts,
      ],
      'CI systems send it. Uploads of a browser have no commit.': commitFields,
    },
    release: { [isShownWithOther]: versionParts },
  },
}
