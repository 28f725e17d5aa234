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
  none: 'Downloads appear here with who downloaded which build and how. Share a build or a release to get its first download.',
  noneOfRelease: 'Downloads appear here when people download builds of this release.',
  noneMatches: 'No downloads match the filters.',
  mostOnly: (shown: string, all: string) =>
    `Showing the ${shown} of ${all} with the most downloads. Filter to see others.`,
}
