import type { ListedDownload } from '@quayside/sdk'

export const channelNames: Readonly<Record<ListedDownload['channel'], string>> = {
  api: 'API',
  console: 'Console',
  'share-link': 'Share link',
  'distribution-group': 'Distribution group',
  portal: 'Portal',
  feed: 'Update feed',
}

export const groupingNames = {
  person: 'Person',
  version: 'Version',
  build: 'Build',
  platform: 'Platform',
  channel: 'Channel',
  share_link: 'Share link',
  distribution_group: 'Group',
  portal: 'Portal',
} as const

export const downloadsText = {
  none: 'Downloads appear here, with who downloaded what and how. Share a build or a release to get the first.',
  noneOfRelease: 'Downloads appear here when people get the builds of this release.',
  noneMatches: 'No download matches the filters.',
  mostOnly: (shown: string, all: string) =>
    `The ${shown} with the most downloads of ${all}. Filter to see others.`,
}
