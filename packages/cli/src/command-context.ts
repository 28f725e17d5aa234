import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createClient } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { Env } from './ci/ci-facts.ts'
import { createOutput } from './output/output.ts'
import type { Output, Streams } from './output/output.ts'
import { readSettings, requireKey } from './settings.ts'
import type { SettingOptions, Settings } from './settings.ts'
import type { Agents } from './transfer/put-range.ts'

/** The world outside a command; the real process in `main.ts`, something smaller in tests. */
export type World = Streams & {
  env: Env
  cwd: string
  /** Aborted by Ctrl-C or SIGTERM. */
  signal: AbortSignal
  /** From now on signals are no longer ours. */
  leaveSignals: () => void
}

/** What the action of a command works with. */
export type CommandContext = {
  world: World
  settings: Settings
  output: Output
  signal: AbortSignal
  /** Throws when no key is given. */
  client: () => QuaysideClient
  agents: Agents
}

/** Adds the options that every verb understands. */
export function withSettings(command: Command): Command {
  return command
    .addOption(
      new Option('--server <url>', 'address of the server (QUAYSIDE_SERVER, else http://localhost:4400)'),
    )
    .addOption(new Option('--key <key>', 'API key (QUAYSIDE_API_KEY)'))
    .addOption(
      new Option(
        '--application <id or name>',
        'application (QUAYSIDE_APPLICATION); application keys need none',
      ),
    )
    .addOption(new Option('--json', 'print the result as JSON, and nothing else'))
}

/** The context of a command from its own and its parents' options. */
export function contextOf(command: Command, world: World): CommandContext {
  const options: SettingOptions = {}
  for (let level: Command | null = command; level; level = level.parent) {
    Object.assign(options, { ...level.opts<SettingOptions>(), ...options })
  }
  const settings = readSettings(options, world.env)
  const agentOptions = { keepAlive: true, proxyEnv: proxyVariables(world.env) }
  return {
    world,
    settings,
    output: createOutput(world, settings.json),
    signal: world.signal,
    client: () =>
      createClient({
        baseUrl: settings.server,
        apiKey: requireKey(settings),
        userAgent: `quayside-cli/${packageJson.version}`,
      }),
    agents: { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions), slabs: [] },
  }
}

function proxyVariables(env: Env): Env {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']
  return Object.fromEntries(
    names
      .flatMap((name) => [name, name.toLowerCase()])
      .flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  )
}
