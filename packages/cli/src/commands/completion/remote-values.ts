import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { anySignal } from '@quayside/sdk'
import type { Env } from '../../ci/ci-metadata.ts'
import { createContextOf } from '../../command-context.ts'
import type { Runtime } from '../../command-context.ts'
import { writePrivateFile } from '../../files/private-file.ts'
import { userFolder } from '../../files/user-folder.ts'
import type { SettingOptions } from '../../settings.ts'
import { listValues } from './list-values.ts'
import type { RemoteKind, RemoteOptions } from './list-values.ts'

export type Candidate = [value: string, description: string]

/** How long the shell waits for the server by default. */
const defaultTimeLimitMs = 1_500
/** How long values are used without asking the server again, so that each key press is fast. */
const freshMs = 30_000
/** How long values are used if the server does not respond. */
const staleMs = 24 * 3_600_000

type Cached = { at: number; values: Candidate[] }

/**
 * Returns the values of a kind that exist on the server, such as the names of its applications. Returns the values of an
 * earlier call, or none, if the server does not respond in time or rejects the request.
 */
export async function findRemoteValues(
  kind: RemoteKind,
  settings: SettingOptions,
  options: RemoteOptions,
  runtime: Runtime,
): Promise<Candidate[]> {
  const signal = anySignal([runtime.signal, AbortSignal.timeout(timeLimit(runtime.env))])
  const context = createContextOf(settings, { ...runtime, stderr: { write: () => true }, signal })
  const { server, key, application } = context.settings
  const id = [server, key ?? '', application ?? '', kind, JSON.stringify(options)].join('\n')
  const path = cachePath(runtime.env, id)
  const cached = await readCache(path)
  const age = cached === undefined ? Infinity : Date.now() - cached.at
  if (cached !== undefined && age < freshMs) return cached.values
  try {
    const values = (await listValues[kind](context, options)).filter(isOneLine)
    await writeCache(path, { at: Date.now(), values })
    return values
  } catch {
    return cached !== undefined && age < staleMs ? cached.values : []
  } finally {
    context.agents.close()
  }
}

function timeLimit(env: Env): number {
  const milliseconds = Number(env['QUAYSIDE_COMPLETION_TIMEOUT_MS'])
  return Number.isInteger(milliseconds) && milliseconds > 0 && milliseconds < 2 ** 31
    ? milliseconds
    : defaultTimeLimitMs
}

const isOneLine = ([value]: Candidate): boolean => !/\p{Cc}/u.test(value)

function cachePath(env: Env, id: string): string {
  const name = createHash('sha256').update(id).digest('hex').slice(0, 32)
  return join(userFolder(env, 'cache'), 'completion', `${name}.json`)
}

async function readCache(path: string): Promise<Cached | undefined> {
  try {
    const cached = JSON.parse(await readFile(path, 'utf8')) as Cached
    return Number.isFinite(cached.at) && Array.isArray(cached.values) ? cached : undefined
  } catch {
    return undefined
  }
}

/** Names of applications and builds may be confidential, so only the user can read the file. */
async function writeCache(path: string, cached: Cached): Promise<void> {
  try {
    await writePrivateFile(path, JSON.stringify(cached))
  } catch {
    // Without a cache, the next completion asks the server again.
  }
}
