import type { Build, FullBuild } from '@quayside/sdk'
import { factsText } from '../../output/table.ts'

/** A build as its page in a terminal. */
export function buildFacts(build: FullBuild): string {
  return factsText([
    ['Build', build.id],
    ['Version', build.version],
    ['Build number', build.build_number],
    ['Platform', build.platform.name],
    ['Stream', build.stream.name],
    ['Labels', build.labels.map(({ name }) => name).join(', ')],
    ['Architectures', build.architectures.map(({ identifier }) => identifier).join(', ')],
    ['Branch', branchAndCommit(build)],
    ['Source', build.build_source],
    ['Run', build.ci_pipeline.ci_run_url],
    ['Notes', build.notes],
    ['File', build.primary_file.filename],
    ['Size', build.size_total_string],
    ['MD5', build.primary_file.checksum_md5],
    ['SHA-256', build.primary_file.checksum_sha256],
    ['Expansion', build.expansion_files.map(({ filename }) => filename).join(', ')],
    ['Metadata', build.metadata_artifacts.map(({ filename }) => filename).join(', ')],
    ['Created', build.created_at],
    ['Page', build.modal_url],
  ])
}

/** `main@1a2b3c4`, or the half that is known. */
export function branchAndCommit({ scm }: Pick<Build, 'scm'>): string {
  return [scm.scm_branch, scm.scm_commit_sha_short].filter(Boolean).join('@')
}
