import { findSimilarName } from '../lib/similar-name.ts'
import { isLoopback } from '../net/ip-address.ts'

type Environment = Readonly<Record<string, string | undefined>>

type Settings = {
  host: string
  publicUrl: string
  storageGroup: string | undefined
  accelRedirectPrefix: string | undefined
  bundletool: { keystore: object | undefined } | undefined
}

/** Returns warnings about settings that are valid but probably mistakes, such as a misspelled name. */
export function configWarnings(
  config: Settings,
  {
    environment,
    known,
    isPublicUrlSet,
  }: { environment: Environment; known: readonly string[]; isPublicUrlSet: boolean },
): string[] {
  return [
    ...warningsAboutNames(environment, known),
    ...warningsAboutGroup(config),
    ...warningsAboutBundletool(config),
    ...warningsAboutUrl({ ...config, isPublicUrlSet }),
  ]
}

const prefix = 'QUAYSIDE_'
/** Settings of the command line, which are often set in the same shell. */
const clientSettings = new Set(['QUAYSIDE_API_KEY', 'QUAYSIDE_APPLICATION', 'QUAYSIDE_SERVER'])

/** Returns a warning for each variable that looks like a setting but is not one, and is therefore ignored. */
function warningsAboutNames(environment: Environment, known: readonly string[]): string[] {
  const withoutPrefix = (name: string) => name.replace(prefix, '')
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !clientSettings.has(name))
    .map((name) => {
      const similar = findSimilarName(withoutPrefix(name), known.map(withoutPrefix))
      const intended = known.find((candidate) => withoutPrefix(candidate) === similar)
      const hint = intended === undefined ? '' : ` Did you mean ${intended}?`
      return `${name} is not a setting and has no effect.${hint}`
    })
}

function warningsAboutGroup({
  storageGroup,
  accelRedirectPrefix,
}: Pick<Settings, 'storageGroup' | 'accelRedirectPrefix'>): string[] {
  if (storageGroup === undefined || accelRedirectPrefix !== undefined) return []
  return ['QUAYSIDE_STORAGE_GROUP has no effect, because QUAYSIDE_ACCEL_REDIRECT_PREFIX is not set.']
}

function warningsAboutBundletool({ bundletool }: Pick<Settings, 'bundletool'>): string[] {
  if (bundletool === undefined || bundletool.keystore !== undefined) return []
  return [
    'Universal APKs are not signed, so they cannot be installed. Set QUAYSIDE_BUNDLETOOL_KEYSTORE, ' +
      'QUAYSIDE_BUNDLETOOL_KEYSTORE_PASSWORD and QUAYSIDE_BUNDLETOOL_KEY_ALIAS to sign them.',
  ]
}

const isEveryAddress = (host: string): boolean => ['0.0.0.0', '[::]'].includes(host)

/**
 * Returns a warning if clients on other computers cannot use the URLs that the service puts into responses. A public
 * URL with another host or port is not reported, because a proxy or a container may map it.
 */
function warningsAboutUrl(url: { host: string; publicUrl: string; isPublicUrlSet: boolean }): string[] {
  if (isEveryAddress(new URL(url.publicUrl).hostname))
    return [
      `QUAYSIDE_PUBLIC_URL is ${url.publicUrl}, which is an address to listen on and not one that clients can connect to.`,
    ]
  if (url.isPublicUrlSet || isLoopback(url.host)) return []
  return [
    `The service listens on ${url.host}, but its responses contain ${url.publicUrl}, which leads clients on other ` +
      'computers to themselves. Set QUAYSIDE_PUBLIC_URL to the URL that clients use, such as http://192.168.1.20:4400.',
  ]
}
