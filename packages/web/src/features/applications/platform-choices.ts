/** The platforms that a new application can have, the most common ones first. */
export const platformChoices: readonly { identifier: string; name: string }[] = [
  { identifier: 'android', name: 'Android' },
  { identifier: 'ios', name: 'iOS' },
  { identifier: 'windows', name: 'Windows' },
  { identifier: 'macos', name: 'macOS' },
  { identifier: 'linux', name: 'Linux' },
  { identifier: 'generic', name: 'Generic' },
]
