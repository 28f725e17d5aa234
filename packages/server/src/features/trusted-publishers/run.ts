import { textsOf, type Claims } from './claims.ts'

const mostLength = 200

// Which run of which pipeline it was: claims of GitHub, GitLab, Buildkite and CircleCI, and the standard ones.
const telling = (
  'iss sub aud jti repository repository_id ref sha workflow_ref job_workflow_ref run_id run_attempt actor event_name ' +
  'environment project_path project_id pipeline_id pipeline_source job_id user_login organization_slug pipeline_slug ' +
  'build_number build_branch build_commit'
).split(' ')

/** What the audit log keeps of a token: the claims that name the run it was made for. */
export function runOf(claims: Claims): Record<string, string> {
  const known = telling.filter((name) => Object.hasOwn(claims, name))
  return Object.fromEntries(known.map((name) => [name, plain(textsOf(claims, name).join(', '))]))
}

/** A claim as the author of a workflow reads it in an error. */
export function said(claims: Claims, name: string): string {
  if (!Object.hasOwn(claims, name)) return 'missing'
  const texts = textsOf(claims, name)
  return texts.length === 0
    ? 'neither text nor number'
    : texts
        .map((text) => `"${plain(text)}"`)
        .join(', ')
        .slice(0, 500)
}

/** Text of a stranger, fit to be stored and shown: of its length, without control characters or half characters. */
export const plain = (text: string): string =>
  text
    .slice(0, mostLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
