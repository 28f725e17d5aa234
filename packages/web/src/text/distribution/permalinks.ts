/** The sentences of permalinks. */
export const permalinkText = {
  stream: 'Always leads to the newest build in this stream. Use it in a README, a wiki or a script.',
  version: 'Leads to the build of this version while the release is published.',
  latest: 'Always leads to the build of the highest published version.',
  access:
    'Members and API keys with builds:read can open the link. Visitors can open it if a public portal shows the build.',
  noBuild: 'No build for this platform yet. The link works once there is one.',
} as const
