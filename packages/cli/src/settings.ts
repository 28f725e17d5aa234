import { firstText } from './ci/ci-facts.ts'
import type { Env } from './ci/ci-facts.ts'
import { Failure } from './failure.ts'

/** What every command can be told by an option or the environment. */
export type Settings = {
  server: string
  key: string | undefined
  application: string | undefined
  json: boolean
}

export type SettingOptions = { server?: string; key?: string; application?: string; json?: boolean }

const defaultServer = 'http://localhost:4400'

/** Options first, then QUAYSIDE_SERVER, QUAYSIDE_API_KEY and QUAYSIDE_APPLICATION. */
export function readSettings(options: SettingOptions, env: Env): Settings {
  return {
    server: serverOrigin(options.server ?? firstText(env['QUAYSIDE_SERVER']) ?? defaultServer),
    key: firstText((options.key ?? env['QUAYSIDE_API_KEY'])?.trim()),
    application: options.application ?? firstText(env['QUAYSIDE_APPLICATION']),
    json: options.json === true,
  }
}

/** The API key; commands that call the API cannot do without. */
export function requireKey(settings: Settings): string {
  if (settings.key !== undefined) return settings.key
  throw new Failure('not_allowed', 'No API key is given: set QUAYSIDE_API_KEY or use --key.')
}

function serverOrigin(text: string): string {
  const address = text.includes('://') ? text : `https://${text}`
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Failure(
      'usage',
      `"${text}" is not the address of a server: give one like https://builds.example.com.`,
    )
  }
  const url = new URL(address)
  // People paste the address of the API or with a slash at the end.
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}
