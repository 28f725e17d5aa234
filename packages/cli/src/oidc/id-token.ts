import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { anySignal, networkReason, retryDelayMs } from '@quayside/sdk'
import { firstNonEmpty } from '../ci/ci-metadata.ts'
import type { Env } from '../ci/ci-metadata.ts'
import { Failure } from '../failure.ts'

/** A CI system that issues OIDC tokens to its jobs. */
export type IdTokenSource = {
  name: string
  /** Whether each request returns a new token. Otherwise, the job has the same token until it ends. */
  isRenewable: boolean
  /**
   * Returns a token for this audience. A token that is not renewable has the audience set in the job's configuration.
   */
  request(audience: string, signal: AbortSignal): Promise<string>
}

// Variables for tokens that the CI system issues once per job.
const tokenVariables = ['QUAYSIDE_ID_TOKEN', 'CIRCLE_OIDC_TOKEN_V2']

/** Returns the source of OIDC tokens in this environment, or undefined if there is none. */
export function findIdTokenSource(env: Env): IdTokenSource | undefined {
  const variable = tokenVariables.find((name) => firstNonEmpty(env[name]) !== undefined)
  const explicit = variable === 'QUAYSIDE_ID_TOKEN' ? variable : undefined
  const requestUrl = firstNonEmpty(env['ACTIONS_ID_TOKEN_REQUEST_URL'])
  const requestToken = firstNonEmpty(env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'])
  if (explicit === undefined && requestUrl !== undefined && requestToken !== undefined) {
    return {
      name: 'GitHub Actions',
      isRenewable: true,
      request: (audience, signal) => requestActionsToken(requestUrl, requestToken, audience, signal),
    }
  }
  if (variable !== undefined) {
    return { name: variable, isRenewable: false, request: () => Promise.resolve(env[variable]?.trim() ?? '') }
  }
  if (firstNonEmpty(env['BUILDKITE_AGENT_ACCESS_TOKEN']) === undefined) return undefined
  return {
    name: 'Buildkite',
    isRenewable: true,
    request: (audience, signal) => requestBuildkiteToken(env, audience, signal),
  }
}

/**
 * Returns what to do to make tokens available in the current CI run, such as "add … to the job". Returns undefined
 * outside the known CI systems.
 */
export function idTokenAdvice(env: Env): string | undefined {
  if (env['GITHUB_ACTIONS']) return 'add `permissions: { id-token: write }` to the job'
  if (env['GITLAB_CI']) return 'add `id_tokens: { QUAYSIDE_ID_TOKEN: { aud: <server URL> } }` to the job'
  return undefined
}

/** Explains how to make tokens available in this environment. */
export function missingIdTokenMessage(env: Env): string {
  const advice = env['GITHUB_ACTIONS']
    ? 'Add `permissions: { id-token: write }` to the job.'
    : 'In GitLab CI, add `id_tokens: { QUAYSIDE_ID_TOKEN: { aud: <server URL> } }` to the job; elsewhere, set QUAYSIDE_ID_TOKEN.'
  return `This environment provides no OIDC token. ${advice}`
}

async function requestActionsToken(
  url: string,
  bearer: string,
  audience: string,
  signal: AbortSignal,
): Promise<string> {
  const address = new URL(url)
  address.searchParams.set('audience', audience)
  for (let attempt = 0; ; attempt++) {
    const result = await fetchActionsToken(address, bearer, signal)
    if (typeof result === 'string') return result
    if (attempt === 2 || result.kind === 'not_allowed') throw result
    await sleep(retryDelayMs(attempt, null), undefined, { signal })
  }
}

async function fetchActionsToken(
  address: URL,
  bearer: string,
  signal: AbortSignal,
): Promise<string | Failure> {
  const message = (reason: string) => `GitHub Actions did not issue an OIDC token (${reason}). Rerun the job.`
  try {
    const response = await fetch(address, {
      headers: { authorization: `bearer ${bearer}` },
      signal: anySignal([signal, AbortSignal.timeout(30_000)]),
    })
    if (response.ok) return ((await response.json()) as { value: string }).value
    await response.body?.cancel()
    const kind = response.status < 500 ? 'not_allowed' : 'unreachable'
    return new Failure(kind, message(`HTTP ${response.status}`))
  } catch (error) {
    signal.throwIfAborted()
    return new Failure('unreachable', message(networkReason(error)), { cause: error })
  }
}

async function requestBuildkiteToken(env: Env, audience: string, signal: AbortSignal): Promise<string> {
  const args = ['oidc', 'request-token', '--audience', audience]
  try {
    const { stdout } = await promisify(execFile)('buildkite-agent', args, { env, signal, timeout: 60_000 })
    return stdout.trim()
  } catch (error) {
    signal.throwIfAborted()
    const { stderr = '', message } = error as { stderr?: string; message: string }
    const reason = (stderr.trim().split('\n').at(-1) ?? '') || message
    throw new Failure(
      'not_allowed',
      `buildkite-agent did not issue an OIDC token (${reason}). Correct the problem, then rerun the job.`,
      {
        cause: error,
      },
    )
  }
}
