import { Type } from 'typebox'
import { Nullable } from '../../http/endpoint/fields.ts'
import type { BuildRow } from './build.db.ts'
import { webLink } from './web-link.ts'

const text = Nullable(Type.String())

const reportedAddress = Nullable(
  Type.String({
    description: 'Any text, as reported by the client. `links` contains a URL that is safe to follow.',
  }),
)
const link = (field: string) =>
  Nullable(
    Type.String({
      description: `HTTP or HTTPS URL of the web page for \`${field}\`, or \`null\` if there is none. For example, \`git@github.com:acme/app.git\` becomes \`https://github.com/acme/app\`.`,
    }),
  )

const BuildLinks = Type.Object(
  {
    ci_pipeline_url: link('ci_pipeline_url'),
    ci_run_url: link('ci_run_url'),
    scm_repo_url: link('scm_repo_url'),
    scm_commit_url: link('scm_commit_url'),
  },
  { title: 'BuildLinks' },
)

const CiPipeline = Type.Object(
  {
    ci_pipeline_name: text,
    ci_pipeline_url: reportedAddress,
    ci_run_id: text,
    ci_run_url: reportedAddress,
    ci_build_duration: Nullable(Type.String({ description: 'Build duration in the format `HH:MM:SS`.' })),
  },
  { title: 'CiPipeline' },
)

const Scm = Type.Object(
  {
    scm_host_type: text,
    scm_host: text,
    scm_repo_name: text,
    scm_repo_url: reportedAddress,
    scm_branch: text,
    scm_commit_sha: text,
    scm_commit_sha_short: text,
    scm_commit_url: reportedAddress,
  },
  { title: 'Scm' },
)

/** The build fields that describe the CI run and commit of the build. */
export const originFields = { ci_pipeline: CiPipeline, scm: Scm, links: BuildLinks }

/** Returns the CI run and commit as the client reported them, with links derived from the reported addresses. */
export function buildOrigin(row: BuildRow) {
  return {
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
    links: {
      ci_pipeline_url: webLink(row.ci_pipeline_url),
      ci_run_url: webLink(row.ci_run_url),
      scm_repo_url: webLink(row.scm_repo_url),
      scm_commit_url: webLink(row.scm_commit_url),
    },
  }
}
