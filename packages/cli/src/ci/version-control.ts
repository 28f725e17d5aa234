import { firstNonEmpty } from './ci-metadata.ts'
import type { CiMetadata, Env } from './ci-metadata.ts'

const perforce = { hostType: 'perforce', host: 'perforce' }

/**
 * Adds the Perforce changelist and stream if the run has no commit. P4_CHANGELIST is set by the Jenkins plugin, and the
 * `uebp_` variables by the Unreal Engine automation tool.
 */
export function withPerforce<Run extends CiMetadata>(run: Run, env: Env): Run {
  const changelist = firstNonEmpty(env['P4_CHANGELIST'], env['uebp_CL'])
  const commit = firstNonEmpty(run.commit)
  if (commit === undefined && changelist !== undefined) {
    const branch = firstNonEmpty(run.branch, env['uebp_BuildRoot_P4'])
    return { ...run, ...perforce, commit: changelist, ...(branch === undefined ? {} : { branch }) }
  }
  const isChangelist = commit !== undefined && /^\d{1,12}$/.test(commit)
  const hasClient = firstNonEmpty(env['P4PORT'], env['P4CLIENT'], env['uebp_CLIENT']) !== undefined
  return isChangelist && run.hostType === undefined && (commit === changelist || hasClient)
    ? { ...run, ...perforce }
    : run
}
