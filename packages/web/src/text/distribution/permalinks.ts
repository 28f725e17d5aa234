/** The sentences of permalinks. */
export const permalinkText = {
  stream: 'Always leads to the newest build of this stream, so it can stand in a README, a wiki or a script.',
  version: 'Leads to the build of this version for as long as the release is published.',
  latest: 'Always leads to the build of the highest published version.',
  access:
    'Members and API keys with builds:read can open it. Visitors can if a public portal shows the build.',
  noBuild: 'There is no build for this platform yet. The link works as soon as there is one.',
} as const
