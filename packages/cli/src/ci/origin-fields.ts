import type { RequestUploadParams } from '@quayside/sdk'
import { firstText } from './ci-facts.ts'
import type { CiRun } from './detect-ci.ts'
import type { LocalGit } from './local-git.ts'
import { commitUrl, readRepository } from './repository.ts'

type UploadBody = RequestUploadParams['body']
type OriginField = 'source' | `ci_${string}` | `vc_${string}`

/** The fields of an upload request that say where the build comes from. */
export type OriginFields = Pick<UploadBody, Extract<keyof UploadBody, OriginField>>

/** CI facts first, the local repository where CI says nothing; texts cut to what the service takes. */
export function originFields(run: CiRun, git: LocalGit, now: Date): OriginFields {
  const told = readRepository(run.repoUrl)
  const local = readRepository(git.remoteUrl)
  const repository = told.url ? told : local
  const host = run.host ?? repository.host
  const commit = firstText(run.commit, git.commit)
  const type = run.hostType ?? (firstText(commit, repository.url) === undefined ? undefined : 'git')
  const fields: Record<string, string | undefined> = {
    source: run.source,
    ci_pipeline: run.pipelineName?.slice(0, 100),
    ci_pipeline_url: webUrl(run.pipelineUrl),
    ci_run_id: run.runId?.slice(0, 100),
    ci_run_url: webUrl(run.runUrl),
    ci_build_duration: run.startedAt && duration(run.startedAt, now),
    vc_host_type: type,
    vc_host: host,
    vc_repo_name: firstText(run.repoName, repository.name)?.slice(0, 255),
    vc_repo_url: repository.url,
    vc_branch: (run.branch ?? git.branch)?.slice(0, 255),
    vc_commit_sha: commit?.slice(0, 64),
    vc_commit_url: webUrl(run.commitUrl) ?? commitUrl({ ...repository, ...(host ? { host } : {}) }, commit),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as OriginFields
}

/** HH:MM:SS between two instants; undefined where the clock of the CI service is ahead or a day has passed. */
function duration(from: Date, to: Date): string | undefined {
  const seconds = Math.round((to.getTime() - from.getTime()) / 1000)
  if (seconds < 0 || seconds >= 100 * 3600) return undefined
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

function webUrl(text: string | undefined): string | undefined {
  return text && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : undefined
}
