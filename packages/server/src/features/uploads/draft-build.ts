import { expansionFiletypeFor } from '../../catalog/expansion-filetypes.ts'
import { filetypeFor, filetypeResource } from '../../catalog/filetypes.ts'
import { readTime } from '../../lib/time.ts'
import { readDuration } from './duration.ts'
import type { BuildDraft, DraftFile, UploadRequest } from './upload-request.ts'

type References = { customTargetId: string | null; labelIds: string[] }

/** Returns the attributes of the build that the upload will create. The caller must have validated the request. */
export function draftBuild(request: UploadRequest, { customTargetId, labelIds }: References): BuildDraft {
  const { ci_build_duration: duration, built_at: builtAt, labels = [] } = request
  return {
    build_structure: request.structure ?? 'file',
    version_major: request.version_component_1_major,
    version_minor: request.version_component_2_minor,
    version_patch: request.version_component_3_patch,
    version_extra: request.version_component_extra ?? null,
    version_meta: request.version_component_meta ?? null,
    build_number: request.custom_build_number ?? null,
    platform: request.platform,
    custom_target_id: customTargetId,
    architectures: [...new Set(request.architectures)],
    label_ids: labelIds,
    labels: labels.filter((label) => label !== '' && !labelIds.includes(label)),
    notes: request.notes ?? null,
    build_source: request.source,
    ci_pipeline_name: request.ci_pipeline ?? null,
    ci_pipeline_url: request.ci_pipeline_url ?? null,
    ci_run_id: request.ci_run_id ?? null,
    ci_run_url: request.ci_run_url ?? null,
    ci_build_duration: duration === undefined ? null : (readDuration(duration) ?? null),
    scm_host_type: request.vc_host_type ?? null,
    scm_host: request.vc_host ?? null,
    scm_repo_name: request.vc_repo_name ?? null,
    scm_repo_url: request.vc_repo_url ?? null,
    scm_branch: request.vc_branch ?? null,
    scm_commit_sha: request.vc_commit_sha ?? null,
    scm_commit_url: request.vc_commit_url ?? null,
    built_at: builtAt === undefined ? null : (readTime(builtAt) ?? null),
  }
}

/**
 * Returns the files of the build with their types, starting with the primary file. The caller must have validated the
 * request.
 */
export function draftFiles({
  platform,
  primary_file: primary,
  expansion_files = [],
}: UploadRequest): DraftFile[] {
  const primaryFiletype = filetypeFor({ platform, filename: primary.filename })?.identifier ?? ''
  const { mime_type } = filetypeResource(primaryFiletype)
  return [
    { role: 'primary', ...primary, filetype: primaryFiletype, content_type: mime_type },
    ...expansion_files.map((file) => ({
      role: 'expansion' as const,
      ...file,
      filetype:
        expansionFiletypeFor({ platform, primaryFiletype, filename: file.filename })?.identifier ?? '',
      content_type: 'application/octet-stream',
    })),
  ]
}
