import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createClient } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import type { Command } from 'commander'
import { version } from './add-command.ts'
import type { Env } from './ci/ci-metadata.ts'
import { createOutput } from './output/output.ts'
import type { Output, Streams } from './output/output.ts'
import { readSettings, requireKey } from './settings.ts'
import type { SettingOptions, Settings } from './settings.ts'
import type { Agents } from './transfer/put-range.ts'

/** The parts of the process that commands use. */
export type Runtime = Streams & {
  env: Env
  cwd: string
  /** Is aborted by Ctrl-C, SIGTERM or SIGHUP. */
  signal: AbortSignal
}

/** The context in which a command runs. */
export type CommandContext = {
  runtime: Runtime
  settings: Settings
  output: Output
  signal: AbortSignal
  /** Returns an API client. Throws if there is no API key. */
  client: () => QuaysideClient
  agents: Agents
}

/** Creates the context of a command from its options and those of its parent commands. */
export function createContext(command: Command, runtime: Runtime): CommandContext {
  const options: SettingOptions = {}
  for (let level: Command | null = command; level; level = level.parent) {
    Object.assign(options, { ...level.opts<SettingOptions>(), ...options })
  }
  const settings = readSettings(options, runtime.env)
  const agentOptions = { keepAlive: true, proxyEnv: proxyVariables(runtime.env) }
  return {
    runtime,
    settings,
    output: createOutput(runtime, settings.json),
    signal: runtime.signal,
    client: () =>
      createClient({
        baseUrl: settings.server,
        apiKey: requireKey(settings),
        userAgent: `quayside-cli/${version}`,
      }),
    agents: { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions), freeBuffers: [] },
  }
}

function proxyVariables(env: Env): Env {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}
