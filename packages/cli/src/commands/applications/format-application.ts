import type { SingleApplication } from '@quayside/sdk'
import { formatFields } from '../../output/format.ts'

/** Formats an application as a list of fields. */
export function formatApplication(application: SingleApplication): string {
  return formatFields([
    ['Application', application.id],
    ['Name', application.name],
    ['Description', application.description],
    ['Builds', application.build_count],
    ['Storage', application.storage_usage.total_string],
    ['Created', application.created_at],
  ])
}
