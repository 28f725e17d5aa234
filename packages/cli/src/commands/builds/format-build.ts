import type { Build, FullBuild } from '@quayside/sdk'
import { formatFields, formatSize } from '../../output/format.ts'
import { packageFields } from './package-fields.ts'

/** Formats a build as a list of fields. */
export function formatBuild(build: FullBuild): string {
  return formatFields([
    ['Build', build.id],
    ['Version', build.version],
    ['Build number', build.build_number],
    ['Platform', build.platform.name],
    ['Stream', build.stream.name],
    ['Labels', build.labels.map(({ name }) => name).join(', ')],
    ['Architectures', build.architectures.map(({ identifier }) => identifier).join(', ')],
    ['Branch', formatBranch(build)],
    ['Source', build.build_source],
    ['CI run', build.links.ci_run_url ?? build.ci_pipeline.ci_run_url],
    ['Notes', build.notes],
    ['File', build.primary_file.filename],
    ['Size', sizeOf(build)],
    ['MD5', build.primary_file.checksum_md5],
    ['SHA-256', build.primary_file.checksum_sha256],
    ['SHA-512', build.primary_file.checksum_sha512],
    ...packageFields(build),
    ['Expansion', build.expansion_files.map(({ filename }) => filename).join(', ')],
    ['Metadata', build.metadata_artifacts.map(({ filename }) => filename).join(', ')],
    ['Kept', build.kept_by.map(({ message }) => message).join(' ')],
    ['Created', build.created_at],
    ['URL', build.modal_url],
  ])
}

function sizeOf({ size_total_string: size, reused_bytes: reused }: FullBuild): string {
  return reused === 0 ? size : `${size}, of which ${formatSize(reused)} were reused`
}

/** Formats the branch and commit as `main@1a2b3c4`. Omits a missing branch or commit. */
export function formatBranch({ scm }: Pick<Build, 'scm'>): string {
  return [scm.scm_branch, scm.scm_commit_sha_short].filter(Boolean).join('@')
}

export function buildNotFound(buildId: string): string {
  return `Build ${buildId} was not found in this application. Run \`quayside builds list\` to see the builds.`
}
