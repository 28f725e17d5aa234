import { createClient } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import type { Command } from 'commander'
import type { Env } from './ci/ci-metadata.ts'
import { createConnection } from './connection.ts'
import type { Connection } from './connection.ts'
import { hostsPath, hostsWarning } from './hosts.ts'
import { createOidcKey } from './oidc/oidc-key.ts'
import type { KeyProvider } from './oidc/oidc-key.ts'
import { createOutput } from './output/output.ts'
import type { Output, Streams } from './output/output.ts'
import { readSettings, requireKey } from './settings.ts'
import type { SettingOptions, Settings } from './settings.ts'
import { createAgents } from './transfer/agents.ts'
import type { Agents } from './transfer/agents.ts'

/** The parts of the process that commands use. */
export type Runtime = Streams & {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  env: Env
  cwd: string
  /** Aborted on Ctrl-C, SIGTERM or SIGHUP. */
  signal: AbortSignal
  /** Maximum time until the first response of the server. Defaults to 15 seconds. */
  firstResponseMs?: number | undefined
}

export type CommandContext = {
  runtime: Runtime
  settings: Settings
  output: Output
  signal: AbortSignal
  connection: Connection
  /** Returns an API client. Without `key`, uses the API key in the settings or OIDC and throws if there is neither. */
  client: (key?: string) => QuaysideClient
  agents: Agents
}

/** Creates the context for a command from its options and the options of its parent commands. */
export function createContext(command: Command, runtime: Runtime): CommandContext {
  const options: SettingOptions = {}
  for (let level: Command | null = command; level; level = level.parent) {
    Object.assign(options, { ...level.opts<SettingOptions>(), ...options })
  }
  return createContextOf(options, runtime)
}

/** Creates a context with these settings. */
export function createContextOf(options: SettingOptions, runtime: Runtime): CommandContext {
  const settings = readSettings(options, runtime.env)
  const output = createOutput(runtime, settings.json, settings.jsonFields)
  if (settings.keySource === 'file') {
    const warning = hostsWarning(hostsPath(runtime.env))
    if (warning !== undefined) output.note(warning)
  }
  const connection = createConnection(settings.server, output, runtime.firstResponseMs)
  let oidcKey: KeyProvider | undefined
  const requireOidcKey = () =>
    (oidcKey ??= createOidcKey({
      ...settings,
      env: runtime.env,
      userAgent: connection.userAgent,
      signal: runtime.signal,
      nowMs: () => performance.now(),
    }))
  return {
    runtime,
    settings,
    output,
    signal: runtime.signal,
    connection,
    client: (key) =>
      createClient({
        ...connection,
        apiKey: key ?? (settings.oidc ? requireOidcKey() : requireKey(settings, runtime.env)),
      }),
    agents: createAgents(proxyVariables(runtime.env)),
  }
}

function proxyVariables(env: Env): Env {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}
