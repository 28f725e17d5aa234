import { createClient, QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import { detectCi } from '../../ci/detect-ci.ts'
import { readLocalGit } from '../../ci/local-git.ts'
import { localGitOf, originFields } from '../../ci/origin-fields.ts'
import type { CommandContext } from '../../command-context.ts'
import { version } from '../../defaults.ts'
import { Failure, toFailureReport } from '../../failure.ts'
import { formatDuration, formatWrappedTable } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { requireKey } from '../../settings.ts'
import { requireKeyAttributes } from '../session/key-attributes.ts'
import { describeSource } from '../session/status.ts'

type Result = 'ok' | 'warning' | 'failed' | 'skipped'
type Check = { check: string; result: Result; details: string }
type Finding = Omit<Check, 'check'>

const maxClockSkewSeconds = 60

/** Runs the checks and prints their results. Throws if a check fails. */
export async function runDoctor(context: CommandContext): Promise<void> {
  const checks: Check[] = []
  /** Adds the result of a check and returns what it found, or undefined if it failed or cannot run. */
  const add = async <Found extends Finding>(check: string, find: () => Promise<Found>) => {
    const blocking = checks.find(({ result }) => result === 'failed')
    try {
      if (blocking) throw new Skipped(`Requires the check "${blocking.check}" to succeed.`)
      const found = await find()
      checks.push({ check, result: found.result, details: found.details })
      return found
    } catch (error) {
      context.signal.throwIfAborted()
      checks.push({ check, ...describeError(error) })
      return undefined
    }
  }
  await add('origin', () => findOrigin(context))
  const server = await add('server', () => findServer(context))
  await add('clock', async () => compareClocks(server?.date ?? null, Date.now()))
  await add('API key', () => findKey(context))
  const application = await add('application', () => findApplication(context))
  await add('URLs', () => findUrls(context, application?.id))
  report(context, checks)
}

function describeError(error: unknown): Finding {
  if (error instanceof Skipped) return { result: 'skipped', details: error.message }
  const { message } = toFailureReport(error)
  // A key that lacks the scopes for a check can still be valid.
  const isForbidden = error instanceof QuaysideError && error.status === 403
  return { result: isForbidden ? 'skipped' : 'failed', details: message }
}

/** Thrown by a check that cannot run. */
class Skipped extends Error {}

const ok = (details: string): Finding => ({ result: 'ok', details })

function report({ output }: CommandContext, checks: Check[]): void {
  output.result(checks, (columns) =>
    formatWrappedTable(
      ['CHECK', 'RESULT', 'DETAILS'],
      checks.map(({ check, result, details }) => [check, result, details]),
      { wrapped: 2, maxWidth: columns },
    ),
  )
  const failed = checks.filter(({ result }) => result === 'failed').map(({ check }) => check)
  if (failed.length > 0) throw new Failure('failed', `These checks failed: ${failed.join(', ')}.`)
}

async function findOrigin({ runtime }: CommandContext): Promise<Finding> {
  const run = detectCi(runtime.env)
  const notes: string[] = []
  const git = localGitOf(run, await readLocalGit(runtime.cwd, runtime.env, (note) => notes.push(note)))
  const { source, vc_branch, vc_commit_sha, vc_repo_name } = originFields(run, git, new Date())
  const fields = [
    `source ${source}`,
    ...(vc_repo_name === undefined ? [] : [`repository ${vc_repo_name}`]),
    ...(vc_branch === undefined ? [] : [`branch ${vc_branch}`]),
    ...(vc_commit_sha === undefined ? [] : [`commit ${vc_commit_sha.slice(0, 12)}`]),
  ]
  const details = [fields.join(', '), ...notes].join('. ')
  return { result: notes.length > 0 ? 'warning' : 'ok', details }
}

/** Sends a request without a key. Returns the `Date` header of the response. */
async function findServer(context: CommandContext): Promise<Finding & { date: string | null }> {
  const { connection, settings, signal } = context
  let date: string | null = null
  const client = createClient({
    ...connection,
    retries: 0,
    onResponse(response) {
      date = response.headers.get('date')
      connection.onResponse(response)
    },
  })
  await client.getWorkspace({}, { signal }).catch((error: unknown) => {
    if (!(error instanceof QuaysideError) || error.status !== 401) throw error
  })
  const source = describeSource(context, settings.serverSource, 'server')
  const versions = `Quayside ${connection.serverVersion() ?? 'of an unknown version'}; this CLI is version ${version}`
  return { ...ok(`${settings.server} (${source}): ${versions}`), date }
}

/** Compares the time of this computer with the `Date` header of a response. */
export function compareClocks(date: string | null, nowMs: number): Finding {
  if (date === null) throw new Skipped('The server did not send its time.')
  const skewSeconds = Math.abs(nowMs - Date.parse(date)) / 1000
  if (skewSeconds <= maxClockSkewSeconds) return ok('agrees with the server')
  const details = `differs from the clock of the server by ${formatDuration(skewSeconds)}. Synchronize both with a time server; expiration times such as 7d use this clock.`
  return { result: 'warning', details }
}

async function findKey(context: CommandContext): Promise<Finding> {
  const { settings, signal } = context
  if (settings.oidc) {
    await context.client().getWorkspace({}, { signal })
    return ok('received in exchange for the OIDC token of this CI run')
  }
  const { key_prefix, workspace, scopes } = await requireKeyAttributes(
    context,
    requireKey(settings, context.runtime.env),
  )
  const source = describeSource(context, settings.keySource, 'key')
  const scopeCount = scopes === null ? '' : `, scopes: ${scopes.length}`
  return ok(`${key_prefix}… (${source}), workspace ${workspace.name}${scopeCount}`)
}

async function findApplication(context: CommandContext): Promise<Finding & { id?: string }> {
  const { settings, signal } = context
  if (settings.application === undefined) {
    const { pagination } = await context.client().listApplications({ per_page: 1 }, { signal })
    if (pagination.total !== 1) return ok(`none selected; the key can access ${pagination.total}`)
  }
  const id = await requireApplicationId(context)
  return {
    ...ok(
      settings.application === undefined ? `${id}, the only application` : `${settings.application} (${id})`,
    ),
    id,
  }
}

/** Checks that the public URL of the server, which every build contains, is reachable from here. */
async function findUrls(context: CommandContext, application_id: string | undefined): Promise<Finding> {
  const { connection, settings, signal } = context
  if (application_id === undefined)
    throw new Skipped('Requires an application. Select one with --application.')
  const { data } = await context.client().listBuilds({ application_id, per_page: 1 }, { signal })
  const [build] = data
  if (!build) throw new Skipped('Requires a build in the application.')
  const { origin } = new URL(build.modal_url)
  if (origin === new URL(settings.server).origin) return ok(origin)
  try {
    const response = await connection.fetch(`${origin}/livez`, { signal })
    await response.body?.cancel()
    if (response.ok) return ok(`${origin} is reachable`)
    throw new Error(`HTTP ${response.status}`)
  } catch (error) {
    const { message } = new QuaysideUnreachableError(origin, error)
    throw new Failure(
      'failed',
      `${message}. The server uses this URL in its responses. Correct QUAYSIDE_PUBLIC_URL on the server.`,
    )
  }
}
