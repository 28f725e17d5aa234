import { plural } from '../ui/format/bytes.ts'

const per = (unit: 'day' | 'week') => `per ${unit}`

export const insightsText = {
  empty: 'Uploads, downloads and storage appear here once the first build is uploaded.',
  table: 'Table',
  downloadCsv: 'Download CSV',
  copyLink: 'Copy link',
  linkCopied: 'Link copied.',
  per,
  by: (unit: 'day' | 'week', series: string) => `${per(unit)}, by ${series}`,
  groups: { day: 'Day', week: 'Week' },
  median: 'Median',
  percentile90: '90th percentile',
  channels: {
    api: 'API and command line',
    console: 'Console',
    'share-link': 'Share links',
    'distribution-group': 'Distribution groups',
    portal: 'Portals',
    feed: 'Update feeds',
  },
  uploads: {
    title: 'Uploads',
    empty: 'No uploads in this period.',
  },
  sizes: {
    title: 'Build size',
    detail: (unit: 'day' | 'week') => `median ${per(unit)}, by platform`,
    empty: 'No builds from this period are left.',
  },
  failures: {
    title: 'Processing failures',
    series: 'Failed builds',
    empty: 'Every build in this period could be read.',
  },
  firstDownloads: {
    title: 'Upload to first download',
    detail: (unit: 'day' | 'week') => `${per(unit)} of upload`,
    footer: (downloaded: number, read: number) =>
      `${plural(downloaded, 'build')} of ${read} downloaded by a person. Downloads with API keys and update feeds are not counted.`,
    empty:
      'The time from upload to first download appears here once a person downloads a build from this period.',
  },
  buildDurations: {
    title: 'CI build duration',
    empty: 'Durations appear here once CI uploads builds with `ci_build_duration`.',
  },
  downloads: {
    title: 'Downloads',
    empty: 'No downloads in this period.',
  },
  versions: {
    title: 'Version adoption',
    downloads: 'Downloads',
    checks: (channel: string) => `Update checks: ${channel}`,
    downloadsDetail: (unit: 'day' | 'week') => `downloads ${per(unit)}`,
    checksDetail: (unit: 'day' | 'week') => `update checks ${per(unit)}`,
    noDownloads: 'No downloads in this period.',
    noChecks: 'No client has checked this channel for updates in this period.',
    shortened: (days: number) => `Update checks are kept for ${days} days.`,
  },
  storage: {
    title: 'Storage',
    detail: (unit: 'day' | 'week') => `build files at the end of each ${unit}, by stream`,
    empty: 'Nothing was stored in this period.',
  },
  forecast: {
    title: 'Storage forecast',
    stored: 'Stored',
    expected: 'Forecast',
    low: 'Low',
    high: 'High',
    empty: 'A forecast appears here after seven days with stored builds.',
    summary: (days: number, expected: string, low: string, high: string) =>
      `In ${days} days: ${expected}, or between ${low} and ${high} in nine of ten cases.`,
    basis: (days: number, change: string) => `Based on ${plural(days, 'day')}, ${change} a day on average.`,
  },
  savings: {
    title: 'Shorter retention',
    control: 'Days of retention',
    keep: 'Keep builds for',
    unit: 'days',
    days: (days: number) => plural(days, 'day'),
    stream: 'Stream',
    now: 'Now',
    forever: 'Forever',
    builds: 'Builds to trash',
    saved: 'Saved',
    toTrash: (builds: number) => `${plural(builds, 'build')} to trash`,
    nothing: (days: number) => `Every stream deletes its builds after ${days} days or sooner.`,
    largest: (streams: number) => `Shows the ${streams} streams that store most.`,
    none: (days: number) => `No build is older than ${days} days, or all older ones are kept.`,
    total: (saved: string, share: number, trashDays: number) =>
      `Saves ${saved} (${share} %) once the builds leave the trash after ${plural(trashDays, 'day')}.`,
  },
  uploadBytes: {
    title: 'Uploaded bytes',
    sent: 'Sent',
    reused: 'Reused from earlier builds',
    empty: 'No uploads in this period.',
  },
  sources: {
    title: 'Download sources',
    empty: 'No downloads in this period.',
  },
  later: (unit: 'day' | 'week') =>
    `A chart appears here once there are values for two ${unit}s. The table already shows the first ones.`,
  sampled: (builds: number, unit: 'day' | 'week') =>
    `Computed from the ${builds} newest builds of each ${unit}.`,
  otherVersions: 'Other versions',
  deletedStreams: 'Deleted streams',
}
