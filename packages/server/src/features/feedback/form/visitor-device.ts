import type { ClientHints } from '../../../lib/device.ts'

/** What a person would call the device and the operating system of a visitor; null if the browser does not report it. */
export type VisitorDevice = { device: string | null; os: string | null }

const maxLength = 80

/**
 * Returns the device and operating system of a visitor, such as `Pixel 8` and `Android 16`. Browsers based on Chromium
 * send the model and version in headers of their own, and a fixed version in the `User-Agent` header.
 */
export function describeDevice(userAgent: string | null, hints: ClientHints = {}): VisitorDevice {
  const agent = userAgent ?? ''
  const version = unquoted(hints.platformVersion)
  if (/iPhone|iPod/.test(agent)) return { device: 'iPhone', os: iosVersion(agent) }
  if (/iPad/.test(agent)) return { device: 'iPad', os: iosVersion(agent).replace('iOS', 'iPadOS') }
  if (/Android/.test(agent)) return describeAndroid(agent, unquoted(hints.model), version)
  if (/Windows/.test(agent)) return { device: null, os: windowsVersion(version) }
  if (/CrOS/.test(agent)) return { device: null, os: 'ChromeOS' }
  if (/Macintosh|Mac OS X/.test(agent))
    return { device: 'Mac', os: version === '' ? 'macOS' : `macOS ${majorOf(version)}` }
  if (/Linux|X11/.test(agent)) return { device: null, os: 'Linux' }
  return { device: null, os: null }
}

/** Header values are quoted. Everything that is not part of a name or version is removed. */
const unquoted = (value = ''): string =>
  value
    .replaceAll(/[^\w .,()+/-]/g, '')
    .trim()
    .slice(0, maxLength)

const majorOf = (version: string): string => /^\d+/.exec(version)?.[0] ?? ''

/** Safari keeps the system at 18.6 in its `User-Agent` header since iOS 26, but its own version is that of the system. */
function iosVersion(agent: string): string {
  const system = /OS (\d+(?:_\d+)?)/.exec(agent)?.[1]?.replace('_', '.')
  const safari = /Version\/(\d+(?:\.\d+)?)/.exec(agent)?.[1]
  const version = safari !== undefined && Number(majorOf(safari)) >= 26 ? safari : system
  return version === undefined ? 'iOS' : `iOS ${version}`
}

function describeAndroid(agent: string, model: string, version: string): VisitorDevice {
  const [, system = '', rest = ''] = /Android ?(\d+(?:\.\d+)*)?;? ?([^;)]*)/.exec(agent) ?? []
  const named = unquoted(rest.replace(/ Build\/.*$/, ''))
  // Chromium reports `K` instead of the model, and always Android 10. Firefox names the form factor instead.
  const isReduced = named === 'K'
  const device = model !== '' ? model : isReduced || ['', 'Mobile', 'Tablet'].includes(named) ? null : named
  const known = version !== '' ? majorOf(version) : isReduced ? '' : system
  return { device, os: known === '' ? 'Android' : `Android ${known}` }
}

/** The header `Sec-CH-UA-Platform-Version` is 13 or higher on Windows 11, and lower on Windows 10. */
function windowsVersion(version: string): string {
  if (version === '') return 'Windows'
  return Number(majorOf(version)) >= 13 ? 'Windows 11' : 'Windows 10'
}
