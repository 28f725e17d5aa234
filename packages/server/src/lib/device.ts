/** The operating system of a visitor's device, as far as the request reveals it. */
export type Device = 'android' | 'ios' | 'windows' | 'macos' | 'linux' | 'unknown'

const patterns: readonly (readonly [RegExp, Device])[] = [
  // The user agents of Windows phones, Android and iPhones also contain the names of other systems.
  [/iPhone|iPad|iPod/, 'ios'],
  [/Android/, 'android'],
  [/Windows/, 'windows'],
  [/Macintosh|Mac OS X/, 'macos'],
  [/Linux|X11|CrOS/, 'linux'],
]

/** Returns the device that sent a request with this `User-Agent` header. An iPad may report itself as a Mac. */
export const deviceOf = (userAgent: string | null): Device =>
  patterns.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? 'unknown'

/** What a request reveals about the device beyond its operating system. */
export type DeviceDetails = {
  /** The version of Android, such as `14` or `8.1`. */
  androidVersion?: string
  /** The identifier of the architecture. */
  architecture?: 'arm64v8' | 'armv7' | 'x64' | 'x86'
}

/**
 * The client hints that browsers based on Chromium send with later requests if a response over https asks for them. A
 * response without `Critical-CH` costs no further request.
 */
export const acceptedHints = 'Sec-CH-UA-Arch, Sec-CH-UA-Bitness, Sec-CH-UA-Platform-Version'

/** The client hints of a request, which are quoted strings. */
export type ClientHints = {
  architecture?: string | undefined
  bitness?: string | undefined
  model?: string | undefined
  platformVersion?: string | undefined
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Returns the client hints of a request, at most 200 characters of each. */
export function clientHintsOf(headers: Headers): ClientHints {
  const hint = (name: string) => {
    const value = headers[`sec-ch-ua-${name}`]
    return typeof value === 'string' ? value.slice(0, 200) : undefined
  }
  return {
    architecture: hint('arch'),
    bitness: hint('bitness'),
    model: hint('model'),
    platformVersion: hint('platform-version'),
  }
}

/** Returns what the user agent and the client hints of a request reveal. */
export function deviceDetailsOf(userAgent: string | null, hints: ClientHints): DeviceDetails {
  const agent = userAgent ?? ''
  const device = deviceOf(agent)
  // A phone may run 32-bit browsers, so its architecture is not known.
  if (device === 'android') return pruned({ androidVersion: androidVersionOf(hints, agent) })
  return pruned({ architecture: hintedArchitecture(hints) ?? namedArchitecture(device, agent) })
}

function pruned({
  androidVersion,
  architecture,
}: { [Key in keyof DeviceDetails]: DeviceDetails[Key] | undefined }) {
  return {
    ...(androidVersion === undefined ? {} : { androidVersion }),
    ...(architecture === undefined ? {} : { architecture }),
  }
}

/** Returns a short value of a client hint without its quotes. */
const unquoted = (hint = ''): string => /^"([\w.]{1,20})"$/.exec(hint)?.[1] ?? ''

function androidVersionOf({ platformVersion }: ClientHints, userAgent: string): string | undefined {
  const hinted = unquoted(platformVersion)
  if (/^\d/.test(hinted)) return hinted
  // Chrome reports every device as `Android 10; K`.
  return /Android (\d[\d.]{0,10})(?![\d.]|; K\))/.exec(userAgent)?.[1]
}

function hintedArchitecture({ architecture, bitness }: ClientHints): DeviceDetails['architecture'] {
  const is64Bit = unquoted(bitness) === '64'
  const name = unquoted(architecture)
  if (name === 'arm') return is64Bit ? 'arm64v8' : 'armv7'
  if (name === 'x86') return is64Bit ? 'x64' : 'x86'
  return undefined
}

function namedArchitecture(device: Device, userAgent: string): DeviceDetails['architecture'] {
  // Every Mac reports an Intel processor.
  if (device === 'macos') return undefined
  if (/aarch64|arm64/i.test(userAgent)) return 'arm64v8'
  if (/armv7/.test(userAgent)) return 'armv7'
  if (/x86_64|x64|WOW64|amd64/i.test(userAgent)) return 'x64'
  return device === 'linux' && /i[3-6]86/.test(userAgent) ? 'x86' : undefined
}
