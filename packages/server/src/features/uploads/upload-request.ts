import { Type, type Static } from 'typebox'
import { acceptedExpansionExtensions, expansionFiletypeFor } from '../../catalog/expansion-filetypes.ts'
import { acceptedExtensionsText, filetypeFor, filetypeResource } from '../../catalog/filetypes.ts'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { architectureErrors, findPlatform, platforms } from '../../catalog/platforms.ts'
import { isUploadSource, uploadSources } from '../../catalog/upload-sources.ts'
import {
  isVersionControlHost,
  isVersionControlType,
  versionControlHosts,
  versionControlTypes,
} from '../../catalog/version-control.ts'
import { lenientVersionParts, zeroVersionErrors } from '../../http/version-parts.ts'
import { readDuration } from '../../lib/duration.ts'
import { readTime } from '../../lib/time.ts'
import { ciLinkUrl, repositoryWebUrl } from '../../lib/web-url.ts'
import { unknownPlatform } from '../platforms/platform.ts'

const optionalText = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description === undefined ? {} : { description }) }))

export const maxFileBytes = 500_000_000_000
/** The S3 limit for a single PUT. */
export const maxPutBytes = 5 * 1024 ** 3
/** The S3 limit for the parts of a multipart upload. */
export const maxParts = 10_000

const FileToUpload = Type.Object(
  {
    filename: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'File name without a path, at most 255 bytes. The platform must accept its extension: see `upload_instruction` in `GET /applications/{application_id}/platforms`. The error for any other extension lists the accepted ones.',
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
    stream: Type.String({
      maxLength: 255,
      description:
        'Exact name of a stream. A new application has the streams `default`, `nightlies` and `stable`, unless the workspace defines other default streams.',
    }),
    custom_target: optionalText(255, 'ID or name of a custom target.'),
    source: Type.String({
      maxLength: 50,
      description: `Tool that uploads the build. One of: ${identifiersOf(uploadSources)}.`,
    }),
    primary_file: FileToUpload,
    expansion_files: Type.Optional(Type.Array(FileToUpload, { maxItems: 1 })),
    ...lenientVersionParts,
    custom_build_number: optionalText(100),
    labels: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 10,
        description: 'Label names. Labels that do not exist yet are created.',
      }),
    ),
    architectures: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 15,
        description:
          'Architecture identifiers. `GET /applications/{application_id}/platforms/{platform}/architectures` lists the supported ones.',
      }),
    ),
    ci_pipeline: optionalText(255, 'Name of the pipeline.'),
    ci_pipeline_url: optionalText(2000),
    ci_run_id: optionalText(255),
    ci_run_url: optionalText(2000),
    ci_build_duration: optionalText(
      50,
      'Build duration as HH:MM:SS. Formats such as 15m30s are also accepted.',
    ),
    vc_host_type: optionalText(50, `Version control system. One of: ${identifiersOf(versionControlTypes)}.`),
    vc_host: optionalText(50, `Version control host. One of: ${identifiersOf(versionControlHosts)}.`),
    vc_repo_name: optionalText(255),
    vc_repo_url: optionalText(2000),
    vc_branch: optionalText(255),
    vc_commit_sha: optionalText(64),
    vc_commit_url: optionalText(2000),
    notes: optionalText(1000),
    built_at: optionalText(40, 'ISO 8601 timestamp.'),
  },
  { title: 'UploadRequest' },
)
export type UploadRequest = Static<typeof UploadRequest>

/** The attributes of the future build, stored as JSON with the pending upload. */
export type BuildDraft = {
  build_structure: 'file' | 'file+expansion'
  version_major: number
  version_minor: number
  version_patch: number
  version_extra: string | null
  version_meta: string | null
  build_number: string | null
  platform: string
  custom_target_id: string | null
  architectures: string[]
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

type Errors = Record<string, string[]>

/** Drafts the build and checks every rule that needs no database; `errors` is empty if the request is valid. */
export function draftBuild(request: UploadRequest): {
  draft: BuildDraft
  files: DraftFile[]
  errors: Errors
} {
  const errors: Errors = {}
  checkIdentifiers(request, errors)
  Object.assign(errors, zeroVersionErrors(request))
  const files = checkFiles(request, errors)
  const url = (field: 'ci_pipeline_url' | 'ci_run_url' | 'vc_commit_url') => {
    const link = request[field] === undefined ? null : ciLinkUrl(request[field])
    if (link === undefined) errors[field] = ['must be an http or https URL.']
    return link ?? null
  }
  const repositoryUrl = request.vc_repo_url === undefined ? null : repositoryWebUrl(request.vc_repo_url)
  if (repositoryUrl === undefined) errors['vc_repo_url'] = ['must be an http or https URL.']
  const duration = request.ci_build_duration === undefined ? null : readDuration(request.ci_build_duration)
  if (duration === undefined) errors['ci_build_duration'] = ['must be a duration such as 00:15:30.']
  const builtAt = request.built_at === undefined ? null : readTime(request.built_at)
  if (builtAt === undefined)
    errors['built_at'] = ['must be an ISO 8601 timestamp such as 2026-11-21T00:00:00Z.']
  const draft: BuildDraft = {
    build_structure: request.structure ?? 'file',
    version_major: request.version_component_1_major,
    version_minor: request.version_component_2_minor,
    version_patch: request.version_component_3_patch,
    version_extra: request.version_component_extra ?? null,
    version_meta: request.version_component_meta ?? null,
    build_number: request.custom_build_number ?? null,
    platform: request.platform,
    custom_target_id: null,
    architectures: [...new Set(request.architectures)],
    labels: (request.labels ?? []).map((label) => label.trim()).filter((label) => label !== ''),
    notes: request.notes ?? null,
    build_source: request.source,
    ci_pipeline_name: request.ci_pipeline ?? null,
    ci_pipeline_url: url('ci_pipeline_url'),
    ci_run_id: request.ci_run_id ?? null,
    ci_run_url: url('ci_run_url'),
    ci_build_duration: duration ?? null,
    scm_host_type: request.vc_host_type ?? null,
    scm_host: request.vc_host ?? null,
    scm_repo_name: request.vc_repo_name ?? null,
    scm_repo_url: repositoryUrl ?? null,
    scm_branch: request.vc_branch ?? null,
    scm_commit_sha: request.vc_commit_sha ?? null,
    scm_commit_url: url('vc_commit_url'),
    built_at: builtAt ?? null,
  }
  return { draft, files, errors }
}

function checkIdentifiers(request: UploadRequest, errors: Errors): void {
  const { platform, source, vc_host_type, vc_host, architectures = [] } = request
  if (findPlatform(platform) === undefined) errors['platform'] = [unknownPlatform(platform)]
  if (!isUploadSource(source))
    errors['source'] = [`"${source}" is not an upload source. Use one of: ${identifiersOf(uploadSources)}.`]
  if (vc_host_type !== undefined && !isVersionControlType(vc_host_type))
    errors['vc_host_type'] = [
      `"${vc_host_type}" is not a version control system. Use one of: ${identifiersOf(versionControlTypes)}.`,
    ]
  if (vc_host !== undefined && !isVersionControlHost(vc_host))
    errors['vc_host'] = [
      `"${vc_host}" is not a version control host. Use one of: ${identifiersOf(versionControlHosts)}.`,
    ]
  if (errors['platform'] === undefined) Object.assign(errors, architectureErrors(platform, architectures))
}

function checkFiles(request: UploadRequest, errors: Errors): DraftFile[] {
  const { structure = 'file', primary_file: primary, expansion_files: expansions = [] } = request
  if (structure === 'file' && expansions.length > 0)
    errors['expansion_files'] = ['requires `structure` to be "file+expansion".']
  if (structure === 'file+expansion' && expansions.length === 0)
    errors['expansion_files'] = ['is required when `structure` is "file+expansion".']
  const files: DraftFile[] = []
  const { platform } = request
  const primaryType = filetypeFor({ platform, filename: primary.filename })?.identifier
  const addFile = (
    field: string,
    role: DraftFile['role'],
    file: typeof primary,
    filetype: string | undefined,
  ) => {
    const problem = filenameError(file.filename)
    if (problem !== undefined) errors[`${field}.filename`] = [problem]
    else if (filetype === undefined && errors['platform'] === undefined)
      errors[`${field}.filename`] = [filetypeError(request.platform, primaryType, role)]
    const content_type = filetype === undefined ? '' : contentTypeOf(filetype, role)
    files.push({ role, ...file, filetype: filetype ?? '', content_type })
  }
  addFile('primary_file', 'primary', primary, primaryType)
  for (const [index, { filename, size_bytes }] of expansions.entries()) {
    const type =
      primaryType && expansionFiletypeFor({ platform, primaryFiletype: primaryType, filename })?.identifier
    addFile(`expansion_files.${index}`, 'expansion', { filename, size_bytes }, type)
  }
  return files
}

const contentTypeOf = (filetype: string, role: DraftFile['role']) =>
  role === 'primary' ? filetypeResource(filetype).mime_type : 'application/octet-stream'

function filetypeError(
  platform: string,
  primaryFiletype: string | undefined,
  role: DraftFile['role'],
): string {
  if (role === 'primary')
    return `has a file type that ${platform} does not accept. Accepted: ${acceptedExtensionsText(platform)}.`
  const extensions = acceptedExpansionExtensions(platform, primaryFiletype ?? '')
  return extensions.length === 0
    ? 'is not allowed for this primary file type.'
    : `is not an expansion file for this primary file type. Accepted: .${extensions.join(', .')}.`
}

/** Returns the error for an invalid file name, or undefined if the name is valid. */
export function filenameError(filename: string): string | undefined {
  if (Buffer.byteLength(filename) > 255) return 'must be at most 255 bytes.'
  // eslint-disable-next-line no-control-regex -- the pattern must match control characters
  if (/[/\u0000-\u001f\u007f-\u009f]/.test(filename)) return 'must not contain a slash or control characters.'
  if (filename.trim() === '' || filename === '.' || filename === '..')
    return 'must not be blank, "." or "..".'
  return undefined
}
