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
