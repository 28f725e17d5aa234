import type { Adapter, ClientSystem, FeedAddress } from '../adapters/adapter.ts'
import { formats } from '../adapters/formats.ts'
import type { Processor } from '../adapters/published-files.ts'

/** What is counted of a client. A text is empty if the request does not name it. */
export type ClientFacts = { version: string; platform: ClientSystem | ''; architecture: Processor | '' }

/** Counts a version, or a format, that the channel does not have. */
export const other = 'other'

const systems: Readonly<Record<string, ClientSystem>> = {
  ...named('macos', 'darwin mac macos osx dmg'),
  ...named('windows', 'win win32 win64 windows exe'),
  ...named('linux', 'linux appimage deb debian rpm fedora'),
  ...named('android', 'android'),
  ...named('ios', 'ios ipados'),
}
const processors: Readonly<Record<string, Processor>> = {
  ...named('x64', 'x64 amd64 64'),
  ...named('x86', 'x86 ia32 i386 i686 32'),
  ...named('arm64', 'arm64 aarch64'),
  ...named('armv7', 'arm armv7 armv7l armhf'),
}

function named<Value extends string>(value: Value, words: string): Record<string, Value> {
  return Object.fromEntries(words.split(' ').map((word) => [word, value]))
}

const maxTextLength = 300

type ClientRequest = Pick<FeedAddress, 'path' | 'query'> & { userAgent: string | undefined }

type Context = { applicationName: string; knownVersions: ReadonlySet<string> }

/** Reads from a request the version, the platform and the processor of its client. Nothing identifies the client. */
export function readClientFacts(
  { system, readClient }: Pick<Adapter, 'system' | 'readClient'>,
  { path, query, userAgent }: ClientRequest,
  { applicationName, knownVersions }: Context,
): ClientFacts {
  const inPath = readClient?.(path) ?? {}
  const version = inPath.version ?? versionInQuery(query) ?? versionInUserAgent(userAgent, applicationName)
  const target = [inPath.target, ...(query.size === 0 ? [] : targetsInQuery(query))]
  const words = target.flatMap(wordsOf)
  return {
    version: nameVersion(version, knownVersions),
    platform: find(words, systems) ?? system ?? '',
    architecture: find(words, processors) ?? '',
  }
}

function versionInQuery(query: URLSearchParams): string | undefined {
  if (query.size === 0) return undefined
  return (
    query.get('version') ??
    query.get('current_version') ??
    query.get('currentVersion') ??
    query.get('localVersion') ??
    undefined
  )
}

const targetsInQuery = (query: URLSearchParams) =>
  ['platform', 'os', 'rid', 'target', 'arch'].map((name) => query.get(name) ?? undefined)

/** Sparkle and WinSparkle send `Harbor/1.2.0 Sparkle/2.6.0`, and many programs their name and version. */
function versionInUserAgent(userAgent: string | undefined, applicationName: string): string | undefined {
  if (userAgent === undefined) return undefined
  const text = userAgent.slice(0, maxTextLength)
  const at = text.indexOf('/')
  if (at <= 0) return undefined
  const [version = '', next = ''] = text.slice(at + 1).split(' ', 2)
  const isOfUpdater = next.startsWith('Sparkle/') || next.startsWith('WinSparkle/')
  return isOfUpdater || text.slice(0, at).toLowerCase() === applicationName.toLowerCase()
    ? version
    : undefined
}

function nameVersion(version: string | undefined, known: ReadonlySet<string>): string {
  if (version === undefined || version === '') return ''
  const text = /^v\d/.test(version) ? version.slice(1) : version
  return known.has(text) ? text : other
}

const wordsOf = (text: string | undefined): string[] =>
  text === undefined || text.length > maxTextLength
    ? []
    : text.toLowerCase().replaceAll('x86_64', 'x64').split(/[-_.]/)

function find<Value>(words: readonly string[], values: Readonly<Record<string, Value>>): Value | undefined {
  const found = words.find((word) => Object.hasOwn(values, word))
  return found === undefined ? undefined : values[found]
}

const fixedSegments = new Set(
  [
    ...Object.values<Adapter>(formats).flatMap(({ paths }) => paths.flatMap((path) => path.split('/'))),
    ...Object.keys(systems),
    ...Object.keys(processors),
    ...'update download latest notes RELEASES latest.yml latest-mac.yml latest-linux.yml versions.json'.split(
      ' ',
    ),
    ...'releases.win.json releases.osx.json releases.linux.json dists stable main InRelease Release'.split(
      ' ',
    ),
    ...'repodata repomd.xml pool repos releases tags flat registration query information'.split(' '),
    ...'packageManifests manifestSearch info refs objects HEAD'.split(' '),
  ].filter((segment) => segment !== '' && !segment.includes('{')),
)
const endings =
  /\.(yml|json|xml|zip|exe|msi|dmg|pkg|deb|rpm|nupkg|appimage|blockmap|zsync|sig|gz|zst|apk|ipa)$/i
const maxSegments = 8

/**
 * Returns a path with the segments that the service knows. Others are replaced, because a client that is not configured
 * correctly may send its read key anywhere.
 */
export function shapeOf(path: readonly string[]): string {
  const shown = path.slice(0, maxSegments).map((segment) => {
    if (fixedSegments.has(segment)) return segment
    if (/^v?\d{1,4}(\.\d{1,4}){1,3}$/.test(segment)) return '{version}'
    return `*${endings.exec(segment)?.[0].toLowerCase() ?? ''}`
  })
  return [...shown, ...(path.length > maxSegments ? ['*'] : [])].join('/')
}
