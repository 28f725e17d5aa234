import { firstNonEmpty } from './ci/ci-metadata.ts'
import type { Env } from './ci/ci-metadata.ts'
import { defaultServer } from './defaults.ts'
import { Failure } from './failure.ts'
import { hostsPath, readHosts } from './hosts.ts'
import { findIdTokenSource, idTokenAdvice } from './oidc/id-token.ts'
import { parseFieldList } from './output/json-fields.ts'
import { parseServerUrl } from './server-url.ts'

/** Where a setting comes from: an option, the environment, the file written by `quayside login`, or the default. */
export type SettingSource = 'option' | 'environment' | 'file' | 'default'

/** The settings that apply to every command, read from its options, the environment and the stored keys. */
export type Settings = {
  server: string
  serverSource: SettingSource
  key: string | undefined
  keySource: SettingSource | undefined
  application: string | undefined
  /** Whether to exchange an OIDC token from the CI run for a key. */
  oidc: boolean
  json: boolean
  /** The fields that `--json` selects. An empty list selects all fields. */
  jsonFields: string[]
}

export type SettingOptions = {
  server?: string
  key?: string
  oidc?: boolean
  application?: string
  json?: string | true
}

/** Reads the settings. Options take precedence over environment variables, which take precedence over stored values. */
export function readSettings(options: SettingOptions, env: Env): Settings {
  if (options.oidc === true && options.key !== undefined)
    throw new Failure('usage', 'Use either --key or --oidc, not both.')
  // The file is read only if needed, so that a damaged file does not affect a job that has everything in its
  // environment.
  const stored = () => readHosts(hostsPath(env))
  const [server, serverSource] = firstSet<string>([
    ['option', () => options.server],
    ['environment', () => firstNonEmpty(env['QUAYSIDE_SERVER'])],
    ['file', () => stored().default_server ?? undefined],
  ]) ?? [defaultServer, 'default' as const]
  const serverUrl = parseServerUrl(server)
  const [key, keySource] = firstSet<string>([
    ['option', () => firstNonEmpty(options.key?.trim())],
    ['environment', () => firstNonEmpty(env['QUAYSIDE_API_KEY']?.trim())],
    ['file', () => stored().servers[serverUrl]?.key],
  ]) ?? [undefined, undefined]
  if (key !== undefined) checkKey(key)
  return {
    server: serverUrl,
    serverSource,
    key,
    keySource,
    oidc: options.oidc === true || (key === undefined && findIdTokenSource(env) !== undefined),
    application: options.application ?? firstNonEmpty(env['QUAYSIDE_APPLICATION']),
    json: options.json !== undefined,
    jsonFields: typeof options.json === 'string' ? parseFieldList(options.json) : [],
  }
}

/** Returns the API key, or throws if there is none. */
export function requireKey(settings: Settings, env: Env): string {
  if (settings.key !== undefined) return settings.key
  const advice = idTokenAdvice(env)
  const remedy =
    advice === undefined
      ? 'Run `quayside login` or set QUAYSIDE_API_KEY.'
      : `Set QUAYSIDE_API_KEY to a secret or, for trusted publishing, ${advice}.`
  throw new Failure('not_allowed', `There is no API key for ${settings.server}. ${remedy}`)
}

/** Throws if the text cannot be an API key. The message does not contain the text. */
export function checkKey(text: string): void {
  if (/^[\u0021-\u007e]+$/.test(text)) return
  throw new Failure('usage', 'The API key contains spaces or other invalid characters. Pass only the key.')
}

function firstSet<Value>(
  candidates: [SettingSource, () => Value | undefined][],
): [Value, SettingSource] | undefined {
  for (const [source, read] of candidates) {
    const value = read()
    if (value !== undefined) return [value, source]
  }
  return undefined
}
