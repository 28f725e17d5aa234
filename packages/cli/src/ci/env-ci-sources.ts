import { readFileSync } from 'node:fs'
import { firstNonEmpty, parseTime, joinPath, shortRef } from './ci-metadata.ts'
import type { CiMetadata, Env } from './ci-metadata.ts'

type EnvCiSource = { source: string; metadata: (env: Env) => CiMetadata }

/** Services by their env-ci name, each with its source slug and the metadata that env-ci does not provide. */
export const envCiSources: Record<string, EnvCiSource> = {
  appveyor: {
    source: 'appveyor',
    metadata: (env) => {
      const project = joinPath(
        env['APPVEYOR_URL'] ?? 'https://ci.appveyor.com',
        'project',
        env['APPVEYOR_ACCOUNT_NAME'],
        env['APPVEYOR_PROJECT_SLUG'],
      )
      return {
        pipelineName: env['APPVEYOR_PROJECT_NAME'],
        pipelineUrl: project,
        runUrl: joinPath(project, 'builds', env['APPVEYOR_BUILD_ID']),
        buildNumber: env['APPVEYOR_BUILD_NUMBER'],
        commit: env['APPVEYOR_PULL_REQUEST_HEAD_COMMIT'],
        mergeCommit: env['APPVEYOR_REPO_COMMIT'],
        branch: env['APPVEYOR_PULL_REQUEST_HEAD_REPO_BRANCH'] ?? env['APPVEYOR_REPO_BRANCH'],
        repoUrl: hostedRepoUrl(env['APPVEYOR_REPO_PROVIDER'], env['APPVEYOR_REPO_NAME']),
        hostType: { git: 'git', mercurial: 'hg', subversion: 'svn' }[env['APPVEYOR_REPO_SCM'] ?? ''],
      }
    },
  },
  azurePipelines: {
    source: 'azure-devops',
    metadata: (env) => {
      const collection = env['SYSTEM_COLLECTIONURI'] ?? env['SYSTEM_TEAMFOUNDATIONCOLLECTIONURI']
      const project = joinPath(collection, encodeURIComponent(env['SYSTEM_TEAMPROJECT'] ?? ''))
      const ref = env['SYSTEM_PULLREQUEST_SOURCEBRANCH'] ?? env['BUILD_SOURCEBRANCH']
      const build = env['BUILD_BUILDID']
      const definition = env['SYSTEM_DEFINITIONID']
      return {
        pipelineName: env['BUILD_DEFINITIONNAME'],
        pipelineUrl: project && definition ? `${project}/_build?definitionId=${definition}` : undefined,
        runId: build,
        runUrl: project && build ? `${project}/_build/results?buildId=${build}` : undefined,
        buildNumber: env['BUILD_BUILDNUMBER'],
        startedAt: parseTime(env['SYSTEM_PIPELINESTARTTIME']),
        commit: env['SYSTEM_PULLREQUEST_SOURCECOMMITID'],
        mergeCommit: env['BUILD_SOURCEVERSION'],
        branch: ref?.startsWith('refs/tags/') ? '' : shortRef(ref),
        tag: ref?.startsWith('refs/tags/') ? shortRef(ref) : undefined,
        repoName: env['BUILD_REPOSITORY_NAME'],
        repoUrl: env['BUILD_REPOSITORY_URI'],
        hostType: env['BUILD_REPOSITORY_PROVIDER'] === 'Svn' ? 'svn' : undefined,
        host: env['BUILD_REPOSITORY_PROVIDER'] === 'TfsGit' ? 'azure-repos' : undefined,
      }
    },
  },
  bamboo: {
    source: 'bamboo',
    metadata: (env) => ({
      pipelineName: env['bamboo_planName'] ?? env['bamboo_planKey'],
      runId: env['bamboo_buildResultKey'],
      buildNumber: env['bamboo_buildNumber'],
      runUrl: env['bamboo_buildResultsUrl'] ?? env['bamboo_resultsUrl'],
      startedAt: parseTime(env['bamboo_buildTimeStamp']),
      branch: env['bamboo_planRepository_branchName'],
      commit: env['bamboo_planRepository_revision'],
      repoName: env['bamboo_planRepository_1_name'] ?? env['bamboo_planRepository_name'],
      repoUrl: env['bamboo_planRepository_1_repositoryUrl'] ?? env['bamboo_planRepository_repositoryUrl'],
      hostType: env['bamboo_planRepository_1_type']?.includes('svn') ? 'svn' : undefined,
    }),
  },
  bitbucket: {
    source: 'bitbucket-pipelines',
    metadata: (env) => {
      const repo = joinPath('https://bitbucket.org', env['BITBUCKET_REPO_FULL_NAME'])
      return {
        pipelineUrl: joinPath(repo, 'pipelines'),
        runUrl: joinPath(repo, 'pipelines', 'results', env['BITBUCKET_BUILD_NUMBER']),
        buildNumber: env['BITBUCKET_BUILD_NUMBER'],
        repoUrl: repo,
      }
    },
  },
  bitrise: {
    source: 'bitrise',
    metadata: (env) => ({
      pipelineName: env['BITRISE_TRIGGERED_WORKFLOW_TITLE'] ?? env['BITRISE_TRIGGERED_WORKFLOW_ID'],
      pipelineUrl: env['BITRISE_APP_URL'],
      buildNumber: env['BITRISE_BUILD_NUMBER'],
      startedAt: parseTime(env['BITRISE_BUILD_TRIGGER_TIMESTAMP']),
      branch: env['BITRISE_GIT_BRANCH'],
      commit: env['BITRISE_GIT_COMMIT'] ?? env['GIT_CLONE_COMMIT_HASH'],
      repoName: joinPath(env['BITRISEIO_GIT_REPOSITORY_OWNER'], env['BITRISEIO_GIT_REPOSITORY_SLUG']) ?? '',
      repoUrl: env['GIT_REPOSITORY_URL'],
    }),
  },
  buildkite: {
    source: 'buildkite',
    metadata: (env) => ({
      pipelineName: env['BUILDKITE_PIPELINE_NAME'] ?? env['BUILDKITE_PIPELINE_SLUG'],
      pipelineUrl: joinPath(
        'https://buildkite.com',
        env['BUILDKITE_ORGANIZATION_SLUG'],
        env['BUILDKITE_PIPELINE_SLUG'],
      ),
      buildNumber: env['BUILDKITE_BUILD_NUMBER'],
      branch: env['BUILDKITE_BRANCH'],
      repoUrl: env['BUILDKITE_REPO'],
    }),
  },
  circleci: {
    source: 'circleci',
    metadata: (env) => ({
      pipelineName: env['CIRCLE_JOB'],
      buildNumber: env['CIRCLE_BUILD_NUM'],
      repoUrl: env['CIRCLE_REPOSITORY_URL'],
    }),
  },
  cirrus: {
    source: 'cirrus-ci',
    metadata: (env) => ({
      pipelineName: env['CIRRUS_TASK_NAME'],
      branch: env['CIRRUS_BRANCH'],
      repoUrl: env['CIRRUS_REPO_CLONE_URL'],
    }),
  },
  codebuild: {
    source: 'aws-codebuild',
    metadata: (env) => {
      const [, , , region, account, build = ''] = env['CODEBUILD_BUILD_ARN']?.split(':') ?? []
      const project = env['CODEBUILD_BUILD_ID']?.split(':')[0]
      const id = encodeURIComponent(env['CODEBUILD_BUILD_ID'] ?? '')
      const base = `https://${region}.console.aws.amazon.com/codesuite/codebuild/${account}/projects/${project}`
      const ref = env['CODEBUILD_WEBHOOK_HEAD_REF']
      return {
        pipelineName: project,
        pipelineUrl: build ? `${base}/?region=${region}` : undefined,
        runUrl: build ? `${base}/build/${id}/?region=${region}` : undefined,
        buildNumber: env['CODEBUILD_BUILD_NUMBER'],
        startedAt: parseTime(env['CODEBUILD_START_TIME']),
        branch: ref?.startsWith('refs/heads/') ? shortRef(ref) : undefined,
        tag: ref?.startsWith('refs/tags/') ? shortRef(ref) : undefined,
        commit: env['CODEBUILD_RESOLVED_SOURCE_VERSION'],
        repoUrl: env['CODEBUILD_SOURCE_REPO_URL'],
      }
    },
  },
  drone: {
    source: 'drone',
    metadata: (env) => ({
      pipelineName: env['DRONE_STAGE_NAME'],
      pipelineUrl: env['DRONE_SYSTEM_HOST']
        ? joinPath(`${env['DRONE_SYSTEM_PROTO'] ?? 'https'}://${env['DRONE_SYSTEM_HOST']}`, env['DRONE_REPO'])
        : undefined,
      buildNumber: env['DRONE_BUILD_NUMBER'],
      startedAt: parseTime(env['DRONE_BUILD_STARTED']),
      commitUrl: env['DRONE_COMMIT_LINK'],
      repoName: env['DRONE_REPO'],
      repoUrl: env['DRONE_REPO_LINK'],
    }),
  },
  github: {
    source: 'ghactions',
    metadata: (env) => {
      const metadata = actionsMetadata(env)
      const { repoUrl } = metadata
      const workflow = /\/\.github\/workflows\/([^@]+)@/.exec(env['GITHUB_WORKFLOW_REF'] ?? '')?.[1]
      const run = joinPath(repoUrl, 'actions/runs', env['GITHUB_RUN_ID'])
      const attempt = Number(env['GITHUB_RUN_ATTEMPT'] ?? 1)
      return {
        ...metadata,
        pipelineUrl: joinPath(repoUrl, 'actions/workflows', workflow),
        runUrl: run && attempt > 1 ? `${run}/attempts/${attempt}` : run,
        // The host name of a GitHub Enterprise server can be anything.
        host: repoUrl === undefined ? undefined : 'github',
      }
    },
  },
  gitlab: {
    source: 'gitlab-ci',
    metadata: (env) => ({
      pipelineName: env['CI_PIPELINE_NAME'] ?? env['CI_JOB_NAME'],
      pipelineUrl: joinPath(env['CI_PROJECT_URL'], '-/pipelines'),
      runUrl: env['CI_PIPELINE_URL'] ?? joinPath(env['CI_PROJECT_URL'], '-/pipelines', env['CI_PIPELINE_ID']),
      buildNumber: env['CI_PIPELINE_IID'],
      startedAt: parseTime(env['CI_PIPELINE_CREATED_AT'] ?? env['CI_JOB_STARTED_AT']),
      // In a merged results pipeline, CI_COMMIT_SHA is a merge commit.
      commit: firstNonEmpty(env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'], env['CI_COMMIT_SHA']),
      mergeCommit: env['CI_COMMIT_SHA'],
      branch: env['CI_COMMIT_TAG']
        ? ''
        : (env['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'] ?? env['CI_COMMIT_BRANCH']),
      repoUrl: env['CI_PROJECT_URL'],
      host: env['CI_SERVER_HOST'] === 'gitlab.com' ? 'gitlab' : 'gitlab-self',
    }),
  },
  jenkins: {
    source: 'jenkins',
    metadata: (env) => ({
      pipelineName: env['JOB_NAME'],
      pipelineUrl: env['JOB_URL'],
      buildNumber: env['BUILD_NUMBER'],
      branch: env['TAG_NAME']
        ? ''
        : shortRef(env['CHANGE_BRANCH'] ?? env['BRANCH_NAME'] ?? env['GIT_BRANCH']),
      tag: env['TAG_NAME'],
      commit: env['GIT_COMMIT'] ?? env['P4_CHANGELIST'] ?? env['SVN_REVISION'] ?? env['MERCURIAL_REVISION'],
      repoUrl: env['GIT_URL'] ?? env['GIT_URL_1'] ?? env['SVN_URL'],
      ...detectOtherVersionControl(env),
    }),
  },
  semaphore: {
    source: 'semaphore',
    metadata: (env) => ({
      pipelineName: env['SEMAPHORE_PROJECT_NAME'],
      pipelineUrl: joinPath(env['SEMAPHORE_ORGANIZATION_URL'], 'projects', env['SEMAPHORE_PROJECT_NAME']),
      runId: env['SEMAPHORE_WORKFLOW_ID'],
      buildNumber: env['SEMAPHORE_WORKFLOW_NUMBER'],
      commit: firstNonEmpty(env['SEMAPHORE_GIT_PR_SHA'], env['SEMAPHORE_GIT_SHA']),
      mergeCommit: env['SEMAPHORE_GIT_SHA'],
      runUrl: joinPath(env['SEMAPHORE_ORGANIZATION_URL'], 'workflows', env['SEMAPHORE_WORKFLOW_ID']),
      branch: env['SEMAPHORE_GIT_TAG_NAME']
        ? ''
        : (env['SEMAPHORE_GIT_PR_BRANCH'] ?? env['SEMAPHORE_GIT_WORKING_BRANCH']),
      repoUrl: env['SEMAPHORE_GIT_URL'],
    }),
  },
  teamcity: {
    source: 'teamcity',
    metadata: (env) => ({
      pipelineName: env['TEAMCITY_BUILDCONF_NAME'],
      runUrl: env['BUILD_URL'],
      buildNumber: env['BUILD_NUMBER'],
      // env-ci reports the name of the build configuration as the repository name.
      repoName: '',
    }),
  },
  travis: {
    source: 'travisci',
    metadata: (env) => ({
      pipelineName: env['TRAVIS_JOB_NAME'] ?? env['TRAVIS_REPO_SLUG'],
      buildNumber: env['TRAVIS_BUILD_NUMBER'],
      commit: firstNonEmpty(env['TRAVIS_PULL_REQUEST_SHA'], env['TRAVIS_COMMIT']),
      mergeCommit: env['TRAVIS_COMMIT'],
      branch: env['TRAVIS_TAG'] ? '' : firstNonEmpty(env['TRAVIS_PULL_REQUEST_BRANCH'], env['TRAVIS_BRANCH']),
    }),
  },
}

/** Returns the metadata that GitHub Actions shares with the compatible services of Gitea and Forgejo. */
export function actionsMetadata(env: Env): CiMetadata {
  const tag = env['GITHUB_REF_TYPE'] === 'tag' || env['GITHUB_REF']?.startsWith('refs/tags/')
  return {
    pipelineName: env['GITHUB_WORKFLOW'],
    buildNumber: env['GITHUB_RUN_NUMBER'],
    branch: tag ? '' : firstNonEmpty(env['GITHUB_HEAD_REF'], shortRef(env['GITHUB_REF'])),
    tag: tag ? shortRef(env['GITHUB_REF']) : undefined,
    // For a pull request, GITHUB_SHA is a merge commit that exists only for the run.
    commit: firstNonEmpty(pullRequestHead(env['GITHUB_EVENT_PATH']), env['GITHUB_SHA']),
    mergeCommit: env['GITHUB_SHA'],
    repoUrl: joinPath(env['GITHUB_SERVER_URL'], env['GITHUB_REPOSITORY']),
  }
}

function pullRequestHead(eventPath: string | undefined): string | undefined {
  if (!eventPath) return undefined
  try {
    const event = JSON.parse(readFileSync(eventPath, 'utf8')) as {
      pull_request?: { head?: { sha?: unknown } }
    }
    const sha = event.pull_request?.head?.sha
    return typeof sha === 'string' ? sha : undefined
  } catch {
    return undefined
  }
}

function detectOtherVersionControl(env: Env): CiMetadata {
  if (env['GIT_COMMIT']) return {}
  if (env['P4_CHANGELIST']) return { hostType: 'perforce', host: 'perforce' }
  if (env['SVN_REVISION']) return { hostType: 'svn' }
  return env['MERCURIAL_REVISION'] ? { hostType: 'hg' } : {}
}

function hostedRepoUrl(provider: string | undefined, name: string | undefined): string | undefined {
  const origins: Record<string, string> = {
    github: 'https://github.com',
    bitbucket: 'https://bitbucket.org',
    gitlab: 'https://gitlab.com',
  }
  return joinPath(origins[provider?.toLowerCase() ?? ''], name)
}
