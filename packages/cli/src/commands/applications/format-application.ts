import type { SingleApplication } from '@quayside/sdk'
import { formatFields } from '../../output/format.ts'

/** Formats an application as a list of fields. */
export function formatApplication(application: SingleApplication): string {
  return formatFields([
    ['Application', application.id],
    ['Name', application.name],
    ['Description', application.description],
    ['Builds', application.build_count],
    ['Storage', formatStorage(application)],
    ['Created', application.created_at],
  ])
}

function formatStorage(application: SingleApplication): string {
  const { storage_usage: usage, physical_bytes: physical, physical_string: text } = application
  return usage.total_bytes === physical ? usage.total_string : `${usage.total_string}, stored as ${text}`
}
