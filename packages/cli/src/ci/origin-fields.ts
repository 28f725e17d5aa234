import type { RequestUploadParams } from '@quayside/sdk'
import { firstNonEmpty } from './ci-metadata.ts'
import type { CiRun } from './detect-ci.ts'
import type { LocalGit } from './local-git.ts'
import { commitUrl, parseRepository } from './repository.ts'

type UploadBody = RequestUploadParams['body']
type OriginField = 'source' | `ci_${string}` | `vc_${string}`

/** The fields of an upload request that describe the origin of the build. */
export type OriginFields = Pick<UploadBody, Extract<keyof UploadBody, OriginField>>

/** Combines CI metadata with values from the local repository if missing. Truncates text to the API limits. */
export function originFields(run: CiRun, git: LocalGit, now: Date): OriginFields {
  const ciRepository = parseRepository(run.repoUrl)
  const repository = ciRepository.url ? ciRepository : parseRepository(git.remoteUrl)
  const host = run.host ?? repository.host
  const commit = firstNonEmpty(run.commit, git.commit)
  const type = run.hostType ?? (firstNonEmpty(commit, repository.url) === undefined ? undefined : 'git')
  const fields: Record<string, string | undefined> = {
    source: run.source,
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
