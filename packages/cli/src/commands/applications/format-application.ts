import type { SingleApplication } from '@quayside/sdk'
import { formatFields } from '../../output/format.ts'

/** Formats an application as a list of fields. */
export function formatApplication(application: SingleApplication): string {
  return formatFields([
    ['Application', application.id],
    ['Name', application.name],
    ['Description', application.description],
    ['Builds', application.build_count],
    ['Storage', formatStorage(application.storage_usage)],
    ['Created', application.created_at],
  ])
}

function formatStorage(usage: SingleApplication['storage_usage']): string {
  const { total_bytes: total, physical_bytes: physical } = usage
  return total === physical ? usage.total_string : `${usage.total_string}, stored as ${usage.physical_string}`
}
