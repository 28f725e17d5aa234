import { firstNonEmpty } from './ci/ci-metadata.ts'
import type { Env } from './ci/ci-metadata.ts'
import { Failure } from './failure.ts'

/** The settings that apply to every command, read from its options and the environment. */
export type Settings = {
  server: string
  key: string | undefined
  application: string | undefined
  json: boolean
}

export type SettingOptions = { server?: string; key?: string; application?: string; json?: boolean }

const defaultServer = 'http://localhost:4400'

/** Reads the settings. Options take precedence over environment variables. */
export function readSettings(options: SettingOptions, env: Env): Settings {
  return {
    server: parseServerUrl(options.server ?? firstNonEmpty(env['QUAYSIDE_SERVER']) ?? defaultServer),
    key: firstNonEmpty((options.key ?? env['QUAYSIDE_API_KEY'])?.trim()),
    application: options.application ?? firstNonEmpty(env['QUAYSIDE_APPLICATION']),
    json: options.json === true,
  }
}

/** Returns the API key, or throws if there is none. */
export function requireKey(settings: Settings): string {
  if (settings.key !== undefined) return settings.key
  throw new Failure('not_allowed', 'An API key is required. Set QUAYSIDE_API_KEY or use --key.')
}

function parseServerUrl(text: string): string {
  const address = text.includes('://') ? text : `https://${text}`
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Failure('usage', `"${text}" is not a server URL. Use a URL such as https://builds.example.com.`)
  }
  const url = new URL(address)
  // The URL may also be the API base URL or end with a slash.
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}
