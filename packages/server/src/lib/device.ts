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

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Returns what the client hints and the user agent of a request reveal. */
export function deviceDetailsOf(headers: Headers): DeviceDetails {
  const userAgent = String(headers['user-agent'] ?? '')
  const device = deviceOf(userAgent)
  // A phone may run 32-bit browsers, so its architecture is not known.
  if (device === 'android') return pruned({ androidVersion: androidVersionOf(headers, userAgent) })
  return pruned({ architecture: hintedArchitecture(headers) ?? namedArchitecture(device, userAgent) })
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

/** Returns the value of a client hint, which is a quoted string. */
const hintOf = (headers: Headers, name: string): string =>
  /^"([\w.]{1,20})"$/.exec(String(headers[name] ?? ''))?.[1] ?? ''

function androidVersionOf(headers: Headers, userAgent: string): string | undefined {
  const hinted = hintOf(headers, 'sec-ch-ua-platform-version')
  if (/^\d/.test(hinted)) return hinted
  // Chrome reports every device as `Android 10; K`.
  return /Android (\d[\d.]{0,10})(?![\d.]|; K\))/.exec(userAgent)?.[1]
}

function hintedArchitecture(headers: Headers): DeviceDetails['architecture'] {
  const is64Bit = hintOf(headers, 'sec-ch-ua-bitness') === '64'
  const name = hintOf(headers, 'sec-ch-ua-arch')
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
