import { formatCount, plural } from '../../ui/format/bytes.ts'

const percentFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

/** Where a release is visible, and how far it is adopted. */
export const reachText = {
  places: 'Where it is visible',
  notPublished: 'Groups, portals and share links show it once it is published.',
  kinds: {
    groups: 'Groups',
    portals: 'Portals',
    links: 'Share links',
    permalinks: 'Permalinks',
    streams: 'Streams',
    channels: 'Update feeds',
  },
  none: {
    groups: 'In no group',
    portals: 'In no portal',
    links: 'No active share links',
    permalinks: 'None until it is published',
    streams: 'Not the latest build of any stream',
    channels: 'In no update feed',
  },
  addGroup: 'Add to a group',
  addLink: 'New share link',
  members: (count: number) => plural(count, 'member'),
  inactive: 'Inactive',
  portalTypes: { public: 'Public', private: 'Private' },
  downloads: (count: number) => plural(count, 'download'),
  password: 'Password',
  thisVersion: 'This version',
  install: 'Install page',
  latestOf: (platform: string) => `Latest build for ${platform}`,
  newest: 'Newest version',
  older: 'A newer version is offered',
  later: 'Once it is published',
  publishesReleases: 'Releases',
  open: (name: string) => `Open ${name}`,
  adoption: 'Adoption',
  adoptionLater: 'Downloads, installs and update checks appear here once the release is published.',
  testers: 'Testers on this version',
  testersDetail: (count: number, total: number) =>
    total === 0
      ? 'Nobody downloaded a build in the last 30 days'
      : `${formatCount(count)} of ${formatCount(total)} active in the last 30 days`,
  checks: 'Update checks from this version',
  checksDetail: (count: number, total: number) =>
    total === 0
      ? 'No update checks in the last 30 days'
      : `${formatCount(count)} of ${formatCount(total)} in the last 30 days`,
  total: { download: 'Downloads', install: 'Installs', check: 'Update checks' },
  before: (count: number, version: string, days: number) =>
    `${formatCount(count)} for ${version} in its first ${plural(days, 'day')}`,
  first: 'First release for its platforms',
  percent: (count: number, total: number) => (total === 0 ? '–' : percentFormat.format(count / total)),
  chartDetail: (previous: string | undefined) =>
    previous === undefined ? 'total since publication' : `total since publication, beside ${previous}`,
  empty: {
    download: 'No downloads since the release was published.',
    install: 'No installs since the release was published.',
    check: 'No update checks since the release was published.',
  },
  day: (day: number) => `Day ${day}`,
  metric: 'Shown values',
} as const
