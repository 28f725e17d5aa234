import { Type, type Static } from 'typebox'
import { Nullable } from '../../http/endpoint/fields.ts'
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

export const BuildLinks = Type.Object(
  {
    ci_pipeline_url: link('ci_pipeline_url'),
    ci_run_url: link('ci_run_url'),
    scm_repo_url: link('scm_repo_url'),
    scm_commit_url: link('scm_commit_url'),
  },
  { title: 'BuildLinks' },
)

export const CiPipeline = Type.Object(
  {
    ci_pipeline_name: text,
    ci_pipeline_url: reportedAddress,
    ci_run_id: text,
    ci_run_url: reportedAddress,
    ci_build_duration: Nullable(Type.String({ description: 'Build duration in the format `HH:MM:SS`.' })),
  },
  { title: 'CiPipeline' },
)

export const Scm = Type.Object(
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

/** The reported addresses from which the links of a build are derived. */
export const linkedAddresses = ['ci_pipeline_url', 'ci_run_url', 'scm_repo_url', 'scm_commit_url'] as const

/** Returns the links for the reported addresses. */
export const buildLinks = (addresses: readonly (string | null)[]) =>
  Object.fromEntries(
    linkedAddresses.map((name, index) => [name, webLink(addresses[index] ?? null)]),
  ) as Static<typeof BuildLinks>
