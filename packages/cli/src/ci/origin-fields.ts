import type { RequestUploadParams } from '@quayside/sdk'
import { firstNonEmpty } from './ci-metadata.ts'
import type { CiMetadata } from './ci-metadata.ts'
import type { CiRun } from './detect-ci.ts'
import type { LocalGit } from './local-git.ts'
import { commitUrl, parseRepository } from './repository.ts'

type UploadBody = RequestUploadParams['body']
type OriginField = 'source' | 'custom_build_number' | `ci_${string}` | `vc_${string}`

/** The fields of an upload request that describe the origin of the build. */
export type OriginFields = Pick<UploadBody, Extract<keyof UploadBody, OriginField>>

/**
 * Returns the CI metadata, completed with values from the local repository. Truncates values to the limits of the API.
 */
export function originFields(run: CiRun, git: LocalGit, now: Date): OriginFields {
  const ciRepository = parseRepository(run.repoUrl)
  const isRepositoryUnknown = run.repoUrl !== '' && ciRepository.url === undefined
  const repository = isRepositoryUnknown ? parseRepository(git.remoteUrl) : ciRepository
  const host = run.host ?? repository.host
  const commit = firstNonEmpty(run.commit, git.commit)
  // A commit that is a decimal number is a Subversion revision or a Perforce changelist.
  const isGit = commit === undefined ? repository.url !== undefined : !/^\d{1,12}$/.test(commit)
  const type = run.hostType ?? (isGit ? 'git' : undefined)
  const fields: Record<string, string | undefined> = {
    source: run.source,
    custom_build_number: run.buildNumber?.slice(0, 100),
    ci_pipeline: run.pipelineName?.slice(0, 100),
    ci_pipeline_url: webUrl(run.pipelineUrl),
    ci_run_id: run.runId?.slice(0, 100),
    ci_run_url: webUrl(run.runUrl),
    ci_build_duration: run.startedAt && formatElapsed(run.startedAt, now),
    vc_host_type: type,
    vc_host: host,
    vc_repo_name: firstNonEmpty(run.repoName, repository.name)?.slice(0, 255),
    vc_repo_url: repository.url,
    vc_branch: (run.branch ?? git.branch)?.slice(0, 255),
    vc_commit_sha: commit?.slice(0, 64),
    vc_commit_url: webUrl(run.commitUrl) ?? commitUrl({ ...repository, ...(host ? { host } : {}) }, commit),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as OriginFields
}

/** Returns `git`, or an empty object if the local repository has a different commit checked out than the CI run. */
export function localGitOf(run: CiRun, git: LocalGit): LocalGit {
  const commit = firstNonEmpty(run.commit)
  const isSame =
    commit === undefined || git.commit?.startsWith(commit) === true || git.commit === run.mergeCommit
  return isSame ? git : {}
}

/** The `quayside upload` options that override the detected origin. */
export type OriginOptions = {
  branch?: string
  commit?: string
  runId?: string
  runUrl?: string
  repository?: string
}

/** Returns a copy of the CI run in which values from the options override the detected metadata. */
export function withOriginOptions(run: CiRun, options: OriginOptions): CiRun {
  const { branch, commit, runId, runUrl, repository } = options
  return {
    ...run,
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit, commitUrl: undefined }),
    ...(runId === undefined ? {} : { runId }),
    ...(runUrl === undefined ? {} : { runUrl }),
    ...(repository === undefined ? {} : repositoryMetadata(repository)),
  }
}

/** Accepts a URL, or any other string as the name of a repository without a URL. */
function repositoryMetadata(repository: string): CiMetadata {
  const isUrl = parseRepository(repository).url !== undefined
  const names = isUrl ? { repoUrl: repository, repoName: undefined } : { repoUrl: '', repoName: repository }
  return { ...names, commitUrl: undefined, hostType: undefined, host: undefined }
}

/** Returns the elapsed time as HH:MM:SS. Returns undefined if `from` is in the future or over 100 hours ago. */
function formatElapsed(from: Date, to: Date): string | undefined {
  const seconds = Math.round((to.getTime() - from.getTime()) / 1000)
  if (seconds < 0 || seconds >= 100 * 3600) return undefined
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

function webUrl(text: string | undefined): string | undefined {
  return text && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : undefined
}
