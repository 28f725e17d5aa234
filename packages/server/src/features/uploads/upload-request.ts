import { Type, type Static } from 'typebox'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { platforms } from '../../catalog/platforms.ts'
import { uploadSources } from '../../catalog/upload-sources.ts'
import { versionControlHosts, versionControlTypes } from '../../catalog/version-control.ts'
import { pathSegment, reference, reported } from '../../http/endpoint/fields.ts'
import { lenientVersionParts, type VersionColumns } from '../../http/endpoint/version-parts.ts'

const optionalText = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description === undefined ? {} : { description }) }))

export const maxFileBytes = 500_000_000_000
/** The S3 limit for a single PUT. */
export const maxPutBytes = 5 * 1024 ** 3
/** The S3 limit for the parts of a multipart upload. */
export const maxParts = 10_000

/** The parts of all files of an upload with their ETags. */
export const MultipartChunks = Type.Optional(
  Type.Array(
    Type.Object({
      PartNumber: Type.Integer({ minimum: 1, maximum: maxParts }),
      ETag: Type.String({ minLength: 1, maxLength: 200, description: 'With or without quotes.' }),
    }),
    { maxItems: 20_000 },
  ),
)

const keptAsSent =
  'Any text is accepted and stored as sent, except that credentials are removed. If it refers to a web page, the `links` of the build contain the URL.'

const FileToUpload = Type.Object(
  {
    filename: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'File name without a path, at most 255 bytes. The platform must accept its extension (`generic` accepts every file): see `upload_instruction` in `GET /applications/{application_id}/platforms`. The error for any other extension lists the accepted extensions.',
    }),
    size_bytes: Type.Integer({ minimum: 1, maximum: maxFileBytes }),
  },
  { title: 'FileToUpload' },
)

export const UploadRequest = Type.Object(
  {
    application_id: optionalText(255, 'Required with a workspace key.'),
    structure: Type.Optional(
      Type.Enum(['file', 'file+expansion'], {
        default: 'file',
        description:
          '`file+expansion` requires one file in `expansion_files`: an Android .apk accepts an .obb file.',
      }),
    ),
    platform: Type.String({
      maxLength: 50,
      description: `A platform that is attached to the application. One of: ${identifiersOf(platforms)}.`,
    }),
    stream: reference(
      255,
      'Exact name of a stream. A new application has the streams `default`, `nightlies` and `stable`, unless the workspace defines other default streams.',
    ),
    custom_target: Type.Optional(reference(255, 'ID or name of a custom target.')),
    source: Type.String({
      maxLength: 50,
      description: `Tool that uploads the build. One of: ${identifiersOf(uploadSources)}.`,
    }),
    primary_file: FileToUpload,
    expansion_files: Type.Optional(Type.Array(FileToUpload, { maxItems: 1 })),
    ...lenientVersionParts,
    custom_build_number: Type.Optional(
      Type.String({ maxLength: 100, takesNumbers: true, description: 'Build number in any format.' }),
    ),
    labels: Type.Optional(
      Type.Array(Type.String({ maxLength: 50, textKind: 'name', ...pathSegment }), {
        maxItems: 10,
        description: 'IDs or names of labels. Labels that do not exist yet are created.',
      }),
    ),
    architectures: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 15,
        description:
          'Architecture identifiers. `GET /applications/{application_id}/platforms/{platform}/architectures` lists the supported architectures.',
      }),
    ),
    ci_pipeline: reported(255, 'Name of the pipeline.'),
    ci_pipeline_url: reported(2000, `Address of the pipeline. ${keptAsSent}`),
    ci_run_id: reported(255, 'ID of the CI run.'),
    ci_run_url: reported(2000, `Address of the CI run. ${keptAsSent}`),
    ci_build_duration: reported(
      50,
      'Build duration as HH:MM:SS. Other formats such as 15m30s are converted; text that is not a duration is ignored.',
    ),
    vc_host_type: optionalText(50, `Version control system. One of: ${identifiersOf(versionControlTypes)}.`),
    vc_host: optionalText(50, `Version control host. One of: ${identifiersOf(versionControlHosts)}.`),
    vc_repo_name: reported(255, 'Name of the repository.'),
    vc_repo_url: reported(2000, `Address of the repository. ${keptAsSent}`),
    vc_branch: reported(255, 'Name of the branch.'),
    vc_commit_sha: reported(64, 'ID of the commit.'),
    vc_commit_url: reported(2000, `Address of the commit. ${keptAsSent}`),
    notes: optionalText(1000),
    built_at: optionalText(40, 'ISO 8601 timestamp.'),
    resume_pending_upload_id: optionalText(
      100,
      'ID of an unfinished upload of the same files for the same platform. It keeps its stored parts, and the other attributes of this request replace its own. `GET /upload` lists unfinished uploads.',
    ),
  },
  {
    title: 'UploadRequest',
    examples: [
      {
        application_id: '<application_id>',
        platform: 'linux',
        stream: 'default',
        source: 'cli-upload',
        primary_file: { filename: 'app.tar.gz', size_bytes: 1024 },
        version_component_1_major: 1,
        version_component_2_minor: 0,
        version_component_3_patch: 0,
      },
    ],
  },
)
export type UploadRequest = Static<typeof UploadRequest>

/** The attributes of the build that the upload will create, stored as JSON with the pending upload. */
export type BuildDraft = VersionColumns & {
  build_structure: 'file' | 'file+expansion'
  build_number: string | null
  platform: string
  custom_target_id: string | null
  architectures: string[]
  /**
   * The labels that the request identifies by ID. Labels that are deleted before the upload is verified are ignored.
   */
  label_ids: string[]
  /** The labels that the request identifies by name. */
  labels: string[]
  notes: string | null
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
  built_at: string | null
}

export type DraftFile = {
  role: 'primary' | 'expansion'
  filename: string
  size_bytes: number
  filetype: string
  content_type: string
}

/** Returns the error for an invalid file name, or undefined if the name is valid. */
export function filenameError(filename: string): string | undefined {
  if (Buffer.byteLength(filename) > 255) return 'must be at most 255 bytes.'
  // Directional formatting characters can hide the real extension: `app\u202egpj.exe` looks like `appexe.jpg`.
  if (/[/\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(filename))
    return 'must not contain slashes, control characters or directional formatting characters.'
  if (filename.trim() === '' || filename === '.' || filename === '..')
    return 'must not be blank, "." or "..".'
  return undefined
}
