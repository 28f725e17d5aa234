import type { Static } from 'typebox'
import { architectureResource } from '../../catalog/architectures.ts'
import { platformResource } from '../../catalog/platforms.ts'
import type { Config } from '../../config.ts'
import type { Executor } from '../../database/transaction.ts'
import { formatVersion, formatVersionShort } from '../../lib/semver.ts'
import { sizeString } from '../../lib/sizes.ts'
import { customTargetResource } from '../custom-targets/custom-target.ts'
import { listMetadataArtifacts } from '../metadata-artifacts/metadata-artifact.db.ts'
import { metadataArtifactResource } from '../metadata-artifacts/metadata-artifact.ts'
import { requireBuild, type BuildRow } from './build.db.ts'
import type { Build, FullBuild } from './build.ts'
import { listFiles } from './file.db.ts'
import { fileResource } from './file.ts'

type VersionColumns = {
  version_major: number
  version_minor: number
  version_patch: number
  version_extra: string | null
  version_meta: string | null
}

export function versionResource(row: VersionColumns) {
  const { version_major: major, version_minor: minor, version_patch: patch } = row
  const version = { major, minor, patch, extra: row.version_extra, meta: row.version_meta }
  return {
    version: formatVersion(version),
    version_short: formatVersionShort(version),
    version_semantic_major: major,
    version_semantic_minor: minor,
    version_semantic_patch: patch,
    version_semantic_extra: row.version_extra,
    version_semantic_meta: row.version_meta,
  }
}

/** Page of the build in the console. */
export const consoleUrl = ({ publicUrl }: Config, applicationId: string, buildId: string): string =>
  `${publicUrl}/applications/${applicationId}/builds/${buildId}`

export const downloadUrl = ({ publicUrl }: Config, applicationId: string, buildId: string): string =>
  `${publicUrl}/api/v1/applications/${applicationId}/builds/${buildId}/download`

export function buildResource(row: BuildRow, config: Config): Static<typeof Build> {
  return {
    id: row.id,
    build_structure: row.build_structure as 'file',
    ...versionResource(row),
    build_number: row.build_number,
    platform: platformResource(row.platform),
    stream: {
      id: row.stream_id,
      name: row.stream_name,
      description: row.stream_description,
      retention_days: row.stream_retention_days,
      created_at: row.stream_created_at,
      updated_at: row.stream_updated_at,
    },
    custom_target: row.custom_target === null ? null : customTargetResource(row.custom_target),
    labels: row.labels,
    architectures: row.architectures.map(architectureResource),
    notes: row.notes,
    size_total_bytes: row.size_total_bytes,
    size_total_string: sizeString(row.size_total_bytes),
    metadata_total_bytes: row.metadata_total_bytes,
    build_source: row.build_source,
    ci_pipeline: {
      ci_pipeline_name: row.ci_pipeline_name,
      ci_pipeline_url: row.ci_pipeline_url,
      ci_run_id: row.ci_run_id,
      ci_run_url: row.ci_run_url,
      ci_build_duration: row.ci_build_duration,
    },
    scm: {
      scm_host_type: row.scm_host_type,
      scm_host: row.scm_host,
      scm_repo_name: row.scm_repo_name,
      scm_repo_url: row.scm_repo_url,
      scm_branch: row.scm_branch,
      scm_commit_sha: row.scm_commit_sha,
      scm_commit_sha_short: row.scm_commit_sha?.slice(0, 7) ?? null,
      scm_commit_url: row.scm_commit_url,
    },
    pending: false,
    processing_error: row.processing_error,
    keep_forever: row.keep_forever,
    expires_at: row.expires_at,
    modal_url: consoleUrl(config, row.application_id, row.id),
    download_url: downloadUrl(config, row.application_id, row.id),
    built_at: row.built_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** The build with its files and artifacts, as single reads, verify and events carry it. */
export async function requireFullBuild(
  db: Executor,
  applicationId: string,
  id: string,
  config: Config,
): Promise<FullBuild> {
  const row = await requireBuild(db, applicationId, id)
  const files = (await listFiles(db, id)).map((file) => ({ role: file.role, resource: fileResource(file) }))
  const artifacts = await listMetadataArtifacts(db, id)
  const primary = files.find(({ role }) => role === 'primary')
  if (primary === undefined) throw new Error(`build ${id} has no primary file`)
  return {
    ...buildResource(row, config),
    application_id: row.application_id,
    workspace_id: row.workspace_id,
    primary_file: primary.resource,
    expansion_files: files.filter(({ role }) => role === 'expansion').map(({ resource }) => resource),
    metadata_artifacts: artifacts.map(metadataArtifactResource),
    ios_info: row.ios_info as FullBuild['ios_info'],
    android_info: row.android_info as FullBuild['android_info'],
  }
}
