export const adoptionText = {
  section:
    'Checks for updates by the version that clients have. Clients are not identified: one that checks twice a day counts twice.',
  noChecks: (days: number) =>
    `No client has checked for updates in the last ${days} days. Enter a URL below in your application; its checks appear here within seconds.`,
  docs: 'How checks are counted',
  later: 'A chart over time appears after three days.',
  other: 'Other versions',
  unspecified: 'Version not sent',
  unspecifiedPlatform: 'Not sent',
  otherFormats: 'Other formats',
  platforms: { macos: 'macOS', windows: 'Windows', linux: 'Linux', android: 'Android', ios: 'iOS' },
  neverRequested: 'No client has requested this format in the last 90 days.',
  lastRequest: 'Last request',
  lastError: 'Last error',
  otherErrors: (requests: string) =>
    `${requests} in 24 hours for formats that this channel does not serve. Clients may use an old URL.`,
} as const
