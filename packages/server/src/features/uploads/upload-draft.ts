import { acceptedExpansionExtensions, expansionFiletypeFor } from '../../catalog/expansion-filetypes.ts'
import { acceptedExtensionsText, filetypeFor, filetypeResource } from '../../catalog/filetypes.ts'
import { identifiersOf } from '../../catalog/named-entries.ts'
import { architectureErrors, findPlatform, platforms } from '../../catalog/platforms.ts'
import { isUploadSource, uploadSources } from '../../catalog/upload-sources.ts'
import { isVersionControlHost, versionControlHosts } from '../../catalog/version-control-hosts.ts'
import { isVersionControlType, versionControlTypes } from '../../catalog/version-control-types.ts'
import { readDuration } from '../../lib/duration.ts'
import { readTime } from '../../lib/time.ts'
import { linkOfCi, repositoryWebUrl } from '../../lib/web-url.ts'
import type { UploadRequest } from './upload-request.ts'

/** The build as it will be once its bytes are there; kept as JSON with the pending upload. */
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

/** All that can be judged without the database. `errors` is empty when the draft is good. */
export function draftFrom(request: UploadRequest): { draft: BuildDraft; files: DraftFile[]; errors: Errors } {
  const errors: Errors = {}
  checkSlugs(request, errors)
  checkVersion(request, errors)
  const files = checkFiles(request, errors)
  const url = (field: 'ci_pipeline_url' | 'ci_run_url' | 'vc_commit_url') => {
    const link = request[field] === undefined ? null : linkOfCi(request[field])
    if (link === undefined) errors[field] = ['must be an http or https URL.']
    return link ?? null
  }
  const repositoryUrl = request.vc_repo_url === undefined ? null : repositoryWebUrl(request.vc_repo_url)
  if (repositoryUrl === undefined) errors['vc_repo_url'] = ['must be an http or https URL.']
  const duration = request.ci_build_duration === undefined ? null : readDuration(request.ci_build_duration)
  if (duration === undefined) errors['ci_build_duration'] = ['must be a duration such as 00:15:30.']
  const builtAt = request.built_at === undefined ? null : readTime(request.built_at)
  if (builtAt === undefined) errors['built_at'] = ['must be an ISO 8601 time such as 2026-11-21T00:00:00Z.']
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

function checkSlugs(request: UploadRequest, errors: Errors): void {
  const { platform, source, vc_host_type, vc_host, architectures = [] } = request
  if (findPlatform(platform) === undefined)
    errors['platform'] = [`"${platform}" is not a platform; those are ${identifiersOf(platforms)}.`]
  if (!isUploadSource(source))
    errors['source'] = [`"${source}" is not an upload source; those are ${identifiersOf(uploadSources)}.`]
  if (vc_host_type !== undefined && !isVersionControlType(vc_host_type))
    errors['vc_host_type'] = [
      `"${vc_host_type}" is not a version control type; those are ${identifiersOf(versionControlTypes)}.`,
    ]
  if (vc_host !== undefined && !isVersionControlHost(vc_host))
    errors['vc_host'] = [
      `"${vc_host}" is not a version control host; those are ${identifiersOf(versionControlHosts)}.`,
    ]
  if (errors['platform'] === undefined) Object.assign(errors, architectureErrors(platform, architectures))
}

function checkVersion(request: UploadRequest, errors: Errors): void {
  const { version_component_1_major: major, version_component_2_minor: minor } = request
  if (major + minor + request.version_component_3_patch === 0)
    errors['version_component_1_major'] = ['At least one of the three version numbers must be above 0.']
}

function checkFiles(request: UploadRequest, errors: Errors): DraftFile[] {
  const { structure = 'file', primary_file: primary, expansion_files: expansions = [] } = request
  if (structure === 'file' && expansions.length > 0)
    errors['expansion_files'] = ['needs the structure file+expansion.']
  if (structure === 'file+expansion' && expansions.length === 0)
    errors['expansion_files'] = ['is required by the structure file+expansion.']
  const files: DraftFile[] = []
  const { platform } = request
  const primaryType = filetypeFor({ platform, filename: primary.filename })?.identifier
  const add = (
    field: string,
    role: DraftFile['role'],
    file: typeof primary,
    filetype: string | undefined,
  ) => {
    const wrong = filenameError(file.filename)
    if (wrong !== undefined) errors[`${field}.filename`] = [wrong]
    else if (filetype === undefined && errors['platform'] === undefined)
      errors[`${field}.filename`] = [refusedType(request.platform, primaryType, role)]
    const content_type = filetype === undefined ? '' : filetypeResourceOf(filetype, role)
    files.push({ role, ...file, filetype: filetype ?? '', content_type })
  }
  add('primary_file', 'primary', primary, primaryType)
  for (const [index, { filename, size_bytes }] of expansions.entries()) {
    const type =
      primaryType && expansionFiletypeFor({ platform, primaryFiletype: primaryType, filename })?.identifier
    add(`expansion_files.${index}`, 'expansion', { filename, size_bytes }, type)
  }
  return files
}

const filetypeResourceOf = (filetype: string, role: DraftFile['role']) =>
  role === 'primary' ? filetypeResource(filetype).mime_type : 'application/octet-stream'

function refusedType(platform: string, primaryFiletype: string | undefined, role: DraftFile['role']): string {
  if (role === 'primary')
    return `is of a type that ${platform} does not take; it takes: ${acceptedExtensionsText(platform)}.`
  const extensions = acceptedExpansionExtensions(platform, primaryFiletype ?? '')
  return extensions.length === 0
    ? 'cannot come along: the primary file takes no expansion file.'
    : `is no expansion file; the primary file takes: .${extensions.join(', .')}.`
}

/** Why a name cannot be a file name; undefined when it can. */
export function filenameError(filename: string): string | undefined {
  if (Buffer.byteLength(filename) > 255) return 'must have at most 255 bytes.'
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[/\u0000-\u001f\u007f-\u009f]/.test(filename)) return 'must not contain a slash or control characters.'
  if (filename.trim() === '' || filename === '.' || filename === '..') return 'must be a file name.'
  return undefined
}
