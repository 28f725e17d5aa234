import { Type, type Static } from 'typebox'
import { Nullable, SizeBytes, Timestamp } from '../../http/fields.ts'
import { CustomTarget } from '../custom-targets/custom-target.ts'
import { Label } from '../labels/label.ts'
import { MetadataArtifact } from '../metadata-artifacts/metadata-artifact.ts'
import { Architecture, Platform } from '../platforms/platform.ts'
import { Stream } from '../streams/stream.ts'
import { File } from './file.ts'

const text = Nullable(Type.String())

const CiPipeline = Type.Object(
  {
    ci_pipeline_name: text,
    ci_pipeline_url: text,
    ci_run_id: text,
    ci_run_url: text,
    ci_build_duration: Nullable(Type.String({ description: 'HH:MM:SS' })),
  },
  { title: 'CiPipeline' },
)

const Scm = Type.Object(
  {
    scm_host_type: text,
    scm_host: text,
    scm_repo_name: text,
    scm_repo_url: text,
    scm_branch: text,
    scm_commit_sha: text,
    scm_commit_sha_short: text,
    scm_commit_url: text,
  },
  { title: 'Scm' },
)

export const versionFields = {
  version: Type.String({ description: 'Full semantic version.' }),
  version_short: Type.String({ description: 'major.minor.patch' }),
  version_semantic_major: Type.Integer(),
  version_semantic_minor: Type.Integer(),
  version_semantic_patch: Type.Integer(),
  version_semantic_extra: text,
  version_semantic_meta: text,
}

const fields = {
  id: Type.String(),
  build_structure: Type.Enum(['file', 'file+expansion']),
  ...versionFields,
  build_number: text,
  platform: Platform,
  stream: Stream,
  custom_target: Nullable(CustomTarget),
  labels: Type.Array(Label),
  architectures: Type.Array(Architecture),
  notes: text,
  size_total_bytes: SizeBytes,
  size_total_string: Type.String(),
  metadata_total_bytes: SizeBytes,
  build_source: Type.String(),
  ci_pipeline: CiPipeline,
  scm: Scm,
  pending: Type.Boolean(),
  processing_error: text,
  keep_forever: Type.Boolean(),
  expires_at: Nullable(Timestamp),
  modal_url: Type.String(),
  download_url: Type.String(),
  built_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Build = Type.Object(fields, { title: 'Build' })

// What is read from the file comes with the readers of mobile packages.
const FileInfo = Nullable(Type.Object({}))

export const FullBuild = Type.Object(
  {
    ...fields,
    application_id: Type.String(),
    workspace_id: Type.String(),
    primary_file: File,
    expansion_files: Type.Array(File),
    metadata_artifacts: Type.Array(MetadataArtifact),
    ios_info: FileInfo,
    android_info: FileInfo,
  },
  { title: 'FullBuild' },
)
export type FullBuild = Static<typeof FullBuild>
