import { firstNonEmpty, joinPath, shortRef } from './ci-metadata.ts'
import type { CiMetadata, Env } from './ci-metadata.ts'

export type AdditionalSource = {
  source: string
  detect: (env: Env) => boolean
  metadata: (env: Env) => CiMetadata
}

/** CI services that env-ci does not detect. They are checked first because env-ci reports Unity builds as Jenkins. */
export const additionalSources: AdditionalSource[] = [
  {
    source: 'unity-build',
    detect: (env) => Boolean(env['UCB_BUILD_NUMBER']) || env['IS_BUILDER'] === 'true',
    metadata: (env) => ({
      pipelineName: env['BUILD_TARGET'],
      runId: env['UCB_BUILD_NUMBER'] ?? env['BUILD_NUMBER'],
      buildNumber: env['UCB_BUILD_NUMBER'] ?? env['BUILD_NUMBER'],
      branch: shortRef(env['SCM_BRANCH'] ?? env['GIT_BRANCH']),
      commit: env['BUILD_REVISION'] ?? env['GIT_COMMIT'],
      repoUrl: env['SCM_URL'] ?? env['GIT_URL'],
    }),
  },
  {
    source: 'codemagic',
    detect: (env) => Boolean(env['CM_BUILD_ID'] ?? env['FCI_BUILD_ID']),
    metadata: (env) => {
      const read = (name: string) => env[`CM_${name}`] ?? env[`FCI_${name}`]
      const project = joinPath('https://codemagic.io/app', read('PROJECT_ID'))
      return {
        pipelineName: read('WORKFLOW_NAME'),
        pipelineUrl: project,
        runId: read('BUILD_ID'),
        runUrl: joinPath(project, 'build', read('BUILD_ID')),
        buildNumber: env['PROJECT_BUILD_NUMBER'] ?? env['BUILD_NUMBER'],
        branch: read('TAG') ? '' : shortRef(read('BRANCH')),
        tag: read('TAG'),
        commit: read('COMMIT'),
        repoName: read('REPO_SLUG'),
      }
    },
  },
  {
    source: 'google-cloud-build',
    // Cloud Build sets the substitution variables only with `automapSubstitutions`, but it always sets BUILDER_OUTPUT.
    detect: (env) =>
      Boolean(env['BUILDER_OUTPUT']) || Boolean(env['PROJECT_ID'] && env['BUILD_ID'] && env['LOCATION']),
    metadata: (env) => {
      const region = env['LOCATION'] && env['LOCATION'] !== 'global' ? `;region=${env['LOCATION']}` : ''
      const name = env['REPO_FULL_NAME'] ?? env['REPO_NAME']
      return {
        pipelineName: env['TRIGGER_NAME'],
        runId: env['BUILD_ID'],
        runUrl:
          env['BUILD_ID'] && env['PROJECT_ID']
            ? `https://console.cloud.google.com/cloud-build/builds${region}/${env['BUILD_ID']}?project=${env['PROJECT_ID']}`
            : undefined,
        branch: env['TAG_NAME'] ? '' : env['BRANCH_NAME'],
        tag: env['TAG_NAME'],
        commit: env['COMMIT_SHA'] ?? env['REVISION_ID'],
        repoName: name,
      }
    },
  },
  {
    source: 'abstruse',
    detect: (env) => env['ABSTRUSE'] === 'true' || Boolean(env['ABSTRUSE_BUILD_ID']),
    metadata: (env) => ({
      runId: env['ABSTRUSE_BUILD_ID'],
      branch: env['ABSTRUSE_TAG']
        ? ''
        : firstNonEmpty(env['ABSTRUSE_PULL_REQUEST_BRANCH'], shortRef(env['ABSTRUSE_BRANCH'])),
      tag: env['ABSTRUSE_TAG'],
      commit: firstNonEmpty(env['ABSTRUSE_PULL_REQUEST_SHA'], env['ABSTRUSE_COMMIT']),
    }),
  },
  {
    source: 'concourse',
    detect: (env) => Boolean(env['ATC_EXTERNAL_URL'] && env['BUILD_ID']),
    metadata: (env) => {
      const atc = env['ATC_EXTERNAL_URL']
      const pipeline = joinPath(atc, 'teams', env['BUILD_TEAM_NAME'], 'pipelines', env['BUILD_PIPELINE_NAME'])
      return {
        pipelineName: joinPath(env['BUILD_PIPELINE_NAME'], env['BUILD_JOB_NAME']),
        pipelineUrl: pipeline,
        runId: env['BUILD_ID'],
        buildNumber: env['BUILD_NAME'],
        runUrl:
          joinPath(pipeline, 'jobs', env['BUILD_JOB_NAME'], 'builds', env['BUILD_NAME']) ??
          joinPath(atc, 'builds', env['BUILD_ID']),
      }
    },
  },
]
