import type { AdditionalSource } from './additional-sources.ts'
import { firstNonEmpty, joinPath, parseTime, shortRef } from './ci-metadata.ts'
import type { CiMetadata, Env } from './ci-metadata.ts'
import { actionsMetadata } from './env-ci-sources.ts'
import { parseRepository } from './repository.ts'

/**
 * CI services without a source slug in the API. Their builds have the source `cli-upload` and the metadata of the run.
 * They are checked first, because some of them also set the variables of GitHub Actions or Drone.
 */
export const unlistedSources: AdditionalSource[] = [
  unlisted((env) => firstNonEmpty(env['FORGEJO_ACTIONS'], env['GITEA_ACTIONS']) === 'true', giteaMetadata),
  unlisted(
    (env) => env['CI'] === 'woodpecker',
    (env) => ({
      pipelineName: env['CI_WORKFLOW_NAME'],
      runId: env['CI_PIPELINE_NUMBER'],
      runUrl: env['CI_PIPELINE_URL'],
      buildNumber: env['CI_PIPELINE_NUMBER'],
      startedAt: parseTime(env['CI_PIPELINE_STARTED']),
      branch: branchUnlessTag(env['CI_COMMIT_TAG'], env['CI_COMMIT_SOURCE_BRANCH'], env['CI_COMMIT_BRANCH']),
      tag: env['CI_COMMIT_TAG'],
      commit: env['CI_COMMIT_SHA'],
      repoName: env['CI_REPO'],
      repoUrl: env['CI_REPO_URL'],
      host: ['gitea', 'forgejo'].find((type) => type === env['CI_FORGE_TYPE']),
    }),
  ),
  unlisted(
    (env) => Boolean(env['CI_XCODE_CLOUD'] ?? (env['CI_XCODEBUILD_ACTION'] && env['CI_BUILD_ID'])),
    (env) => ({
      pipelineName: env['CI_WORKFLOW'],
      runId: env['CI_BUILD_ID'],
      runUrl: env['CI_BUILD_URL'],
      buildNumber: env['CI_BUILD_NUMBER'],
      branch: branchUnlessTag(env['CI_TAG'], env['CI_PULL_REQUEST_SOURCE_BRANCH'], env['CI_BRANCH']),
      tag: env['CI_TAG'],
      commit: firstNonEmpty(env['CI_PULL_REQUEST_SOURCE_COMMIT'], env['CI_COMMIT']),
      mergeCommit: env['CI_COMMIT'],
      repoName: env['CI_PULL_REQUEST_SOURCE_REPO'],
    }),
  ),
  unlisted(
    (env) => Boolean(env['UE_HORDE_JOBID']),
    (env) => ({
      pipelineName: env['UE_HORDE_TEMPLATENAME'] ?? env['UE_HORDE_STREAMID'],
      runId: env['UE_HORDE_JOBID'],
      runUrl: joinPath(env['UE_HORDE_URL'], 'job', env['UE_HORDE_JOBID']),
      branch: env['uebp_BuildRoot_P4'],
      commit: env['uebp_CL'],
      hostType: 'perforce',
      host: 'perforce',
    }),
  ),
  unlisted(
    (env) => Boolean(env['HARNESS_BUILD_ID']),
    (env) => ({
      pipelineName: env['HARNESS_PIPELINE_ID'],
      runId: firstNonEmpty(env['HARNESS_EXECUTION_ID'], env['HARNESS_BUILD_ID']),
      runUrl: firstNonEmpty(env['DRONE_BUILD_LINK'], env['CI_BUILD_LINK']),
      buildNumber: env['HARNESS_BUILD_ID'],
      branch: branchUnlessTag(env['DRONE_TAG'], env['DRONE_SOURCE_BRANCH'], env['DRONE_COMMIT_BRANCH']),
      tag: env['DRONE_TAG'],
      commit: env['DRONE_COMMIT_SHA'],
      repoUrl: env['DRONE_REMOTE_URL'],
    }),
  ),
  unlisted(
    (env) => Boolean(env['BUDDY_WORKSPACE_ID']),
    (env) => ({
      pipelineName: env['BUDDY_PIPELINE_NAME'],
      pipelineUrl: env['BUDDY_PIPELINE_URL'],
      runId: env['BUDDY_EXECUTION_ID'],
      runUrl: env['BUDDY_EXECUTION_URL'],
      buildNumber: env['BUDDY_EXECUTION_ID'],
      startedAt: parseTime(env['BUDDY_EXECUTION_START_DATE']),
      branch: branchUnlessTag(
        env['BUDDY_EXECUTION_TAG'],
        env['BUDDY_EXECUTION_PULL_REQUEST_HEAD_BRANCH'],
        env['BUDDY_EXECUTION_BRANCH'],
      ),
      tag: env['BUDDY_EXECUTION_TAG'],
      commit: env['BUDDY_EXECUTION_REVISION'],
      repoName: env['BUDDY_REPO_SLUG'],
      repoUrl: env['BUDDY_SCM_URL'],
    }),
  ),
  unlisted(
    (env) => Boolean(env['CF_BUILD_ID']),
    (env) => ({
      pipelineName: env['CF_PIPELINE_NAME'],
      runId: env['CF_BUILD_ID'],
      runUrl: env['CF_BUILD_URL'],
      startedAt: parseTime(env['CF_BUILD_TIMESTAMP']),
      branch: env['CF_BRANCH'],
      commit: env['CF_REVISION'],
      commitUrl: env['CF_COMMIT_URL'],
      repoName: joinPath(env['CF_REPO_OWNER'], env['CF_REPO_NAME']),
    }),
  ),
  unlisted(
    (env) => env['VELA'] === 'true',
    (env) => ({
      pipelineName: env['VELA_REPO_FULL_NAME'],
      runId: env['VELA_BUILD_NUMBER'],
      runUrl: env['VELA_BUILD_LINK'],
      buildNumber: env['VELA_BUILD_NUMBER'],
      startedAt: parseTime(env['VELA_BUILD_STARTED']),
      branch: branchUnlessTag(
        env['VELA_BUILD_TAG'],
        env['VELA_PULL_REQUEST_SOURCE'],
        env['VELA_BUILD_BRANCH'],
      ),
      tag: env['VELA_BUILD_TAG'],
      commit: env['VELA_BUILD_COMMIT'],
      repoName: env['VELA_REPO_FULL_NAME'],
      repoUrl: env['VELA_REPO_LINK'],
    }),
  ),
  unlisted(
    (env) => env['SCREWDRIVER'] === 'true',
    (env) => ({
      pipelineName: joinPath(env['SD_PIPELINE_NAME'], env['SD_JOB_NAME']),
      runId: env['SD_BUILD_ID'],
      runUrl: env['SD_UI_BUILD_URL'],
      branch: firstNonEmpty(env['PR_BRANCH_NAME'], shortRef(env['GIT_BRANCH'])),
      commit: env['SD_BUILD_SHA'],
      repoUrl: env['SCM_URL'],
    }),
  ),
  unlisted(
    (env) => Boolean(env['GO_PIPELINE_COUNTER'] && env['GO_SERVER_URL']),
    (env) => ({
      pipelineName: env['GO_PIPELINE_NAME'],
      pipelineUrl: joinPath(env['GO_SERVER_URL'], 'pipeline/activity', env['GO_PIPELINE_NAME']),
      runId: env['GO_PIPELINE_COUNTER'],
      runUrl: joinPath(
        env['GO_SERVER_URL'],
        'pipelines',
        env['GO_PIPELINE_NAME'],
        env['GO_PIPELINE_COUNTER'],
        env['GO_STAGE_NAME'],
        env['GO_STAGE_COUNTER'],
      ),
      buildNumber: env['GO_PIPELINE_LABEL'],
      branch: env['GO_MATERIAL_BRANCH'],
      commit: env['GO_REVISION'],
      repoUrl: env['GO_MATERIAL_URL'],
    }),
  ),
  unlisted(
    (env) => Boolean(env['JOB_URL'] && env['BUILD_SUBMITTER']),
    (env) => ({
      runId: env['JOB_ID'],
      runUrl: env['JOB_URL'],
      buildNumber: env['JOB_ID'],
      branch: env['GIT_REF']?.startsWith('refs/tags/') === true ? '' : shortRef(env['GIT_REF']),
      tag: env['GIT_REF']?.startsWith('refs/tags/') === true ? shortRef(env['GIT_REF']) : undefined,
    }),
  ),
  unlisted(
    (env) => Boolean(env['PROW_JOB_ID']),
    (env) => ({
      pipelineName: env['JOB_NAME'],
      runId: firstNonEmpty(env['BUILD_ID'], env['PROW_JOB_ID']),
      buildNumber: env['BUILD_ID'],
      branch: firstNonEmpty(env['PULL_HEAD_REF'], env['PULL_BASE_REF']),
      commit: firstNonEmpty(env['PULL_PULL_SHA'], env['PULL_BASE_SHA']),
      repoName: joinPath(env['REPO_OWNER'], env['REPO_NAME']),
    }),
  ),
  unlisted(
    (env) => env['EAS_BUILD'] === 'true',
    (env) => ({
      pipelineName: env['EAS_BUILD_PROFILE'],
      runId: env['EAS_BUILD_ID'],
      commit: env['EAS_BUILD_GIT_COMMIT_HASH'],
    }),
  ),
  unlisted(
    (env) => Boolean(env['AC_APPCIRCLE']),
    (env) => ({
      pipelineName: env['AC_BUILD_PROFILE_NAME'],
      runId: env['AC_BUILD_NUMBER'],
      buildNumber: env['AC_BUILD_NUMBER'],
      branch: branchUnlessTag(env['AC_GIT_TAG'], env['AC_GIT_BRANCH']),
      tag: env['AC_GIT_TAG'],
      commit: env['AC_GIT_COMMIT'],
      repoUrl: env['AC_GIT_URL'],
    }),
  ),
]

function unlisted(detect: (env: Env) => unknown, metadata: (env: Env) => CiMetadata): AdditionalSource {
  return { source: 'cli-upload', detect: (env) => Boolean(detect(env)), metadata }
}

/** Returns an empty string, which means no branch, if the run builds a tag. */
function branchUnlessTag(tag: string | undefined, ...branches: (string | undefined)[]): string | undefined {
  return firstNonEmpty(tag) === undefined ? firstNonEmpty(...branches) : ''
}

function giteaMetadata(env: Env): CiMetadata {
  const metadata = actionsMetadata(env)
  const { repoUrl } = metadata
  return {
    ...metadata,
    pipelineUrl: joinPath(repoUrl, 'actions'),
    runId: env['GITHUB_RUN_ID'],
    // The URL contains the run's number within its repository, not the run's ID.
    runUrl: joinPath(repoUrl, 'actions/runs', env['GITHUB_RUN_NUMBER']),
    repoName: env['GITHUB_REPOSITORY'],
    host: parseRepository(repoUrl).host ?? (env['FORGEJO_ACTIONS'] === 'true' ? 'forgejo' : 'gitea'),
  }
}
