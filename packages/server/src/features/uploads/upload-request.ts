import { Type, type Static } from 'typebox'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { platforms } from '../../catalog/platforms.ts'
import { uploadSources } from '../../catalog/upload-sources.ts'
import { versionControlHosts } from '../../catalog/version-control-hosts.ts'
import { versionControlTypes } from '../../catalog/version-control-types.ts'
import { Nullable } from '../../http/fields.ts'
import { buildMetadataPattern, prereleasePattern } from '../../lib/semver.ts'

const optionalText = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description === undefined ? {} : { description }) }))

const versionRange = { minimum: 0, maximum: 9999 }
const versionPart = Type.Integer(versionRange)

export const largestFileBytes = 500_000_000_000

const FileToUpload = Type.Object(
  {
    filename: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'At most 255 bytes, without a path. Its ending is of a type that the platform takes: GET /applications/{application_id}/platforms tells of them in upload_instruction, a refusal names them.',
    }),
    size_bytes: Type.Integer({ minimum: 1, maximum: largestFileBytes }),
  },
  { title: 'FileToUpload' },
)

export const UploadRequest = Type.Object(
  {
    application_id: optionalText(255, 'Needed with a workspace key.'),
    structure: Type.Optional(
      Type.Enum(['file', 'file+expansion'], {
        default: 'file',
        description: 'file+expansion: with one in expansion_files; an .apk of android takes an .obb.',
      }),
    ),
    platform: Type.String({
      maxLength: 50,
      description: `One that is attached to the application, of: ${identifiersOf(platforms)}.`,
    }),
    stream: Type.String({
      maxLength: 255,
      description:
        'Exact name of an active stream; a new application has default, nightlies and stable unless the workspace says otherwise.',
    }),
    custom_target: optionalText(255, 'Name or id of a custom target.'),
    source: Type.String({
      maxLength: 50,
      description: `What sends the build: ${identifiersOf(uploadSources)}.`,
    }),
    primary_file: FileToUpload,
    expansion_files: Type.Optional(Type.Array(FileToUpload, { maxItems: 1 })),
    version_component_1_major: Type.Integer({
      ...versionRange,
      description: 'At least one of the three version numbers is above 0.',
    }),
    version_component_2_minor: versionPart,
    version_component_3_patch: versionPart,
    version_component_extra: Type.Optional(
      Type.String({
        maxLength: 25,
        pattern: prereleasePattern,
        description: 'SemVer pre-release identifiers such as beta.2.',
        patternMessage: 'must be SemVer pre-release identifiers such as "beta.2".',
      }),
    ),
    version_component_meta: Type.Optional(
      Type.String({
        maxLength: 64,
        pattern: buildMetadataPattern,
        description: 'SemVer build identifiers such as build.7.',
        patternMessage: 'must be SemVer build identifiers such as "build.7".',
      }),
    ),
    custom_build_number: optionalText(100),
    labels: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 10,
        description: 'Names; new ones are created.',
      }),
    ),
    architectures: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 15,
        description:
          'Identifiers: GET /applications/{application_id}/platforms/{platform}/architectures lists them.',
      }),
    ),
    ci_pipeline: optionalText(255, 'Name of the pipeline.'),
    ci_pipeline_url: optionalText(2000),
    ci_run_id: optionalText(255),
    ci_run_url: optionalText(2000),
    ci_build_duration: optionalText(50, 'HH:MM:SS; 15m30s and the like are understood.'),
    vc_host_type: optionalText(50, `Of: ${identifiersOf(versionControlTypes)}.`),
    vc_host: optionalText(50, `Of: ${identifiersOf(versionControlHosts)}.`),
    vc_repo_name: optionalText(255),
    vc_repo_url: optionalText(2000),
    vc_branch: optionalText(255),
    vc_commit_sha: optionalText(64),
    vc_commit_url: optionalText(2000),
    notes: optionalText(1000),
    built_at: optionalText(40, 'ISO 8601.'),
  },
  { title: 'UploadRequest' },
)
export type UploadRequest = Static<typeof UploadRequest>

const FileToSend = Type.Object(
  {
    filename: Type.String(),
    presigned_data: Nullable(
      Type.Object(
        {
          url: Type.String(),
          headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent with the PUT.' }),
        },
        { description: 'One PUT for the whole file; null above 5 GiB.' },
      ),
    ),
    chunked_upload: Type.Boolean({ description: 'Whether an upload in parts is advised.' }),
    chunked_number_parts: Nullable(Type.Integer()),
    chunked_part_size_mb: Nullable(Type.Integer({ description: 'MiB' })),
  },
  { title: 'FileToSend' },
)
export type FileToSend = Static<typeof FileToSend>

export const RequestedUpload = Type.Object({
  message: Type.String(),
  pending_upload_id: Type.String(),
  primary_file: FileToSend,
  expansion_files: Type.Array(FileToSend),
})
