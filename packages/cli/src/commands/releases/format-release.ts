import type { FullRelease, Release } from '@quayside/sdk'
import { formatFields, formatTable, formatTime } from '../../output/format.ts'

/** Formats the status of a release, such as `scheduled for 2027-01-31 12:00 UTC`. */
export function formatReleaseStatus({ status, scheduled_for }: Release): string {
  return scheduled_for === null ? status : `scheduled for ${formatTime(scheduled_for)} UTC`
}

/** Formats a release as a list of fields, followed by a table of its builds. */
export function formatRelease(release: FullRelease, columns: number | undefined): string {
  const fields = formatFields([
    ['Release', release.id],
    ['Title', release.title],
    ['Version', release.version],
    ['Status', formatReleaseStatus(release)],
    ['Labels', release.labels.map(({ name }) => name).join(', ')],
    ['Notes', release.notes],
    ['Builds', release.build_count],
    ['Created', release.created_at],
    ['Published', release.published_at],
    ['Withdrawn', release.withdrawn_at],
  ])
  if (release.builds.length === 0) return fields
  const builds = formatTable(
    ['BUILD', 'VERSION', 'PLATFORM', 'STREAM', 'SIZE'],
    release.builds.map((build) => [
      build.id,
      build.version,
      build.platform.short_name,
      build.stream.name,
      build.size_total_string,
    ]),
    columns,
  )
  return `${fields}\n\n${builds}`
}
