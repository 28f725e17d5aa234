import type { FullRelease } from '@quayside/sdk'
import { formatFields, formatTable } from '../../output/format.ts'

/** Formats a release as a list of fields, followed by a table of its builds. */
export function formatRelease(release: FullRelease): string {
  const fields = formatFields([
    ['Release', release.id],
    ['Title', release.title],
    ['Version', release.version],
    ['Labels', release.labels.map(({ name }) => name).join(', ')],
    ['Notes', release.notes],
    ['Builds', release.build_count],
    ['Created', release.created_at],
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
  )
  return `${fields}\n\n${builds}`
}
